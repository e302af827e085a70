"""cid-inspect convert and format."""

import base64

import support
from support import C1, C1_HEX, Q0, Q0_V1, Case, run

EMPTY_HEX = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Convert(Case):
    def line(self, *args):
        out = self.ok("convert", *args)
        self.assertTrue(out.endswith("\n"))
        return out[:-1]

    def test_bases(self):
        for base, text in (("base32", C1), ("b", C1), ("base16", "f01551220" + C1_HEX),
                           ("base32upper", C1.upper()),
                           ("base58btc", "zb2rhi36Gc9GJWijLEL6zW45MBux5FcFv5gJmjXA7VAMozEXY"),
                           ("base36", "k2cwuecvan95uqzq14dj3a18wx6av6tgr73nxvopxn3j5kvyr0apys7b"),
                           ("m", "mAVUSIKlIkE8vD0ebj4GXaUswGEsNLtHBzSoewPuF0pmhkqRH")):
            self.assertEqual(self.line("-b", base, C1), text)
            self.assertEqual(self.line(f"--base={base}", C1), text)
            self.assertEqual(self.line("-b", "base32", text), C1)
        emoji = self.line("-b", "🚀", C1)
        self.assertEqual(emoji[0], "🚀")
        self.assertEqual(self.line("-b", "base32", emoji), C1)

    def test_versions(self):
        self.assertEqual(self.line(Q0), Q0)
        self.assertEqual(self.line("-v", "1", "-b", "base32", Q0), Q0_V1)
        self.assertEqual(self.line("-b", "base32", Q0), Q0_V1)
        self.assertEqual(self.line("-v1", Q0)[0], "z")
        self.assertEqual(self.line("-v", "0", Q0_V1), Q0)
        self.assertEqual(self.line("--cid-version=0", "-b", "base58btc", Q0_V1), Q0)

    def test_codecs(self):
        want = support.base32(b"\x01\x71\x12\x20" + bytes.fromhex(C1_HEX))
        for name in ("dag-cbor", "0x71", "113"):
            self.assertEqual(self.line("--codec", name, C1), want)
        self.assertEqual(self.line("--codec", "raw", Q0)[0], "z")
        self.assertEqual(self.line("--codec", "dag-pb", Q0), Q0)
        self.assertEqual(self.line("--codec", "dag-pb", "-v", "0", support.base32(
            b"\x01\x55\x12\x20" + bytes.fromhex(EMPTY_HEX))), Q0)

    def test_what_cannot_be_converted(self):
        err = self.bad("convert", "-v", "0", C1)
        self.assertIn("dag-pb", err)
        self.assertNotIn("not a CID", err)
        got = self.objects("convert", "-v", "0", C1, status=1)[0]
        self.assertEqual((got["ok"], got["error"]["code"], got["error"]["field"]),
                         (False, "v0_codec", "codec"))
        short = support.base32(b"\x01\x70\x12\x14" + bytes(20))
        self.assertEqual(self.objects("convert", "-v0", short, status=1)[0]["error"]["code"],
                         "v0_hash")
        odd = support.base32(b"\x01\x55\x00\x01a")
        self.assertEqual(self.objects("convert", "-b", "proquint", odd, status=1)[0]["ok"], False)

    def test_wrong_usage_stops_before_any_work(self):
        for args in (["-v", "2"], ["-v", ""], ["-v", "01"], ["-b", "base99"], ["--codec", "nope"],
                     ["--codec", ""], ["--codec", "0x"], ["--codec", "0x8000000000000000"],
                     ["-v", "0", "-b", "base32"], ["-v", "0", "--codec", "raw"], ["-f", "%s"],
                     ["-b"], ["--nonsense"]):
            self.usage("convert", C1, *args)

    def test_batch(self):
        status, out, err = run("convert", "-b", "base32", C1, "no", Q0)
        self.assertEqual((status, out.decode()), (1, f"{C1}\n{Q0_V1}\n"))
        self.assertIn(b"not a CID", err)
        status, out, err = run("convert", stdin=f"{C1}\nno\n{Q0}\n".encode())
        self.assertEqual((status, out.decode()), (1, f"{C1}\n{Q0}\n"))
        self.assertIn(b"line 2: ", err)

    def test_json(self):
        self.assertEqual(self.objects("convert", "-b", "base32", Q0),
                         [{"input": Q0, "ok": True, "output": Q0_V1}])
        got = self.objects("convert", b"\xff", C1, status=1)
        self.assertEqual(got[0]["input_hex"], "ff")
        self.assertEqual([item["ok"] for item in got], [False, True])


class Format(Case):
    def line(self, *args):
        return self.ok("format", *args)[:-1]

    def test_tokens(self):
        multihash = bytes.fromhex("1220" + C1_HEX)
        digest = base64.b32encode(multihash[2:]).decode().lower().rstrip("=")
        for token, text in (
                ("%%", "%"), ("%b", "base32"), ("%B", "b"), ("%v", "cidv1"), ("%V", "1"),
                ("%c", "raw"), ("%C", "85"), ("%h", "sha2-256"), ("%H", "18"), ("%L", "32"),
                ("%m", support.base32(multihash)), ("%M", support.base32(multihash)[1:]),
                ("%d", "b" + digest), ("%D", digest), ("%s", C1), ("%S", C1[1:]),
                ("%P", "cidv1-raw-sha2-256-32"), ("x%%%Vy", "x%1y"), ("%s %s", C1 + " " + C1)):
            self.assertEqual(self.line("-f", token, C1), text)
        self.assertEqual(self.line(C1), C1)
        for token, text in (("%b", "base58btc"), ("%B", "z"), ("%v", "cidv0"), ("%s", Q0),
                            ("%S", Q0), ("%M", Q0), ("%m", "z" + Q0),
                            ("%P", "cidv0-dag-pb-sha2-256-32")):
            self.assertEqual(self.line("-f", token, Q0), text)

    def test_unknown_codes_are_numbers(self):
        odd = "bafkyfagaaeqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry"
        self.assertEqual(self.line("-f", "%h %H", odd), "0x300002 3145730")

    def test_bad_formats(self):
        for bad in ("", "abc", "%", "%s%", "%x", "%é", "%\n", "%%%"):
            self.usage("format", "-f", bad, C1)

    def test_bytes_of_the_format_are_kept(self):
        status, out, _ = run("format", "-f", b"\xff%V\t", C1)
        self.assertEqual((status, out), (0, b"\xff1\t\n"))
        got = self.objects("format", "-f", b"\xff%V\t", C1)[0]
        self.assertEqual(got["output"], "\ufffd1\t")


if __name__ == "__main__":
    support.main()
