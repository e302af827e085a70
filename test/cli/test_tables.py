"""cid-inspect bases, codecs and hashes."""

import support
from support import Case


class Tables(Case):
    def columns(self, *args):
        """The lines, split; every line is held to start its columns where the first one does."""
        lines = self.ok(*args).splitlines()
        starts = [lines[0].index(word) for word in lines[0].split()]
        self.assertEqual([word.upper() for word in lines[0].split()], lines[0].split())
        for line in lines[1:]:
            self.assertEqual(line, line.rstrip())
            self.assertNotEqual(line[starts[1]], " ")
            self.assertEqual(line[starts[1] - 1], " ")
        return [line.split() for line in lines[1:]]

    def test_bases(self):
        got = self.columns("bases")
        self.assertEqual(len(got), 25)
        self.assertIn(["base58btc", "0x7a", "final", "z"], got)
        self.assertIn(["base256emoji", "0x1f680", "experimental", "🚀"], got)
        objects = self.objects("bases")
        self.assertEqual([item["name"] for item in objects], [row[0] for row in got])
        self.assertIn({"name": "base32", "prefix": "b", "code": 98, "hex": "0x62",
                       "status": "final", "case_insensitive": True}, objects)

    def test_codecs(self):
        got = self.columns("codecs")
        self.assertGreater(len(got), 600)
        self.assertIn(["dag-cbor", "0x71", "ipld", "permanent"], got)
        objects = self.objects("codecs")
        self.assertEqual([item["name"] for item in objects], [row[0] for row in got])
        self.assertIn({"name": "raw", "code": 85, "hex": "0x55", "tag": "ipld",
                       "status": "permanent"}, objects)
        ipld = self.objects("codecs", "--tag", "ipld")
        self.assertEqual(ipld, [item for item in objects if item["tag"] == "ipld"])
        self.assertGreater(len(ipld), 20)
        self.assertEqual(len(self.columns("codecs", "--tag=ipld")), len(ipld))
        self.usage("codecs", "--tag", "nonsense")

    def test_hashes(self):
        got = self.columns("hashes")
        self.assertIn(["sha2-256", "0x12", "32", "32", "32", "yes"], got)
        sha1 = "yes" if "gcrypt" in support.PROVIDERS else "no"
        self.assertIn(["sha1", "0x11", "20", "20", "20", sha1], got)
        self.assertIn(["ripemd-256", "0x1054", "32", "32", "32", "no"], got)
        self.assertIn(["blake2b-256", "0xb220", "32", "32", "32", "yes"], got)
        objects = {item["name"]: item for item in self.objects("hashes")}
        self.assertEqual(len(objects), len(got))
        self.assertEqual(objects["blake2b-512"], {
            "name": "blake2b-512", "code": 0xb240, "hex": "0xb240", "min": 64, "max": 64,
            "default": 64, "available": True, "cryptographic": True})
        self.assertEqual((objects["blake3"]["max"], objects["blake3"]["default"]), (None, 32))
        self.assertFalse(objects["murmur3-x64-64"]["cryptographic"])
        absent = ["ripemd-128", "ripemd-256", "ripemd-320"]
        if "gcrypt" not in support.PROVIDERS:
            absent += ["sha1", "sha2-384", "md5", "sha2-512-224", "sha2-512-256", "ripemd-160",
                       "sm3-256"]
            if "sodium" not in support.PROVIDERS:
                absent += ["sha2-512"]
        self.assertEqual(sorted(name for name in objects if not objects[name]["available"]),
                         sorted(absent))

    def test_they_take_no_arguments(self):
        for command in ("bases", "codecs", "hashes"):
            self.usage(command, "x")


if __name__ == "__main__":
    support.main()
