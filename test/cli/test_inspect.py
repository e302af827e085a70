"""cid-inspect inspect: reports, JSON, faults, hints."""

import base64

import support
from support import C1, C1_HEX, Q0, Q0_V1, Case, run


def rows(report):
    """The rows of a report: label to the list of what stands there."""
    found, label = {}, None
    for line in report.splitlines():
        label = line[:9].strip() or label
        found.setdefault(label, []).append(line[11:])
    return found


class Report(Case):
    def test_of_a_usual_cid(self):
        got = rows(self.ok(C1))
        self.assertEqual(got["input"], [C1])
        self.assertEqual(got["valid"], ["yes   (CIDv1, 36 bytes, canonical text)"])
        self.assertEqual(got["base"], ["base32 'b'"])
        self.assertEqual(got["codec"], ["raw 0x55   [permanent]"])
        self.assertEqual(got["hash"], ["sha2-256 0x12, 32 bytes (256 bits, full length)"])
        self.assertEqual(got["digest"], [C1_HEX])
        self.assertEqual(got["bytes"],
                         ["01 | 55 | 12 20 | a9 48 90 4f ...   at 0, 1, 2-3, 4-35"])
        self.assertEqual(got["as v0"], ["not possible: the codec is raw, v0 needs dag-pb"])
        self.assertEqual(got["as v1"], [
            "base32    " + C1,
            "base36    k2cwuecvan95uqzq14dj3a18wx6av6tgr73nxvopxn3j5kvyr0apys7b",
            "base58btc zb2rhi36Gc9GJWijLEL6zW45MBux5FcFv5gJmjXA7VAMozEXY",
            "hex       f01551220" + C1_HEX])
        self.assertEqual(got["profile"], ["DASL / AT Protocol: yes"])
        self.assertEqual(got["note"], ["the digest equals sha256sum of the block bytes"])
        self.assertEqual(self.ok("inspect", C1), self.ok(C1))
        self.assertEqual(self.ok("inspect", "--", C1), self.ok("--", C1))

    def test_of_a_cidv0(self):
        got = rows(self.ok(Q0))
        self.assertEqual(got["valid"], ["yes   (CIDv0, 34 bytes, canonical text)"])
        self.assertEqual(got["base"], ["base58btc, implied by version 0"])
        self.assertEqual(got["bytes"], ["12 20 | e3 b0 c4 42 ...   at 0-1, 2-33"])
        self.assertEqual(got["as v0"], ["base58btc " + Q0])
        self.assertEqual(got["as v1"][0], "base32    " + Q0_V1)
        self.assertIn("not of the file", got["note"][0])

    def test_of_identity(self):
        got = rows(self.ok("bafkqablimvwgy3y"))
        self.assertEqual(got["content"], ['5 bytes: "hello"'])
        self.assertEqual(rows(self.ok("bafkqaaa"))["content"], ["0 bytes"])
        self.assertEqual(rows(self.ok("bafkqaaa"))["bytes"], ["01 | 55 | 00 00   at 0, 1, 2-3"])

    def test_of_content_that_would_act_on_a_terminal(self):
        _, out, _ = run("bafkqabi3lmztc3i")
        self.assertNotIn(b"\x1b", out)
        self.assertIn(rb'"\x1b[31m"', out)
        bidi = support.base32(b"\x01\x55\x00\x06" + "a\u202eb\n".encode())
        self.assertIn(r'"a\u{202e}b\n"', self.ok(bidi))
        binary = support.base32(b"\x01\x55\x00\x02\xff\xfe")
        self.assertEqual(rows(self.ok(binary))["content"], ["2 bytes, not text"])

    def test_of_a_libp2p_key(self):
        key = "k51qzi5uqu5dl8d7s8nyl5e4ej47urwp9514obb8tbwthush2lwzc8u8tew62j"
        got = rows(self.ok(key))
        self.assertEqual(got["peer id"], ["12D3KooWPTCWpA2Xi73a1uREdWgF3ssywwth3Sd8A7M5vm3zgdKp"])
        self.assertEqual(got["dns label"],
                         ["base32 has 65 characters, a label holds 63; base36 has 62 and fits"])
        self.assertIn("canonical", got["valid"][0])
        self.assertNotIn("not its", got["valid"][0])

    def test_of_truncated_and_overlong_digests(self):
        got = rows(self.ok("bafkreffjjcie6lypi6ny7amxnfftagclbuxndqi"))
        self.assertIn("20 of 32 bytes, truncated", got["hash"][0])
        overlong = support.base32(b"\x01\x55\x11\x1a" + bytes(26))
        self.assertIn("longer than sha1 makes (20)", rows(self.ok(overlong))["hash"][0])

    def test_of_unknown_codes(self):
        got = rows(self.ok("bafkyfagaaeqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry"))
        self.assertIn("unknown (0x300002), 32 bytes", got["hash"][0])
        self.assertIn("private use", got["hash"][0])
        got = rows(self.ok("bagaybqabciqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry"))
        self.assertIn("unknown (0x300001)", got["codec"][0])
        self.assertEqual(got["digest"], [C1_HEX])

    def test_of_special_codecs(self):
        car = "bagbaierazklycewkdo64v6wcggzzui64jwtyn37ycr6e44vzqb3yll7ojc5q"
        self.assertIn("this is the CID of a CAR file", self.ok(car))
        blake = "bafykbzaceahfouoae3suhmxivmxlayez3kq5dzo7i53y654h7kvultprf7r2q"
        self.assertIn("blake2b-256 0xb220", self.ok(blake))
        commitment = support.base32(b"\x01\x81\xe2\x03\x92\x20\x20" + bytes(32))
        self.assertIn("cannot be checked by hashing", self.ok(commitment))

    def test_of_text_that_is_not_canonical(self):
        got = rows(self.ok("f01551220" + C1_HEX))
        self.assertIn("not its canonical text", got["valid"][0])
        self.assertIn("usually   " + C1, got["note"])
        self.assertIn("profile wants lower-case base32", got["profile"][0])
        self.assertIn("not its canonical text", rows(self.ok(C1.upper()))["valid"][0])

    def test_of_paths_and_urls(self):
        for text, path in ((f"/ipfs/{C1}/a/b", "/a/b"), (f"ipfs://{C1}/x?y#z", "/x?y#z"),
                           (f"https://gw.example/ipfs/{C1}", None),
                           (f"https://{C1}.ipfs.gw.example/q", "/q")):
            got = rows(self.ok(text))
            self.assertEqual(got["digest"], [C1_HEX])
            self.assertEqual(got.get("path"), [path] if path else None)

    def test_full(self):
        long = support.base32(b"\x01\x55\x00\xc8\x01" + b"x" * 200)
        self.assertNotIn("78" * 200, "".join(rows(self.ok(long))["digest"]))
        self.assertIn("78" * 200, rows(self.ok("--full", long))["digest"])
        self.assertIn("base64 " + base64.b64encode(bytes.fromhex(C1_HEX)).decode(),
                      rows(self.ok(C1, "--full"))["digest"])

    def test_several_are_parted_by_a_blank_line(self):
        self.assertEqual(self.ok(C1, Q0), self.ok(C1) + "\n" + self.ok(Q0))


class Json(Case):
    KEYS = ["input", "ok", "cid", "version", "base", "codec", "hash", "bytes", "v0", "v1", "dasl",
            "path", "notes"]

    def test_of_a_usual_cid(self):
        self.assertEqual(self.objects(C1), [{
            "input": C1, "ok": True, "cid": C1, "version": 1,
            "base": {"name": "base32", "prefix": "b"},
            "codec": {"code": 0x55, "hex": "0x55", "name": "raw"},
            "hash": {"code": 0x12, "hex": "0x12", "name": "sha2-256", "length": 32,
                     "digest": C1_HEX},
            "bytes": "01551220" + C1_HEX, "v0": None, "v1": C1, "dasl": True, "path": "",
            "notes": ["sha256sum"]}])
        self.assertEqual(list(self.objects(C1)[0]), self.KEYS)

    def test_of_a_cidv0(self):
        got = self.objects(Q0)[0]
        self.assertEqual(got["base"], {"name": "base58btc", "prefix": ""})
        self.assertEqual((got["cid"], got["v0"], got["v1"], got["dasl"]), (Q0, Q0, Q0_V1, False))
        got = self.objects(Q0_V1)[0]
        self.assertEqual((got["cid"], got["v0"], got["v1"]), (Q0_V1, Q0, Q0_V1))

    def test_of_unknown_codes(self):
        got = self.objects("bafkyfagaaeqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry")[0]
        self.assertEqual((got["hash"]["name"], got["hash"]["hex"]), (None, "0x300002"))
        self.assertEqual(got["notes"][0], "hash_private")

    def test_notes(self):
        for text, notes in (
                ("f01551220" + C1_HEX, ["not_canonical", "sha256sum"]),
                ("bafkqaaa", ["identity"]),
                ("bafkreffjjcie6lypi6ny7amxnfftagclbuxndqi", ["digest_truncated"]),
                (support.base32(b"\x01\x55\x12\x08" + bytes(8)),
                 ["digest_truncated", "digest_short"]),
                (Q0, ["dag_pb_node"])):
            self.assertEqual(self.objects(text)[0]["notes"], notes)

    def test_dasl_judges_the_text_as_given(self):
        for text, dasl in ((C1, True), (C1.upper(), False), ("f01551220" + C1_HEX, False),
                           (Q0_V1, False), (Q0, False)):
            self.assertIs(self.objects(text)[0]["dasl"], dasl, text)

    def test_path(self):
        got = self.objects(f"ipfs://{C1}/a b\n\u202e?q")[0]
        self.assertEqual(got["path"], "/a b\n\u202e?q")
        self.assertEqual(got["cid"], C1)

    def test_of_the_batch_in_the_contract(self):
        got = self.objects(status=1, stdin=f"{C1}\nnotacid\n{Q0}\n".encode())
        self.assertEqual([item["ok"] for item in got], [True, False, True])
        self.assertEqual([item["input"] for item in got], [C1, "notacid", Q0])

    def test_of_errors(self):
        bad = C1[:10] + "0" + C1[11:]
        got = self.objects(bad, status=1)[0]
        self.assertEqual(list(got), ["input", "ok", "error"])
        self.assertEqual(got["error"], {
            "code": "base_char", "message": "'0' is not a character of base32", "field": "base",
            "where": "text", "offset": 10})

    def test_of_hostile_input(self):
        hostile = bytes(range(1, 256)).replace(b"\n", b"").replace(b"\r", b"")
        got = self.objects("-", status=1, stdin=b"b\xff\x1b[31m\xe2\x80\xae\x9b\n" + hostile)
        self.assertEqual(got[0]["input"], "b\ufffd\x1b[31m\u202e\ufffd")
        self.assertEqual(got[0]["input_hex"], "62ff1b5b33316de280ae9b")
        self.assertEqual(list(got[0]), ["input", "input_hex", "ok", "error"])
        self.assertEqual(got[1]["input_hex"], hostile.hex())
        got = self.objects(b"/ipfs/" + C1.encode() + b"/\xff")[0]
        self.assertEqual((got["ok"], got["path"]), (True, "/\ufffd"))
        self.assertEqual(got["input_hex"], (b"/ipfs/" + C1.encode() + b"/\xff").hex())

    def test_need_and_have(self):
        got = self.objects(C1[:33], status=1)[0]["error"]
        self.assertEqual((got["code"], got["field"], got["where"]), ("truncated", "digest", "bytes"))
        self.assertEqual((got["need"], got["have"]), (32, 16))


class Faults(Case):
    """faults.md would call these near-misses: the message says what and where."""

    def test_a_wrong_character(self):
        err = self.bad(C1[:10] + "8" + C1[11:])
        lines = err.splitlines()
        self.assertEqual(lines[0], "cid-inspect: not a CID: '8' is not a character of base32")
        self.assertEqual(lines[1][13:], C1[:10] + "8" + C1[11:])
        self.assertEqual(lines[2], " " * (13 + 10) + "^ byte 10 (from 0)")
        self.assertIn("base32, version 1, codec raw, hash sha2-256", lines[3])

    def test_the_mark_stands_under_the_character(self):
        lines = self.bad("🚀🪐a").splitlines()
        self.assertEqual(lines[2], " " * (13 + 4) + "^ byte 8, character 2 (from 0)")
        lines = self.bad(b"b\x1b\xff").splitlines()
        self.assertEqual(lines[1][13:], r"b\x1b\xff")
        self.assertEqual(lines[2][13:], " ^ byte 1 (from 0)")

    def test_the_place_in_a_path(self):
        bad = C1[:10] + "8" + C1[11:]
        for lead, tail in (("/ipfs/", "/x"), ("ipfs://", "?x"), ("https://gw.example/ipfs/", ""),
                           ("https://", ".ipfs.gw.example/x"), ("", "")):
            got = self.objects(lead + bad + tail, status=1)[0]["error"]
            self.assertEqual((got["code"], got["offset"]), ("base_char", len(lead) + 10), lead)

    def test_cut_and_long(self):
        err = self.bad(C1[:33])
        self.assertIn("the digest is cut short: 16 of 32 bytes are there", err)
        self.assertIn("cut short", err.split("hint")[1])
        self.assertIn("1 more byte", self.bad(C1 + "aa"))

    def test_what_it_probably_is(self):
        for text, hints in (
                (Q0.lower(), ["lower-cased CIDv0", "cannot be restored"]),
                (C1_HEX, ["SHA-256", C1]),
                ("bciqohmgeikmpyhautl57jsezn64sij5oihsgjg4tjssjlgi3pbjlqvi",
                 ["bare sha2-256 multihash", Q0, Q0_V1]),
                ("12D3KooWPTCWpA2Xi73a1uREdWgF3ssywwth3Sd8A7M5vm3zgdKp",
                 ["PeerID", "k51qzi5uqu5dl8d7s8nyl5e4ej47urwp9514obb8tbwthush2lwzc8u8tew62j"]),
                (" " + C1, ["blanks", C1]), (f'"{C1}"', ["quotes", C1]),
                (Q0[:-1], ["CIDv0 has 46 characters, this one has 45"]),
                (Q0 + "1", ["CIDv0 has 46 characters, this one has 47"])):
            err = self.bad(text)
            for hint in hints:
                self.assertIn(hint, err)
                self.assertIn(hint, self.objects(text, status=1)[0]["error"]["message"])

    def test_a_convert_of_a_path_says_so(self):
        self.assertIn(C1, self.bad("convert", "/ipfs/" + C1))

    def test_what_is_no_cid(self):
        for text, code in (("", "text_empty"), ("1", "base_reserved"), ("Qm", "v0_length"),
                           ("b", "truncated"), (C1 + "\n", "base_char"),
                           (C1[:-1] + "5", "base_bits"), ("z" + Q0, "v0_in_base"),
                           ("b" + "a" * 5000, "text_limit"), ("/ipfs/", "text_empty"),
                           ("/foo/" + C1, "no_cid"),
                           ("babkre" + C1[6:], "cid_explicit_v0"),
                           ("bajkre" + C1[6:], "cid_reserved")):
            got = self.objects("--", text, status=1)[0]
            self.assertEqual((got["ok"], got["error"]["code"]), (False, code), text)

    def test_a_message_never_holds_raw_controls(self):
        _, _, err = run(b"\x1b[31m\x9b\xe2\x80\xae/ipfs/x\r\x07")
        self.assertNotRegex(err, rb"[\x00-\x09\x0b-\x1f\x7f-\xff]")
        self.assertIn(rb"\x1b[31m\x9b\u{202e}/ipfs/x\r\a", err)

    def test_the_name_of_a_file_is_no_cid(self):
        self.assertIn("cid-inspect car FILE", self.bad(__file__))
        self.assertIn("lists the commands", self.bad("verify"))

    def test_a_long_text_is_shown_around_the_fault(self):
        text = "b" + "a" * 1000 + "!" + "a" * 1000
        lines = self.bad(text).splitlines()
        self.assertTrue(all(len(line) < 140 for line in lines))
        self.assertEqual(lines[1][lines[2].index("^")], "!")
        self.assertIn("byte 1001", lines[2])


if __name__ == "__main__":
    support.main()
