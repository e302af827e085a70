"""cid-inspect car inspect, list and verify."""

import hashlib
import os
import resource

import support
from support import (D1, D2, V1, V2I, FileCase, base32, car, cid_bytes, header, run, run_terminal,
                     section, v2, varint)

SAMPLE_KEYS = ["file", "ok", "version", "size", "header_bytes", "roots", "roots_present", "blocks",
               "unique_blocks", "payload_bytes", "block_bytes", "cid_bytes", "codecs", "hashes",
               "verified", "padding_bytes", "v2", "error", "verdict", "duplicates",
               "trailing_bytes", "index", "last_good"]
EMPTY = header()
MISMATCH = V1[:96] + b"b" + V1[97:]  # the data of the first block
UNKNOWN = section(b"\x01\x55" + varint(0x300002) + b"\x20" + bytes(32), b"x")
SHORT = section(b"\x01\x55\x12\x08" + hashlib.sha256(b"x").digest()[:8], b"x")


class CarCase(FileCase):
    def inspect(self, data, *args, status=0, command="inspect"):
        path = self.file(data)
        got = self.objects("car", command, *args, path, status=status)
        self.assertEqual(len(got), 1)
        self.assertEqual(list(got[0]), SAMPLE_KEYS)
        self.assertEqual(got[0]["file"], path)
        self.assertEqual(got[0]["ok"], status == 0)
        self.assertEqual(got[0]["size"], len(data))
        return got[0]

    def error(self, data, code, offset, *args, status=1):
        """The error is the same from every command, and in words it is on standard error."""
        got = self.inspect(data, *args, status=status)
        self.assertEqual(got["error"]["code"], code)
        self.assertEqual(got["error"]["offset"], offset)
        self.assertEqual(self.inspect(data, *args, status=status, command="verify"), got)
        for command in ("inspect", "verify", "list"):
            done, out, err = run("car", command, *args, self.file(data))
            self.assertEqual(done, status)
            self.assertTrue(err.startswith(b"cid-inspect: "), err)
            self.assertIn(got["error"]["message"].encode(), err)
            if offset:
                self.assertIn(f"byte {offset}".encode(), err)
        last = self.objects("car", "list", *args, self.file(data), status=status)[-1]
        self.assertEqual((last["ok"], last["error"]), (False, got["error"]))
        return got, err.decode()


class Inspect(CarCase):
    def test_a_carv1(self):
        path = self.file(V1)
        self.assertEqual(self.objects("car", "inspect", path), [{
            "file": path, "ok": True, "version": 1, "size": 136, "header_bytes": 59,
            "roots": [D1], "roots_present": True, "blocks": 2, "unique_blocks": 2,
            "payload_bytes": 3, "block_bytes": {"min": 1, "mean": 1, "max": 2},
            "cid_bytes": {"min": 36, "mean": 36, "max": 36}, "codecs": {"raw": 2},
            "hashes": {"sha2-256": 2}, "verified": {"ok": 2, "mismatch": 0, "unverifiable": 0},
            "padding_bytes": 0, "v2": None, "error": None, "verdict": "good",
            "duplicates": 0, "trailing_bytes": 0, "index": None,
            "last_good": {"cid": D2, "offset": 97}}])
        self.assertEqual(self.objects("car", path), self.objects("car", "inspect", path))
        self.assertEqual(self.objects("car", "verify", path), self.objects("car", path))

    def test_a_carv2(self):
        got = self.inspect(v2(V1))
        self.assertEqual((got["version"], got["blocks"], got["header_bytes"]), (2, 2, 59))
        self.assertEqual(got["v2"], {
            "characteristics": "00" * 16, "fully_indexed": False, "data_offset": 51,
            "data_size": 136, "index_offset": 0, "index_codec": None})
        got = self.inspect(V2I)
        self.assertEqual((got["v2"]["index_offset"], got["v2"]["index_codec"]), (187, "0x0401"))

    def test_an_index_of_unknown_kind_is_not_checked(self):
        got = self.inspect(v2(V1, b"\x82\x08" + bytes(4)), status=4)
        self.assertEqual(got["v2"]["index_codec"], "0x0402")
        self.assertEqual(got["error"]["field"], "index")
        status, out, err = run("car", "verify", self.file(v2(V1, b"\x82\x08" + bytes(4))))
        self.assertEqual((status, out), (4, b""))
        self.assertIn(b"unknown kind", err)

    def test_duplicates_and_tallies(self):
        blocks = [section(cid_bytes(b"a"), b"a")] * 3 + [
            section(cid_bytes(b"\x80", 0x71), b"\x80"), section(b"\x01\x55\x00\x02hi", b"hi"),
            section(cid_bytes(b"x", 0x300001), b"x")]
        got = self.inspect(EMPTY + b"".join(blocks))
        self.assertEqual((got["blocks"], got["unique_blocks"]), (6, 4))
        self.assertEqual(got["codecs"], {"raw": 4, "dag-cbor": 1, "0x300001": 1})
        self.assertEqual(got["hashes"], {"identity": 1, "sha2-256": 5})
        self.assertEqual(got["block_bytes"], {"min": 1, "mean": 1, "max": 2})
        self.assertEqual(got["cid_bytes"], {"min": 6, "mean": 31, "max": 39})

    def test_many_codecs(self):
        codes = [0x300000 + i * 7919 % 5003 for i in range(5003)] + [0x300900] * 9
        data = EMPTY + b"".join(section(cid_bytes(b"x", code), b"x") for code in codes)
        got = self.inspect(data)
        self.assertEqual(got["codecs"],
                         {f"0x{code:x}": 1 + 9 * (code == 0x300900) for code in sorted(set(codes))})

    def test_roots(self):
        absent = car(b"bc", roots=[cid_bytes(b"a")])
        got = self.inspect(absent)
        self.assertEqual((got["roots"], got["roots_present"]), ([D1], False))
        self.assertIn("absent", self.ok("car", self.file(absent)))
        self.assertIn("1 root absent", self.ok("car", "verify", self.file(absent)))
        self.assertTrue(self.inspect(header(b"\x01\x55\x00\x00"))["roots_present"])
        got = self.inspect(car(b"a"))
        self.assertEqual((got["roots"], got["roots_present"]), ([], True))

    def test_empty_archives(self):
        got = self.inspect(EMPTY)
        self.assertEqual((got["blocks"], got["block_bytes"]), (0, {"min": 0, "mean": 0, "max": 0}))
        self.assertIn("blocks      0", self.ok("car", self.file(EMPTY)))

    def test_a_report(self):
        out = self.ok("car", self.file(V1))
        for part in ("CARv1, 136 bytes", "59 bytes at byte 0", "1, present", D1,
                     "2, 3 bytes of data", "raw 2", "sha2-256 2",
                     "2 ok, 0 do not match, 0 cannot be checked",
                     "whole, and every block matches its CID"):
            self.assertIn(part, out)
        out = self.ok("car", self.file(v2(V1)))
        self.assertIn("136 bytes at byte 51", out)
        self.assertIn("index       none", out)

    def test_several_files(self):
        one, two = self.file(V1, "1.car"), self.file(v2(V1), "2.car")
        got = self.objects("car", "inspect", one, two)
        self.assertEqual([item["version"] for item in got], [1, 2])
        self.assertEqual(self.ok("car", one, two), self.ok("car", one) + "\n" + self.ok("car", two))
        status, out, err = run("car", "verify", one, self.folder.name + "/absent", two)
        self.assertEqual(status, 3)
        self.assertEqual(len(out.splitlines()), 2)
        self.assertIn(b"absent: No such file", err)
        self.assertEqual([item["ok"] for item in self.objects(
            "car", "verify", one, "/absent", two, status=3)], [True, False, True])

    def test_a_pipe(self):
        for data in (V1, v2(V1), V2I):
            got = self.objects("car", "inspect", "-", stdin=data)[0]
            self.assertEqual((got["file"], got["size"], got["blocks"]), ("-", len(data), 2))
            self.assertEqual(self.objects("car", "inspect", stdin=data)[0], got)
        with open(self.file(b"junk" + V1), "rb", buffering=0) as file:
            file.seek(4)
            got = self.objects("car", "-", stdin=file)[0]
            self.assertEqual((got["size"], got["blocks"]), (136, 2))


class Verify(CarCase):
    def test_a_good_archive_has_one_line(self):
        path = self.file(V1)
        self.assertEqual(self.ok("car", "verify", path), f"{path}: ok, CARv1, 2 blocks, 136 bytes\n")

    def test_a_block_that_does_not_match(self):
        got = self.inspect(MISMATCH, status=1)
        self.assertEqual(got["verified"], {"ok": 1, "mismatch": 1, "unverifiable": 0})
        self.assertEqual(got["blocks"], 2)
        self.assertEqual((got["error"]["code"], got["error"]["offset"]), ("mismatch", 59))
        for command in ("verify", "inspect"):
            status, out, err = run("car", command, self.file(MISMATCH))
            self.assertEqual(status, 1)
            self.assertIn(b"block 0 at byte 59 does not match its CID", err)
            self.assertIn(D1.encode(), err)
            self.assertIn(base32(cid_bytes(b"b")).encode(), err)
            self.assertEqual(out == b"", command == "verify")
        self.assertIn(b"1 do not match", run("car", "verify", self.file(MISMATCH))[2])

    def test_an_identity_block_that_does_not_match(self):
        data = EMPTY + section(b"\x01\x55\x00\x02hi", b"ho")
        self.assertEqual(self.inspect(data, status=1)["verified"]["mismatch"], 1)
        self.assertIn(base32(b"\x01\x55\x00\x02ho").encode(),
                      run("car", "verify", self.file(data))[2])

    def test_what_cannot_be_checked_is_not_good(self):
        for block, reason in ((UNKNOWN, b"unknown"), (SHORT, b"under 20 bytes"),
                              (section(b"\x01\x81\xe2\x03\x12\x20" + bytes(32), b"x"), b"Filecoin"),
                              (section(b"\x01\x55\x22\x08" + bytes(8), b"x"), b"not cryptographic")):
            got = self.inspect(V1 + block, status=4)
            self.assertEqual(got["verified"], {"ok": 2, "mismatch": 0, "unverifiable": 1})
            self.assertEqual(got["error"]["code"], "unverifiable")
            status, out, err = run("car", "verify", self.file(V1 + block))
            self.assertEqual((status, out), (4, b""))
            self.assertIn(reason, err)

    def test_every_function_is_checked(self):
        for start, digest, provider in ((b"\x11\x14", hashlib.sha1(b"x"), "gcrypt"),
                                        (b"\x16\x20", hashlib.sha3_256(b"x"), None),
                                        (b"\x20\x30", hashlib.sha384(b"x"), "gcrypt"),
                                        (b"\xe0\xe4\x02\x20", hashlib.blake2s(b"x"), None)):
            cid = b"\x01\x55" + start + digest.digest()
            if provider and provider not in support.PROVIDERS:
                got = self.inspect(V1 + section(cid, b"x"), status=4)
                self.assertEqual(got["verified"], {"ok": 2, "mismatch": 0, "unverifiable": 1})
                continue
            got = self.inspect(V1 + section(cid, b"x"))
            self.assertEqual(got["verified"], {"ok": 3, "mismatch": 0, "unverifiable": 0})
            got = self.inspect(V1 + section(cid, b"y"), status=1)
            self.assertEqual(got["verified"], {"ok": 2, "mismatch": 1, "unverifiable": 0})

    def test_wrong_is_worse_than_unchecked(self):
        got = self.inspect(EMPTY + UNKNOWN + MISMATCH[59:], status=1)
        self.assertEqual(got["error"]["code"], "mismatch")
        self.assertEqual(got["verified"], {"ok": 1, "mismatch": 1, "unverifiable": 1})

    def test_the_first_error_is_kept(self):
        got = self.inspect(MISMATCH + b"\xa0", status=1)
        self.assertEqual((got["error"]["code"], got["error"]["offset"]), ("mismatch", 59))
        err = run("car", "verify", self.file(MISMATCH + b"\xa0"))[2]
        self.assertIn(b"at byte 136", err)

    def test_a_digest_of_20_bytes_verifies(self):
        cid = b"\x01\x55\x12\x14" + hashlib.sha256(b"x").digest()[:20]
        self.inspect(EMPTY + section(cid, b"x"))
        self.inspect(EMPTY + section(cid, b"y"), status=1)

    def test_empty_blocks(self):
        empty = hashlib.sha256(b"").digest()
        for cid in (b"\x01\x55\x12\x20" + empty, b"\x12\x20" + empty, b"\x01\x55\x00\x00"):
            self.assertEqual(self.inspect(EMPTY + section(cid, b""))["verified"]["ok"], 1)


class Faults(CarCase):
    def test_cuts(self):
        got, err = self.error(V1[:-1], "truncated", 97)
        self.assertIn("needs 38 bytes, 37 are there", got["error"]["message"])
        self.assertEqual((got["error"]["need"], got["error"]["have"]), (38, 37))
        self.assertEqual((got["blocks"], got["payload_bytes"]), (1, 1))
        err = run("car", "verify", self.file(V1[:-1]))[2].decode()
        self.assertIn(f"{D1} at byte 59", err.split("last good block")[1])
        self.error(V1[:110], "truncated", 97)
        self.error(EMPTY[:10], "truncated", 0)
        for tail in (b"\xa0", b"\x80", b"\x80\x80"):
            self.error(V1 + tail, "truncated", 136)

    def test_cuts_in_a_pipe(self):
        """A cut that is not between blocks is an error."""
        for length in {*range(1, len(V1), 9), 58, 59, 60, 96, 97, 98, 135}:
            status, _, _ = run("car", "verify", "-", stdin=V1[:length])
            self.assertEqual(status, 0 if length in (59, 97) else 1, length)

    def test_padding(self):
        for zeros in (1, 119):
            _, err = self.error(V1 + bytes(zeros), "section_empty", 136)
            self.assertIn("--allow-padding", err)
            got = self.inspect(V1 + bytes(zeros), "--allow-padding")
            self.assertEqual((got["padding_bytes"], got["blocks"]), (zeros, 2))
            self.assertIn(f"{zeros} ", self.ok("car", "--allow-padding", self.file(V1 + bytes(zeros))))
            self.assertEqual(len(self.objects("car", "list", "--allow-padding",
                                              self.file(V1 + bytes(zeros)))), 2)
        self.error(V1 + b"\0\1", "padding", 137, "--allow-padding")
        self.error(EMPTY + b"\0" + V1[59:97], "section_empty", 18)

    def test_limits(self):
        _, err = self.error(EMPTY + varint(1 << 33) + cid_bytes(b"a"), "section_limit", 18)
        self.assertIn("--max-section", err)
        self.assertIn("8388608", err)
        _, err = self.error(b"\x80\x80\x80\x80\x20\xa2", "header_limit", 0)
        self.assertIn("33554432", err)
        big = os.urandom(9 << 20)
        self.assertEqual(self.inspect(car(big), status=1)["error"]["code"], "section_limit")
        self.assertEqual(self.inspect(car(big), "--max-section=16M")["blocks"], 1)
        self.assertEqual(self.inspect(car(big), "--max-section", "9437220")["blocks"], 1)
        self.inspect(car(big), "--max-section", "9437219", status=1)
        self.error(V1, "header_limit", 0, "--max-header=57")
        self.inspect(V1, "--max-header=58")

    def test_malformed_sections(self):
        self.error(EMPTY + b"\xa5\x00" + V1[60:97], "varint_not_minimal", 18)
        self.error(EMPTY + varint(10) + cid_bytes(b"a")[:10], "section_short", 18)
        self.error(EMPTY + section(b"\x02\x55\x12\x20" + bytes(32), b"a"), "cid_reserved", 19)

    def test_malformed_headers(self):
        for data, code in (
                (b"\x00", "header_empty"),
                (b"\x08\xa1\x65roots\x80", "header_no_version"),
                (b"\x0a\xa1\x67version\x01", "header_no_roots"),
                (b"\x0a\xa1\x67version\x03", "car_version"),
                (b"\x12\xa2\x65roots\x81\x01\x67version\x01", "header_root")):
            path = self.file(data)
            got = self.objects("car", "verify", path, status=1)[0]
            self.assertEqual(got["error"]["code"], code, data)
            self.assertEqual((got["version"], got["roots"], got["blocks"]), (None, [], 0))
            self.assertNotEqual(self.bad("car", "verify", path), "")

    def test_an_unsupported_version_is_named(self):
        self.assertIn("CAR version 3 is not supported",
                      self.bad("car", "list", self.file(b"\x0a\xa1\x67version\x03")))

    def test_other_kinds_of_files(self):
        for data, kind in ((b'{"error":"x"}', "JSON"), (b"<!DOCTYPE html><html>", "HTML"),
                           (b"\x1f\x8b\x08\0\0\0", "gzip"), (b"\x28\xb5\x2f\xfd\0\0", "zstd"),
                           (b"\xff\xfe:\0\xa2\0e\0", "UTF-16")):
            for command in ("inspect", "list", "verify"):
                err = self.bad("car", command, self.file(data))
                self.assertIn(f"not a CAR; it looks like {kind}", err)
            self.assertIn(kind, self.objects("car", "inspect", self.file(data), status=1)[0][
                "error"]["message"])
        self.assertIn("empty", self.bad("car", self.file(b"")))
        self.assertIn("empty", self.bad("car", stdin=b""))

    def test_what_cannot_be_read(self):
        for command in ("inspect", "list", "verify"):
            self.assertIn("Is a directory", self.bad("car", command, self.folder.name, status=3))
            self.assertIn("No such file", self.bad("car", command, "/absent", status=3))
            got = self.objects("car", command, "/absent", status=3)[0]
            self.assertEqual((got["file"], got["ok"], got["error"]["code"]), ("/absent", False, "io"))

    def test_endless_input_ends(self):
        with open("/dev/zero", "rb", buffering=0) as zero:
            self.assertEqual(run("car", "-", stdin=zero)[0], 1)

    def test_names_cannot_act_on_a_terminal(self):
        path = self.file(MISMATCH, "\x1b[31m\n.car")
        for command in ("inspect", "verify"):
            _, out, err = run("car", command, path)
            self.assertNotIn(b"\x1b", out + err)
            self.assertIn(rb"\x1b[31m\n.car", err)
        self.assertEqual(self.objects("car", path, status=1)[0]["file"], path)


class List(CarCase):
    def test_json(self):
        want = [{"cid": D1, "offset": 59, "length": 38, "data_offset": 96, "data_length": 1,
                 "codec": "raw", "hash": "sha2-256"},
                {"cid": D2, "offset": 97, "length": 39, "data_offset": 134, "data_length": 2,
                 "codec": "raw", "hash": "sha2-256"}]
        self.assertEqual(self.objects("car", "list", self.file(V1)), want)
        for item in want:
            item["offset"] += 51
            item["data_offset"] += 51
        self.assertEqual(self.objects("car", "list", self.file(v2(V1))), want)
        self.assertEqual(self.objects("car", "list", stdin=v2(V1)), want)

    def test_columns(self):
        lines = self.ok("car", "list", self.file(V1)).splitlines()
        self.assertEqual([line.split() for line in lines], [
            ["OFFSET", "LENGTH", "DATA", "CODEC", "HASH", "CID"],
            ["59", "38", "1", "raw", "sha2-256", D1], ["97", "39", "2", "raw", "sha2-256", D2]])
        self.assertEqual({line.index(word) for line, word in zip(lines, ("CID", D1, D2))},
                         {lines[0].index("CID")})

    def test_quiet(self):
        path = self.file(V1)
        self.assertEqual(self.ok("car", "list", "-q", path), f"{D1}\n{D2}\n")
        self.assertEqual(self.ok("car", "list", "--quiet", path, path), f"{D1}\n{D2}\n" * 2)

    def test_several_files_have_titles(self):
        out = self.ok("car", "list", self.file(V1, "1.car"), self.file(V1, "2.car"))
        self.assertEqual([line.split("/")[-1] for line in out.splitlines() if "==>" in line],
                         ["1.car <==", "2.car <=="])

    def test_it_hashes_nothing(self):
        self.assertEqual(len(self.objects("car", "list", self.file(MISMATCH))), 2)

    def test_large_blocks_are_passed_over(self):
        data = header() + b"".join(
            section(b"\x01\x55\x12\x20" + bytes([i]) * 32, bytes(length))
            for i, length in enumerate((100_000, 5, 300_000, 69_000, 262_144, 1_000_000)))
        for end in (len(data), len(data) - 1, len(data) - 999_999, len(data) - 1_000_038, 400_100):
            for whole in (data[:end], v2(data)[:51 + end]):
                status = 0 if end == len(data) else 1
                got = self.objects("car", "list", self.file(whole), status=status)
                piped = self.objects("car", "list", stdin=whole, status=status)
                with open(self.file(b"12345" + whole), "rb") as file:
                    os.lseek(file.fileno(), 5, os.SEEK_SET)
                    inside = self.objects("car", "list", stdin=file, status=status)
                self.assertEqual(inside, piped)
                got[-1].pop("file", None)
                piped[-1].pop("file", None)
                self.assertEqual(got, piped)

    def test_a_large_file_is_not_read(self):
        start = varint(36 + (3 << 30)) + b"\x01\x55\x12\x20" + bytes(32)
        path = self.file(EMPTY + start)
        end = len(EMPTY) + len(start) + (3 << 30)
        with open(path, "r+b") as file:
            file.seek(end)
            file.write(V1[97:])
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        got = self.objects("car", "list", "--max-section=4G", path)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual([(item["offset"], item["data_length"]) for item in got],
                         [(len(EMPTY), 3 << 30), (end, 2)])
        # Reading 3 GiB takes longer than that, wherever they come from.
        self.assertLess(after.ru_stime - before.ru_stime, 0.1)

    def test_what_comes_before_a_cut_is_listed(self):
        got = self.objects("car", "list", self.file(V1[:-1]), status=1)
        self.assertEqual((got[0]["cid"], got[1]["ok"]), (D1, False))
        status, out, _ = run("car", "list", "-q", self.file(V1[:-1]))
        self.assertEqual((status, out.decode()), (1, D1 + "\n"))


class Output(CarCase):
    def test_full_disk_and_closed_pipe(self):
        path = self.file(V1)
        for command in ("inspect", "list", "verify"):
            with open("/dev/full", "wb") as full:
                self.assertEqual(run("car", command, path, stdout=full)[0], 3)
            read, write = os.pipe()
            os.close(read)
            status, _, err = run("car", command, path, stdout=write)
            os.close(write)
            self.assertEqual((status, err), (3, b""))

    def test_colours(self):
        for command in ("inspect", "verify"):
            self.assertIn(b"\x1b[32m", run_terminal("car", command, self.file(V1))[1])
            self.assertNotIn(b"\x1b", run("car", command, self.file(V1))[1])
        self.assertIn(b"\x1b[1;31m", run_terminal("car", "verify", self.file(MISMATCH))[1])


if __name__ == "__main__":
    support.main()
