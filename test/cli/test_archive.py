"""cid-inspect car wrap, unwrap, index, index-list, filter, concat, roots and create."""

import glob
import json
import os
import shutil
import signal
import subprocess
import time

import support
from support import (D1, D2, INDEX, V1, V2I, FileCase, base32, car, cid_bytes, header, index_0401,
                     run, run_terminal, section, sha256, v2, varint)

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/sample.car")
S1, S2 = V1[59:97], V1[97:]
EMPTY = header()
IDENTITY = section(b"\x01\x55\x00\x02hi", b"hi")
UNKNOWN = section(b"\x01\x55" + varint(0x300002) + b"\x20" + bytes(32), b"x")
MISMATCH = V1[:96] + b"b" + V1[97:]
NOTE_HEADER = b"\x42\xa3\x64note\x62hi" + V1[2:59]

# What no command may take for an archive, or pass on; and where the fault is.
BROKEN = {
    "cut in the last block": V1[:-1],
    "cut in a block": V1[:110],
    "cut in the header": EMPTY[:10],
    "a length and little behind it": EMPTY + varint(1 << 20) + cid_bytes(b"a")[:10],
    "a varint that ends too early": V1 + b"\xa0",
    "a header of 8 GiB": b"\x80\x80\x80\x80\x20\xa2",
    "a section of 8 GiB": EMPTY + b"\x80\x80\x80\x80\x20" + cid_bytes(b"a"),
    "a varint that is too long": EMPTY + b"\xa5\x00" + S1[1:],
    "zero padding": V1 + bytes(119),
    "a zero among the sections": EMPTY + b"\0" + S1,
    "no version": b"\x08\xa1\x65roots\x80",
    "no roots": b"\x0a\xa1\x67version\x01",
    "version 3": b"\x0a\xa1\x67version\x03",
    "a root that is a number": b"\x12\xa2\x65roots\x81\x01\x67version\x01",
    "JSON": b'{"error":"not found"}',
    "nothing": b"",
    "a pragma alone": b"\x0a\xa1\x67version\x02",
    "a block that does not match": MISMATCH,
    "CARv2: data offset and size wrap": v2(V1, data=1 << 63, size=1 << 63),
    "CARv2: data in the header": v2(V1, data=50),
    "CARv2: data at 0": v2(V1, data=0),
    "CARv2: data behind the end": v2(V1, data=10**12),
    "CARv2: no data": v2(V1, size=0),
    "CARv2: index in the header": v2(V1, INDEX, at=16),
    "CARv2: index in the data": v2(V1, INDEX, at=51),
    "CARv2: section runs into the index": v2(V1, INDEX, size=135),
    "CARv2: payload overlaps the index": v2(V1, INDEX, size=137),
    "CARv2: cut": V2I[:150],
    "CARv2 in a CARv2": v2(v2(V1)),
}


class ArchiveCase(FileCase):
    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def left(self):
        return sorted(os.listdir(self.folder.name))

    def written(self, *args, status=0, **options):
        """What the command writes to a file, which must be what it writes to standard output."""
        got, out, err = run("car", *args, "-o", self.path("out"), **options)
        self.assertEqual((got, out), (status, b""), (args, err))
        self.assertEqual(run("car", *args, **options)[:2], (status, self.read("out")))
        self.assertFalse([name for name in self.left() if ".part" in name])
        data = self.read("out")
        os.unlink(self.path("out"))
        return data


class Wrap(ArchiveCase):
    def test_a_carv1(self):
        self.assertEqual(self.written("wrap", self.file(V1)), V2I)
        self.assertEqual(self.written("wrap", stdin=V2I), V2I)
        self.assertEqual(self.written("unwrap", self.file(V2I)), V1)
        self.assertEqual(self.written("unwrap", stdin=V2I), V1)

    def test_paddings(self):
        data = self.written("wrap", "--data-padding=7", "--index-padding=1K", self.file(V1))
        self.assertEqual(data, v2(V1, at=51 + 7 + 136 + 1024, padding=7) + bytes(1024) + INDEX)
        self.assertEqual(self.written("unwrap", self.file(data)), V1)
        self.ok("car", "verify", self.file(data))

    def test_padding_of_any_length_is_passed_over(self):
        with open(self.path("x.car"), "wb") as file:
            file.write(v2(b"", data=51 + (90 << 20), size=len(V1)))
            file.seek(51 + (90 << 20))
            file.write(V1)
        self.assertEqual(self.written("unwrap", self.path("x.car")), V1)

    def test_kinds_of_index(self):
        data = self.written("wrap", "--codec=0x0400", self.file(V1))
        self.assertEqual(data[187:189], b"\x80\x08")
        self.ok("car", "verify", self.file(data))
        data = self.written("wrap", "--identity", self.file(V1 + IDENTITY))
        self.assertEqual(data[11], 0x80)
        self.assertEqual(self.objects("car", "verify", self.file(data))[0]["index"]["entries"], 3)
        self.usage("car", "wrap", "--codec=0x0402", self.file(V1))

    def test_there_and_back(self):
        with open(SAMPLE, "rb") as file:
            sample = file.read()
        for data in (V1, EMPTY, EMPTY + IDENTITY, V1 + S1, sample, NOTE_HEADER + S1 + S2,
                     car(b"", os.urandom(200000), roots=[cid_bytes(b"x")] * 3)):
            self.ok("car", "wrap", self.file(data), "-o", self.path("wrapped"))
            self.ok("car", "verify", self.path("wrapped"))
            self.assertEqual(self.written("unwrap", self.path("wrapped")), data)
            # A pipe is told of an index before it is known that it will have no entries.
            piped = self.file(run("car", "wrap", self.file(data))[1], "piped")
            self.ok("car", "verify", piped)
            self.assertEqual(self.written("unwrap", piped), data)

    def test_unwrap_wants_a_carv2(self):
        self.assertIn("CARv1 already", self.bad("car", "unwrap", self.file(V1)))
        self.usage("car", "unwrap", self.file(V2I), self.file(V2I, "2"))

    def test_padding_at_the_end_is_left_out(self):
        status, _, err = run("car", "wrap", "--allow-padding", self.file(V1 + bytes(9)), "-o",
                             self.path("out"))
        self.assertEqual((status, self.read("out")), (0, V2I))
        self.assertIn(b"padding", err)

    def test_json(self):
        out = self.path("out")
        self.assertEqual(self.objects("car", "wrap", self.file(V1), "-o", out), [
            {"file": out, "ok": True, "version": 2, "size": 297, "blocks": 2, "left_out": 0,
             "unverifiable": 0}])


class Index(ArchiveCase):
    def test_of_an_archive(self):
        for data in (V1, v2(V1), V2I):
            self.assertEqual(self.written("index", self.file(data)), INDEX)
            self.assertEqual(self.written("index", stdin=data), INDEX)
        data = self.written("index", "--codec=0x0400", self.file(V1))
        self.assertEqual(data, b"\x80\x08" + INDEX[14:])

    def test_identity(self):
        path = self.file(V1 + IDENTITY)
        self.assertEqual(self.written("index", path), INDEX)
        self.assertEqual(len(self.written("index", "--identity", path)),
                         len(INDEX) + 8 + 4 + 12 + 2 + 8)

    def test_list(self):
        want = [{"hash": "sha2-256", "digest": sha256(b"bc").hex(), "offset": 97},
                {"hash": "sha2-256", "digest": sha256(b"a").hex(), "offset": 59}]
        for data in (INDEX, V2I, v2(V1, INDEX, padding=7)):
            self.assertEqual(self.objects("car", "index-list", self.file(data)), want)
        rows = self.ok("car", "index-list", self.file(INDEX)).splitlines()
        self.assertEqual([row.split() for row in rows], [
            ["OFFSET", "HASH", "DIGEST"], ["97", "sha2-256", sha256(b"bc").hex()],
            ["59", "sha2-256", sha256(b"a").hex()]])
        path = self.file(b"\x80\x08" + INDEX[14:])
        self.assertEqual([row["hash"] for row in self.objects("car", "index-list", path)],
                         [None, None])
        path = self.file(bytes.fromhex("810801000000000000000000000001000000080000000800000000000000"
                                       "3b00000000000000"))
        self.assertEqual(self.objects("car", "index-list", path),
                         [{"hash": "identity", "digest": "", "offset": 59}])

    def test_list_of_what_is_none(self):
        self.assertIn("no index", self.bad("car", "index-list", self.file(V1)))
        self.assertIn("unknown kind", self.bad("car", "index-list",
                                               self.file(v2(V1, b"\x82\x08")), status=4))
        self.assertIn("JSON", self.bad("car", "index-list", self.file(b'{"a":1}')))
        self.assertIn("pipe", self.bad("car", "index-list", stdin=INDEX, status=3))
        self.assertIn("No such", self.bad("car", "index-list", "/absent", status=3))

    def test_list_of_broken_indexes(self):
        for data, code in HOSTILE:
            for path in (self.file(data, "1"), self.file(v2(V1, data), "2")):
                out = run("--json", "car", "index-list", path)
                last = json.loads(out[1].splitlines()[-1])
                self.assertEqual((out[0], last["error"]["code"]), (1, code), data[:30])

    def test_an_archive_whose_header_starts_as_an_index(self):
        for n in range(960, 1010):
            root = b"\x01\x55\x00" + varint(n) + bytes(n)
            body = (b"\xa2\x65roots\x81\xd8\x2a\x59" + (len(root) + 1).to_bytes(2, "big") + b"\0"
                    + root + b"\x67version\x01")
            if len(body) == 1024:
                break
        data = varint(1024) + body + S1
        self.assertEqual(data[:2], b"\x80\x08")
        self.assertIn("no index", self.bad("car", "index-list", self.file(data)))


def bucket(*rows, width=40, length=None):
    rows = b"".join(rows)
    return (width.to_bytes(4, "little")
            + (len(rows) if length is None else length).to_bytes(8, "little") + rows)


def entry(data, offset):
    return sha256(data) + offset.to_bytes(8, "little")


ONE = b"\x81\x08\x01\0\0\0\x12\0\0\0\0\0\0\0\x01\0\0\0"
HOSTILE = [
    (b"\x80\x08\x01\0\0\0" + bucket(bytes(8), width=0), "index_width"),
    (b"\x80\x08\x01\0\0\0" + bucket(bytes(7), width=7), "index_width"),
    (b"\x80\x08\xff\xff\xff\xff", "index_count"),
    (b"\x80\x08\xff\xff\xff\x7f", "index_count"),
    (ONE + bucket(length=1 << 62), "truncated"),
    (ONE + bucket(bytes(41)), "index_length"),
    (ONE + bucket(entry(b"a", 59), entry(b"bc", 97)), "index_order"),
    (INDEX + b"\0", "trailing"),
]


class VerifyIndex(ArchiveCase):
    """What car verify says of an index."""

    def verdict(self, data, status, **want):
        got = self.objects("car", "verify", self.file(data), status=status)
        self.assertEqual(self.objects("car", "verify", "-", stdin=data, status=status)[0],
                         {**got[0], "file": "-"})
        self.assertEqual(self.objects("car", self.file(data), status=status), got)
        self.assertEqual({key: got[0]["index"][key] for key in want}, want)
        return got[0]

    def test_that_is_true(self):
        got = self.verdict(V2I, 0, state="good", codec="0x0401", entries=2, wrong=0, missing=0)
        self.assertEqual((got["verdict"], got["error"]), ("good", None))
        self.assertIn("2 entries, all true", self.ok("car", "verify", self.file(V2I)))
        self.verdict(v2(V1, INDEX, padding=7), 0, state="good")
        self.verdict(v2(V1, b"\x80\x08" + INDEX[14:]), 0, state="good", codec="0x0400")

    def test_entries_that_are_wrong(self):
        for entries, code, offset in (
                ([(sha256(b"a"), 59), (sha256(b"bc"), 98)], "index_range", 51 + 98),
                ([(sha256(b"a"), 97), (sha256(b"bc"), 97)], "index_entry", 51 + 97),
                ([(sha256(b"a"), 59), (sha256(b"bc"), 1 << 63)], "index_range", 51 + (1 << 63)),
                ([(sha256(b"a"), 59), (sha256(b"bc"), 97), (sha256(b"d"), 59)], "index_entry", 110)):
            got = self.verdict(v2(V1, index_0401(*entries)), 1, state="bad", wrong=1)
            self.assertEqual((got["error"]["code"], got["error"]["offset"]), (code, offset))
            self.assertEqual(got["verdict"], "index")
            self.verdict(v2(V1, b"\x80\x08" + index_0401(*entries)[14:]), 1, state="bad", wrong=1)
        err = self.bad("car", "verify", self.file(v2(V1, index_0401(*entries))))
        self.assertIn("1 entry is wrong", err)

    def test_a_payload_that_ends_before_an_entry(self):
        got = self.verdict(v2(V1, INDEX, size=97), 1, state="bad", wrong=1, missing=0)
        self.assertEqual((got["blocks"], got["error"]["code"]), (1, "index_range"))

    def test_sections_that_are_missing(self):
        one = index_0401((sha256(b"a"), 59))
        got = self.verdict(v2(V1, one), 1, state="bad", wrong=0, missing=1)
        self.assertEqual((got["error"]["code"], got["error"]["offset"]), ("not_found", 51 + 97))
        self.verdict(v2(V1, b"\x80\x08" + one[14:]), 1, state="bad", missing=1)
        self.verdict(v2(V1, b"\x81\x08" + bytes(4)), 1, state="bad", missing=2, entries=0)

    def test_identity(self):
        data = V1 + IDENTITY
        self.verdict(v2(data, INDEX), 0, state="good", missing=0)
        self.verdict(v2(data, b"\x80\x08" + INDEX[14:]), 0, state="good", missing=0)
        self.verdict(v2(data, INDEX, first=0x80), 1, state="bad", missing=1)
        self.verdict(v2(data, b"\x80\x08" + INDEX[14:], first=0x80), 1, state="bad", missing=1)

    def test_duplicates(self):
        data = V1 + S1
        self.verdict(v2(data, INDEX), 0, state="good", left_out=1)
        both = index_0401((sha256(b"a"), 59), (sha256(b"a"), 136), (sha256(b"bc"), 97))
        got = self.verdict(v2(data, both), 0, state="good", left_out=0)
        self.assertEqual(got["duplicates"], 1)
        self.assertIn("1 of them more than once", self.ok("car", "verify", "--dag", self.file(data)))

    def test_hostile_ones(self):
        for data, code in HOSTILE:
            got = self.verdict(v2(V1, data), 1, state="bad")
            self.assertEqual(got["error"]["code"], code, data[:30])
            self.assertEqual(got["verified"]["ok"], 2)

    def test_of_unknown_kind(self):
        self.verdict(v2(V1, b"\x82\x08" + bytes(4)), 4, state="unknown", codec="0x0402")

    def test_that_was_not_reached(self):
        got = self.objects("car", "verify", self.file(v2(V1 + b"\xa0", INDEX)), status=1)[0]
        self.assertEqual((got["index"]["state"], got["verdict"]), ("unreached", "broken"))
        self.assertEqual(got["last_good"], {"cid": D2, "offset": 148})

    def test_too_long_for_a_pipe(self):
        rows = 1 << 21
        data = os.urandom(24)
        big = (ONE + bucket(length=40 * rows)
               + b"".join(i.to_bytes(4, "big") + data + bytes(12) for i in range(rows)))
        got = self.objects("car", "verify", "-", stdin=v2(V1, big), status=4)[0]
        self.assertEqual((got["index"]["state"], got["verdict"]), ("unchecked", "unchecked"))
        got = self.objects("car", "verify", self.file(v2(V1, big)), status=1)[0]
        self.assertEqual((got["index"]["wrong"], got["index"]["missing"]), (rows, 2))

    def test_a_file_that_does_not_start_at_0(self):
        with open(self.file(b"junk" + V2I), "rb", buffering=0) as file:
            file.seek(4)
            got = self.objects("car", "verify", "-", stdin=file)[0]
        self.assertEqual(got["index"]["state"], "good")


class Strict(ArchiveCase):
    def test_what_it_refuses(self):
        for data, code in ((EMPTY + S1, "header_strict"), (NOTE_HEADER + S1, "header_strict"),
                           (v2(V1, first=0x80), "header_strict"), (v2(V1) + b"x", "trailing")):
            for command in ("verify", "inspect"):
                self.objects("car", command, self.file(data))
                got = self.objects("car", command, "--strict", self.file(data), status=1)[0]
                self.assertEqual(got["error"]["code"], code)
        self.ok("car", "verify", "--strict", self.file(V1))
        self.ok("car", "verify", "--strict", self.file(V2I))

    def test_trailing_bytes_are_told(self):
        got = self.objects("car", "verify", self.file(v2(V1) + b"xyz"))[0]
        self.assertEqual(got["trailing_bytes"], 3)
        self.assertIn("3 bytes behind", self.ok("car", "verify", self.file(v2(V1) + b"xyz")))


class Filter(ArchiveCase):
    def test_keeps(self):
        path, some = self.file(V1), self.file(f"{D2}\n".encode(), "list")
        self.assertEqual(self.written("filter", "--cids", some, path), EMPTY + S2)
        self.assertEqual(self.written("filter", "--cids", some, "--invert", path), V1[:97])
        self.assertEqual(self.written("filter", "--cids", "-", path, stdin=D2.encode()), EMPTY + S2)
        self.assertEqual(self.written("filter", "--cids", some, stdin=V1), EMPTY + S2)
        self.assertEqual(self.written("filter", "--cids", some, self.file(V1 + S2)),
                         EMPTY + S2 + S2)
        self.assertEqual(self.written("filter", "--dedupe", "--cids", some, self.file(V1 + S2)),
                         EMPTY + S2)

    def test_versions(self):
        some = self.file(f"{D1}\n{D2}".encode(), "list")
        got = run("car", "filter", "--cids", some, self.file(V2I), "-o", self.path("out"))
        self.assertEqual((got[0], self.read("out")), (0, V2I))
        self.assertEqual(self.written("filter", "--car-version=1", "--cids", some,
                                      self.file(V2I)), V1)
        self.usage("car", "filter", "--car-version=3", "--cids", some, self.file(V2I))

    def test_a_cidv0_is_as_its_cidv1(self):
        v0 = b"\x12\x20" + sha256(b"x")
        data = EMPTY + section(v0, b"x") + S1
        some = self.file(base32(b"\x01\x70" + v0).encode(), "list")
        self.assertEqual(self.written("filter", "--cids", some, self.file(data)), data[:-38])

    def test_the_header_stays_where_it_can(self):
        some = self.file(D1.encode(), "list")
        self.assertEqual(self.written("filter", "--cids", some, self.file(NOTE_HEADER + S1 + S2)),
                         NOTE_HEADER + S1)

    def test_lists(self):
        path, out = self.file(V1), self.path("out")
        for text, status in ((b"notacid\n", 1), (D1.encode() + b"\n\n\r\nnotacid", 1)):
            got = run("car", "filter", "--cids", self.file(text, "list"), path, "-o", out)
            self.assertEqual(got[:2], (status, b""))
            self.assertIn(b"not a CID", got[2])
            self.assertNotIn("out", self.left())
        got = run("car", "filter", "--cids", self.file(support.C1.encode(), "list"), path)
        self.assertEqual(got[:2], (0, EMPTY))
        self.assertIn(b"1 of the CIDs is not in the archive", got[2])
        self.usage("car", "filter", path)
        self.usage("car", "filter", "--cids", "-", "-")
        self.bad("car", "filter", "--cids", "/absent", path, status=3)


class Concat(ArchiveCase):
    def test_joins(self):
        other = header(cid_bytes(b"bc"), cid_bytes(b"a")) + S2
        one, two = self.file(V1, "1"), self.file(v2(other), "2")
        want = header(cid_bytes(b"a"), cid_bytes(b"bc")) + S1 + S2 + S2
        self.assertEqual(self.written("concat", one, two), want)
        self.assertEqual(self.written("concat", one, "-", stdin=v2(other)), want)
        self.assertEqual(self.written("concat", "--dedupe", one, two), want[:-39])
        self.assertEqual(self.written("concat", one, one, one, "--dedupe"), V1)
        self.assertEqual(self.written("concat", one), V1)
        data = run("car", "concat", "--car-version=2", one, "-o", self.path("out"))
        self.assertEqual((data[0], self.read("out")), (0, V2I))

    def test_usage(self):
        self.usage("car", "concat")
        self.usage("car", "concat", "-", "-")
        self.assertIn("No such", self.bad("car", "concat", self.file(V1), "/absent", status=3))


class Roots(ArchiveCase):
    def test_shown(self):
        self.assertEqual(self.ok("car", "roots", self.file(V1)), D1 + "\n")
        self.assertEqual(self.ok("car", "roots", "-", stdin=V2I), D1 + "\n")
        self.assertEqual(self.ok("car", "roots", self.file(EMPTY)), "")
        self.assertEqual(self.objects("car", "roots", "-", stdin=EMPTY),
                         [{"file": "-", "ok": True, "roots": []}])

    def test_set(self):
        path = self.file(V1)
        self.assertEqual(self.written("roots", "--set", path, D2), header(cid_bytes(b"bc")) + S1 + S2)
        self.assertEqual(self.written("roots", "--set", path), EMPTY + S1 + S2)
        self.assertEqual(self.written("roots", "--set", path, D2, D1),
                         header(cid_bytes(b"bc"), cid_bytes(b"a")) + S1 + S2)
        got = run("car", "roots", "--set", self.file(V2I), D1, "-o", self.path("out"))
        self.assertEqual((got[0], self.read("out")), (0, V2I))
        self.assertIn("not a CID", self.bad("car", "roots", "--set", path, "x"))
        self.usage("car", "roots", "--set")
        self.usage("car", "roots", path, "-o", self.path("out"))
        got = run("car", "roots", "--set", self.file(NOTE_HEADER + S1), D1)
        self.assertIn(b"left out", got[2])


class Create(ArchiveCase):
    def test_of_files(self):
        one, two = self.file(b"a", "1"), self.file(b"bc", "2")
        self.assertEqual(self.written("create", one, two), V1)
        self.assertEqual(self.written("create", "-", two, stdin=b"a"), V1)
        self.assertEqual(self.written("create", "--roots=none", one, one, "--dedupe"), EMPTY + S1)
        self.assertEqual(self.written("create", "--roots=all", one, two),
                         header(cid_bytes(b"a"), cid_bytes(b"bc")) + S1 + S2)
        data = self.written("create", "--codec=dag-cbor", "--hash=sha2-512", one)
        self.assertEqual(self.objects("car", "list", self.file(data))[0]["cid"],
                         self.ok("hash", "-q", "--codec=dag-cbor", "--hash=sha2-512", one).strip())
        self.ok("car", "verify", self.file(data))

    def test_of_a_list(self):
        one, two = self.file(b"a", "1"), self.file(b"bc", "a b")
        some = self.file(f"{D1}  {one}\r\n\n {D2}\t{two}".encode(), "list")
        self.assertEqual(self.written("create", "--list", some), V1)
        for text, message in ((f"{D1} {two}", b"does not match"), (f"{D1}\n", b"no path"),
                              (f"x {one}", b"not a CID")):
            got = run("car", "create", "--list", self.file(text.encode(), "list"), "-o",
                      self.path("out"))
            self.assertEqual(got[0], 1)
            self.assertIn(message, got[2])
            self.assertNotIn("out", self.left())
        self.assertIn("No such", self.bad("car", "create", "--list",
                                          self.file(f"{D1} /absent".encode(), "list"), status=3))
        self.assertEqual(run("car", "create", "--no-verify", "--list",
                             self.file(f"{D1} {two}".encode(), "list"))[1],
                         header(cid_bytes(b"a")) + section(cid_bytes(b"a"), b"bc"))

    def test_unverifiable(self):
        cid = base32(b"\x01\x55" + varint(0x300002) + b"\x20" + bytes(32))
        some = self.file(f"{cid} {self.file(b'x', '1')}".encode(), "list")
        data = self.written("create", "--list", some, "--roots=none", status=4)
        self.assertEqual(data, EMPTY + UNKNOWN)

    def test_limits_and_usage(self):
        big = self.file(bytes(9 << 20), "big")
        self.assertIn("longer", self.bad("car", "create", big))
        self.written("create", big, "--max-section=16M")
        for args in (["create"], ["create", "--list", big, big], ["create", "--roots=some", big],
                     ["create", "--hash=nonsense", big], ["create", "--list", big, "--codec=raw"]):
            self.usage("car", *args)


class Faults(ArchiveCase):
    """Every kind of broken archive, through every command that reads one."""

    def test_nothing_comes_of_a_broken_archive(self):
        some = self.file(f"{D1}\n{D2}\n".encode(), "list")
        for name, data in BROKEN.items():
            path = self.file(data)
            before = self.left()
            for args in (["wrap"], ["unwrap"], ["index"], ["filter", "--cids", some], ["concat"],
                         ["roots", "--set"]):
                for how in ([path], ["-"]):
                    got = run("car", *args, *how, "-o", self.path("out"), stdin=data)
                    self.assertEqual(got[:2], (1, b""), (name, args))
                    self.assertEqual(self.left(), before, (name, args))
            self.assertEqual(run("car", "verify", path)[0], 1, name)
            got = run("car", "get", path, D2, "--no-cache")
            if name not in ("a block that does not match", "CARv2: section runs into the index",
                            "CARv2: cut"):
                self.assertEqual(got[:2], (1, b""), name)

    def test_a_block_that_does_not_match_goes_through_only_if_told(self):
        self.assertEqual(self.written("unwrap", "--no-verify", self.file(v2(MISMATCH))), MISMATCH)
        self.assertEqual(self.written("index", "--no-verify", self.file(MISMATCH)), INDEX)
        self.assertEqual(self.written("concat", "--no-verify", self.file(MISMATCH)), MISMATCH)

    def test_what_cannot_be_checked_goes_through_with_status_4(self):
        data = V1 + UNKNOWN
        for args in (["concat"], ["roots", "--set"], ["index"]):
            status, _, err = run("car", *args, self.file(data), "-o", self.path("out"))
            self.assertEqual(status, 4)
            self.assertIn(b"1 block cannot be checked", err)
        self.assertEqual(run("car", "concat", "--no-verify", self.file(data))[:2], (0, data))

    def test_padding_by_option(self):
        some = self.file(D1.encode(), "list")
        path = self.file(V1 + bytes(119))
        for args in (["index"], ["concat"], ["filter", "--cids", some], ["roots", "--set"]):
            self.written(*args, "--allow-padding", path)

    def test_empty_blocks_and_roots(self):
        data = EMPTY + b"\x24" + cid_bytes(b"") + b"\x22\x12\x20" + sha256(b"") + b"\x04\x01\x55\0\0"
        for args in (["concat"], ["roots", "--set"]):
            self.assertEqual(self.written(*args, self.file(data)), data)
        self.assertEqual(self.written("unwrap", self.file(self.written("wrap", self.file(data)))),
                         data)

    def test_large_blocks_by_option(self):
        data = car(os.urandom((8 << 20) + 1))
        self.assertEqual(run("car", "concat", self.file(data))[0], 1)
        self.assertEqual(self.written("concat", "--max-section=9M", self.file(data)), data)


class Output(ArchiveCase):
    def commands(self, path):
        some = self.file(f"{D1}\n".encode(), "list")
        return [["wrap", path], ["unwrap", path], ["index", path], ["concat", path],
                ["filter", "--cids", some, "--car-version=1", path],
                ["roots", "--set", path, "--car-version=1"], ["create", path],
                ["get", path, D1, "--no-cache"]]

    def test_the_input_is_never_the_output(self):
        path = self.file(V2I)
        os.link(path, self.path("link"))
        os.symlink(path, self.path("symlink"))
        for args in self.commands(path):
            for out in (path, self.path("link"), self.path("symlink")):
                self.assertIn("the output is the input", self.usage("car", *args, "-o", out))
        with open(path, "ab") as same:
            self.assertEqual(run("car", "wrap", path, stdout=same)[0], 2)
        with open(path, "r+b") as same:
            self.assertEqual(run("car", "wrap", stdin=same, stdout=same)[0], 2)
        some = self.file(D1.encode(), "list")
        self.usage("car", "filter", "--cids", some, path, "-o", some)
        self.usage("car", "create", "--list", some, "-o", some)
        self.assertEqual(self.read("x.car"), V2I)

    def test_full_disk(self):
        for args in self.commands(self.file(V2I)):
            with open("/dev/full", "wb") as full:
                status, _, err = run("car", *args, stdout=full)
            self.assertEqual(status, 3, args)
            self.assertIn(b"No space left", err)

    def test_a_disk_that_fills_up(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none",
                                                disk], capture_output=True).returncode:
            self.skipTest("a small disk needs root")
        try:
            out = disk + "/out"
            with open(out, "wb") as file:
                file.write(b"before")
            data = car(*(os.urandom(1000) for _ in range(200)))
            path = self.file(data)
            for args in self.commands(path)[:1] + self.commands(path)[3:4]:
                status, _, err = run("car", *args, "-o", out)
                self.assertEqual(status, 3)
                self.assertIn(b"No space left", err)
                self.assertEqual(os.listdir(disk), ["out"])
                with open(out, "rb") as file:
                    self.assertEqual(file.read(), b"before")
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_closed_pipe(self):
        for args in self.commands(self.file(V2I)):
            read, write = os.pipe()
            os.close(read)
            got = run("car", *args, stdout=write)
            os.close(write)
            self.assertEqual((got[0], got[2]), (3, b""), args)

    def test_a_run_that_is_killed(self):
        out = self.path("out")
        child = subprocess.Popen([support.PROGRAM, "car", "wrap", "-o", out],
                                 stdin=subprocess.PIPE)
        child.stdin.write(V1)
        child.stdin.flush()
        deadline = time.monotonic() + 20
        while not glob.glob(out + "*") and time.monotonic() < deadline:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        self.assertFalse(os.path.exists(out))

    def test_names_that_cannot_be_written(self):
        path = self.file(V1)
        self.assertIn("No such file", self.bad("car", "wrap", path, "-o",
                                               self.path("no/where"), status=3))
        for out in (self.folder.name, "/dev/null"):
            self.bad("car", "wrap", path, "-o", out, status=3)

    def test_a_terminal_gets_no_archive(self):
        status, shown = run_terminal("car", "wrap", self.file(V1))
        self.assertEqual(status, 2)
        self.assertIn(b"terminal", shown)
        self.assertEqual(run_terminal("car", "wrap", self.file(V1), "-o", "-")[0], 0)

    def test_a_pipe_cannot_go_back(self):
        one = self.file(V1)
        read, write = os.pipe()
        status, _, err = run("car", "concat", "--car-version=2", one, stdout=write)
        os.close(write)
        self.assertEqual((status, os.read(read, 1)), (3, b""))
        os.close(read)
        self.assertIn(b"-o", err)
        self.assertEqual(run("car", "wrap", one)[1], V2I)  # it knows the sizes beforehand
        self.assertEqual(run("car", "wrap", stdin=V1)[0], 3)

    def test_json_and_an_archive_do_not_mix(self):
        for args in self.commands(self.file(V2I)):
            self.usage("--json", "car", *args, "-o", "-")
            if args[0] != "get":  # which prints what the block says
                self.usage("--json", "car", *args)

    def test_errors_are_objects(self):
        got = self.objects("car", "wrap", self.file(V1[:-1]), "-o", self.path("out"), status=1)
        self.assertEqual((got[0]["ok"], got[0]["error"]["code"]), (False, "truncated"))
        got = self.objects("car", "wrap", self.file(V1), "-o", self.path("no/where"), status=3)
        self.assertEqual(got[0]["error"]["code"], "io")


READER = """
import { CarReader, CarIndexedReader } from '@ipld/car'
import fs from 'node:fs'
const reader = await CarReader.fromBytes(fs.readFileSync(process.argv[2]))
const roots = (await reader.getRoots()).map(String)
const blocks = []
for await (const { cid, bytes } of reader.blocks())
  blocks.push([cid.toString(), Buffer.from(bytes).toString('hex')])
console.log(JSON.stringify({ version: reader.version, roots, blocks }))
"""


class Elsewhere(ArchiveCase):
    """What other programs make of the archives."""

    def test_javascript_reads_them(self):
        modules = os.environ.get("CID_NODE_MODULES", "")
        if not shutil.which("node") or not os.path.isdir(modules + "/@ipld/car"):
            self.skipTest("needs Node and, in CID_NODE_MODULES, @ipld/car")
        folder = os.path.dirname(modules)
        script = os.path.join(folder, f"read-{os.getpid()}.mjs")
        with open(script, "w", encoding="utf-8") as file:
            file.write(READER)
        self.addCleanup(os.unlink, script)
        one, two = self.file(b"a", "1"), self.file(b"bc", "2")
        commands = {"1.car": ["create", one, two], "2.car": ["wrap", self.path("1.car")],
                    "3.car": ["unwrap", self.path("2.car")],
                    "4.car": ["concat", self.path("1.car")],
                    "5.car": ["wrap", "--data-padding=99", self.path("1.car")]}
        for name, args in commands.items():
            self.ok("car", *args, "-o", self.path(name))
            done = subprocess.run(["node", script, self.path(name)], capture_output=True, check=True)
            got = json.loads(done.stdout)
            self.assertEqual(got["roots"], [D1], name)
            self.assertEqual(got["blocks"], [[D1, "61"], [D2, "6263"]], name)


if __name__ == "__main__":
    support.main()
