"""cid-inspect car get, and the indexes that it keeps."""

import glob
import json
import os
import subprocess
import time

import support
from support import (D1, D2, INDEX, V1, V2I, FileCase, car, cid_bytes, header, base32, index_0401,
                     run, run_terminal, section, sha256, v2, varint)

EMPTY = header()
UNKNOWN = section(b"\x01\x55" + varint(0x300002) + b"\x20" + bytes(32), b"x")
UNKNOWN_CID = base32(b"\x01\x55" + varint(0x300002) + b"\x20" + bytes(32))
MISMATCH = V1[:96] + b"b" + V1[97:]


class CacheCase(FileCase):
    def setUp(self):
        super().setUp()
        self.home = os.path.join(self.folder.name, "cache")
        self.env = {"XDG_CACHE_HOME": self.home}

    def get(self, *args, status=0, **options):
        got, out, err = run("car", "get", *args, env=self.env, **options)
        self.assertEqual(got, status, (args, out, err))
        self.assertEqual(err == b"", status == 0, err)
        return out

    def entries(self):
        return sorted(glob.glob(self.home + "/cid-inspect/*"))

    def listed(self):
        status, out, err = run("--json", "cache", "list", env=self.env)
        self.assertEqual((status, err), (0, b""))
        return [json.loads(line) for line in out.splitlines()]


class Get(CacheCase):
    def test_blocks(self):
        for data in (V1, v2(V1), V2I, v2(V1, INDEX, padding=7), v2(V1, b"\x82\x08")):
            path = self.file(data)
            self.assertEqual(self.get(path, D1), b"a")
            self.assertEqual(self.get(path, D2, D1, D2), b"bcabc")
            self.assertEqual(self.get(path, stdin=f"{D2}\n {D1}\r\n".encode()), b"bca")
            self.assertEqual(self.get(path, D1, "-", stdin=D2.encode()), b"abc")
            with open(path, "rb") as file:
                self.assertEqual(self.get("-", D1, stdin=file), b"a")

    def test_large_and_empty_blocks(self):
        big = os.urandom(1 << 20)
        path = self.file(car(b"", big, b"a"))
        self.assertEqual(self.get(path, base32(cid_bytes(big)), D1, base32(cid_bytes(b""))),
                         big + b"a")

    def test_identity_needs_no_archive(self):
        self.assertEqual(self.get(self.file(V1), "bafkqaatine"), b"hi")

    def test_what_is_not_there(self):
        path = self.file(V1)
        status, out, err = run("car", "get", path, support.C1, D1, "notacid", D2, env=self.env)
        self.assertEqual((status, out), (1, b"abc"))
        self.assertIn(b"there is no such block", err)
        self.assertIn(b"not a CID", err)
        one = v2(V1, index_0401((sha256(b"a"), 59)))
        self.assertEqual(self.get(self.file(one), D2, status=1), b"")
        self.assertEqual(self.get(self.file(one), D2, "--ignore-index"), b"bc")

    def test_codec_and_version(self):
        other = base32(cid_bytes(b"a", 0x71))
        path = self.file(V1)
        self.assertEqual(self.get(path, other, status=1), b"")
        self.assertEqual(self.get(path, other, "--any-codec"), b"a")

    def test_nothing_unverified(self):
        for data in (MISMATCH, v2(MISMATCH, INDEX)):
            path = self.file(data)
            self.assertEqual(self.get(path, D1, D2, status=1), b"bc")
            self.assertEqual(self.get(path, D1, "--no-verify"), b"b")
        path = self.file(EMPTY + UNKNOWN)
        self.assertEqual(self.get(path, UNKNOWN_CID, status=4), b"")
        self.assertEqual(self.get(path, UNKNOWN_CID, "--no-verify"), b"x")

    def test_an_index_that_is_wrong(self):
        for entries in ([(sha256(b"a"), 97), (sha256(b"bc"), 97)],
                        [(sha256(b"a"), 60), (sha256(b"bc"), 97)],
                        [(sha256(b"a"), 1 << 63), (sha256(b"bc"), 97)]):
            path = self.file(v2(V1, index_0401(*entries)))
            self.assertEqual(self.get(path, D1, D2, status=1), b"bc")
            self.assertEqual(self.get(path, D1, D2, "--ignore-index"), b"abc")

    def test_a_file(self):
        out = os.path.join(self.folder.name, "out")
        self.assertEqual(self.get(self.file(V1), D2, D1, "-o", out), b"")
        with open(out, "rb") as file:
            self.assertEqual(file.read(), b"bca")
        self.get(self.file(V1), D2, support.C1, "-o", out, status=1)
        with open(out, "rb") as file:
            self.assertEqual(file.read(), b"bca")

    def test_json(self):
        out = os.path.join(self.folder.name, "out")
        got = self.objects("car", "get", "--no-cache", self.file(V1), D1, support.C1, "x", "-o",
                           out, status=1)
        self.assertEqual(got[0], {"input": D1, "ok": True, "cid": D1, "offset": 59,
                                  "data_length": 1, "verified": True})
        self.assertEqual([item["ok"] for item in got], [True, False, False])
        self.assertEqual(got[1]["error"]["code"], "not_found")
        self.assertFalse(os.path.exists(out))
        self.usage("--json", "car", "get", self.file(V1), D1, "-o", "-")

    def test_what_cannot_be_read(self):
        self.assertIn("pipe", self.bad("car", "get", "-", D1, stdin=V1, status=3))
        self.assertIn("No such", self.bad("car", "get", "/absent", D1, status=3))
        self.assertIn("directory", self.bad("car", "get", "/", D1, status=3))
        self.assertIn("JSON", self.bad("car", "get", self.file(b'{"a":1}'), D1))
        self.usage("car", "get")
        self.usage("car", "get", "-")

    def test_a_terminal_gets_text_only(self):
        data = b"\x1b[31m"
        path = self.file(car(data, b"line one\n\tline two\n"))
        status, shown = run_terminal("car", "get", "--no-cache", path, base32(cid_bytes(data)))
        self.assertEqual(status, 3)
        self.assertNotIn(data, shown)
        status, shown = run_terminal("car", "get", "--no-cache", path,
                                     base32(cid_bytes(b"line one\n\tline two\n")))
        self.assertEqual((status, shown.split(b"\r\n")[0]), (0, b"line one"))
        status, shown = run_terminal("car", "get", "--no-cache", path, base32(cid_bytes(data)),
                                     "-o", "-")
        self.assertEqual((status, shown), (0, data))


class Cache(CacheCase):
    def test_an_index_is_kept(self):
        path = self.file(V1)
        self.assertEqual(self.get(path, D1), b"a")
        self.assertEqual(len(self.entries()), 1)
        kept = self.listed()
        self.assertEqual(kept[0]["archive"], os.path.realpath(path))
        self.assertEqual(kept[0]["size"], 4096 + len(INDEX))
        before = os.stat(self.entries()[0]).st_ino
        self.assertEqual(self.get(path, D2), b"bc")
        self.get(path, support.C1, status=1)
        self.assertEqual(os.stat(self.entries()[0]).st_ino, before)  # it was not made again
        self.assertEqual(os.stat(self.home + "/cid-inspect").st_mode & 0o777, 0o700)

    def test_it_is_used(self):
        """The archive is read no more than the block takes."""
        path = self.file(car(*(os.urandom(5000) for _ in range(2000)), b"a"))
        self.get(path, D1)
        entry = self.entries()[0]
        with open(path, "r+b") as file:  # broken in the middle, with the same size and time
            stat = os.stat(path)
            file.seek(5000000)
            file.write(b"\xff" * 100)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        self.assertEqual(self.get(path, D1), b"a")
        self.assertEqual(self.entries(), [entry])

    def test_an_archive_with_an_index_needs_none(self):
        self.get(self.file(V2I), D1)
        self.assertEqual(self.entries(), [])
        self.get(self.file(V1), D1, "--no-cache")
        self.assertEqual(self.entries(), [])

    def test_an_archive_that_changes(self):
        path = self.file(V1)
        self.get(path, D1)
        self.file(car(b"xy", roots=[cid_bytes(b"a")]) + bytes(0))
        self.assertEqual(self.get(path, base32(cid_bytes(b"xy"))), b"xy")
        self.get(path, D1, status=1)
        self.assertEqual(len(self.entries()), 2)

    def test_an_archive_that_changes_unseen(self):
        """Same inode, size and time: what the entry says is held against the archive."""
        path = self.file(car(b"a", b"bc"))
        stat = os.stat(path)
        self.get(path, D1)
        for data in (car(b"bc", b"a"), car(b"bd", b"a"), car(b"bc", b"a")):
            with open(path, "r+b") as file:
                file.write(data)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            self.assertEqual(self.get(path, D1), b"a")
        self.assertEqual(self.get(path, D2), b"bc")

    def test_corrupted_entries(self):
        blocks = [bytes([i]) * (i + 1) for i in range(8)]
        path = self.file(car(*blocks))
        cids = [base32(cid_bytes(data)) for data in blocks]
        self.get(path, cids[0])
        entry = self.entries()[0]
        with open(entry, "rb") as file:
            good = file.read()
        places = [0, 30, 100, 150, 4095, 4096, 4098, 4100, 4103, 4112, 4116, *range(4126, len(good), 23)]
        damaged = [good[:at] + bytes([good[at] ^ 0xff]) + good[at + 1:] for at in places]
        damaged += [b"", good[:4096], good[:-1], good + b"\0", good[:4096] + bytes(len(good) - 4096),
                    bytes(len(good)), os.urandom(len(good))]
        for data in damaged:
            with open(entry, "wb") as file:
                file.write(data)
            self.assertEqual(self.get(path, *cids), b"".join(blocks))
            with open(entry, "wb") as file:
                file.write(data)
            self.get(path, D2, status=1)

    def test_no_cache_can_be_written(self):
        path = self.file(V1)
        for home in ("/dev/null", "/proc", "relative", path):
            self.env = {"XDG_CACHE_HOME": home}
            self.assertEqual(self.get(path, D1, D2), b"abc")
        self.env = {}
        self.assertEqual(self.get(path, D1), b"a")
        self.env = {"HOME": self.home}
        self.assertEqual(self.get(path, D1), b"a")
        self.assertFalse(os.path.exists(self.home))
        os.mkdir(self.home)
        self.get(path, D1)
        self.assertEqual(os.listdir(self.home), [".cache"])
        self.assertEqual(run("cache", "list")[:2], (0, b""))

    def test_an_entry_that_is_something_else(self):
        path = self.file(V1)
        self.get(path, D1)
        entry = self.entries()[0]
        os.unlink(entry)
        os.mkfifo(entry)
        self.assertEqual(self.get(path, D1), b"a")
        os.unlink(entry)
        os.mkdir(entry)
        self.assertEqual(self.get(path, D1), b"a")

    def test_list_and_clear(self):
        for command in (["list"], ["clear"], []):
            self.assertEqual(run("cache", *command, env=self.env), (0, b"", b""))
        one, two = self.file(V1, "1\n.car"), self.file(V1, "2.car")
        self.get(one, D1)
        self.get(two, D1)
        out = run("cache", "list", env=self.env)[1].decode()
        self.assertEqual(len(out.splitlines()), 2)
        self.assertIn(os.path.realpath(two), out)
        with open(self.home + "/cid-inspect/other", "wb"):
            pass
        with open(self.home + "/cid-inspect/x.idx.7-0.part", "wb"):
            pass
        self.assertEqual(run("cache", "clear", env=self.env), (0, b"", b""))
        self.assertEqual([os.path.basename(name) for name in self.entries()], ["other"])
        self.usage("cache", "nonsense")
        self.usage("cache", "clear", "x")

    def test_the_oldest_go_first(self):
        folder = self.home + "/cid-inspect"
        os.makedirs(folder)
        now = time.time()
        for i in range(5):
            with open(f"{folder}/{i}.idx", "wb") as file:
                file.truncate(300 << 20)
            os.utime(f"{folder}/{i}.idx", (now, now - 1000 + (i * 7 % 5)))  # 0, 3, 1, 4, 2
        with open(folder + "/killed.part", "wb"):
            pass
        os.utime(folder + "/killed.part", (now, now - 7200))
        with open(folder + "/running.part", "wb"):
            pass
        self.get(self.file(V1), D1)
        left = [os.path.basename(name) for name in self.entries()]
        self.assertEqual(left[:4], ["1.idx", "2.idx", "4.idx", left[3]])
        self.assertEqual(left[4:], ["running.part"])

    def test_a_large_index_is_told(self):
        count = (16 << 20) // 40 + 200
        data = b"".join(section(b"\x01\x55\x12\x20" + i.to_bytes(32, "big"), b"") for i in range(count))
        path = self.file(EMPTY + data + section(cid_bytes(b"a"), b"a"))
        status, out, err = run("car", "get", path, D1, env=self.env)
        self.assertEqual((status, out), (0, b"a"))
        self.assertRegex(err.decode(), r"an index of 16 MiB is kept in .*cache clear")
        self.assertEqual(self.get(path, D1), b"a")

    def test_concurrent_runs(self):
        blocks = [os.urandom(100) for _ in range(3000)]
        path = self.file(car(*blocks))
        for _ in range(3):
            runs = [subprocess.Popen([support.PROGRAM, "car", "get", path,
                                      base32(cid_bytes(blocks[i]))],
                                     env={**support.ENVIRONMENT, **self.env},
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    for i in range(0, 3000, 300)]
            if _ == 1:
                run("cache", "clear", env=self.env)
            for i, child in zip(range(0, 3000, 300), runs):
                self.assertEqual((*child.communicate(timeout=60), child.returncode),
                                 (blocks[i], b"", 0))
        self.assertFalse([name for name in self.entries() if name.endswith(".part")])


if __name__ == "__main__":
    support.main()
