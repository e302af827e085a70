"""cid-inspect hash."""

import hashlib
import os
import unittest

import support
from support import FileCase, base32, cid_bytes, run


class Hash(FileCase):
    def test_equals_sha256sum(self):
        for data in (b"", b"hello world\n", os.urandom(300000)):
            path = self.file(data)
            self.assertEqual(self.ok("hash", path), f"{base32(cid_bytes(data))}  {path}\n")
            self.assertEqual(self.ok("hash", "-q", path), base32(cid_bytes(data)) + "\n")
            self.assertEqual(self.ok("hash", "-", stdin=data), base32(cid_bytes(data)) + "  -\n")
            self.assertEqual(self.ok("hash", "-q", stdin=data), base32(cid_bytes(data)) + "\n")

    def test_codec_hash_and_base(self):
        path = self.file(b"abc")
        want = b"\x01\x71\x14\x40" + hashlib.sha3_512(b"abc").digest()
        self.assertEqual(
            self.ok("hash", "-q", "--codec=dag-cbor", "--hash", "sha3-512", "-b", "f", path),
            "f" + want.hex() + "\n")
        if support.PROVIDERS:
            self.assertEqual(self.ok("hash", "-q", "--hash", "sha2-512", "-b", "f", path),
                             "f01551340" + hashlib.sha512(b"abc").hexdigest() + "\n")
        if "gcrypt" in support.PROVIDERS:
            self.assertEqual(self.ok("hash", "-q", "--hash", "md5", "-b", "f", path),
                             "f0155d50110" + hashlib.md5(b"abc").hexdigest() + "\n")
        self.usage("hash", "--hash", "ripemd-256", path)
        blake = b"\x01\x55\xa0\xe4\x02\x20" + hashlib.blake2b(b"abc", digest_size=32).digest()
        self.assertEqual(self.ok("hash", "-q", "--hash", "0xb220", path), base32(blake) + "\n")
        self.assertEqual(self.ok("hash", "-q", "--hash=identity", path),
                         base32(b"\x01\x55\x00\x03abc") + "\n")

    def test_what_cannot_be_read(self):
        good = self.file(b"a")
        for bad, reason in ((os.path.join(self.folder.name, "absent"), "No such file"),
                            (self.folder.name, "directory")):
            status, out, err = run("hash", bad, good)
            self.assertEqual(status, 3)
            self.assertEqual(out.decode(), f"{base32(cid_bytes(b'a'))}  {good}\n")
            self.assertIn(reason, err.decode())
            got = self.objects("hash", bad, good, status=3)
            self.assertEqual([(item["file"], item["ok"]) for item in got],
                             [(bad, False), (good, True)])
            self.assertEqual(got[0]["error"]["code"], "io")
            self.assertIn(reason, got[0]["error"]["message"])

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_no_permission(self):
        path = self.file(b"a")
        os.chmod(path, 0)
        self.assertIn("Permission denied", self.bad("hash", path, status=3))

    def test_names_cannot_act_on_a_terminal(self):
        path = self.file(b"a", "x\x1b[31m\n\u202e.car")
        out = self.ok("hash", path)
        self.assertEqual(out.count("\n"), 1)
        self.assertIn(r"x\x1b[31m\n\u{202e}.car", out)
        self.assertEqual(self.objects("hash", path)[0]["file"], path)
        err = self.bad("hash", path + "\x07", status=3)
        self.assertIn(r"\a: No such file", err)

    def test_wrong_usage(self):
        path = self.file(b"a")
        for args in (["--hash", "nonsense"], ["--codec", "nonsense"],
                     ["-b", "nonsense"], ["--hash"]):
            self.usage("hash", path, *args)


if __name__ == "__main__":
    support.main()
