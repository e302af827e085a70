"""Options, help, and how the program ends when it is called wrongly."""

import os
import re

import support
from support import C1, Case

COMMANDS = [("inspect",), ("convert",), ("format",), ("hash",), ("bases",), ("codecs",),
            ("hashes",), ("car", "inspect"), ("car", "list"), ("car", "verify"),
            ("car", "get"), ("car", "roots"), ("car", "index"), ("car", "index-list"),
            ("car", "wrap"), ("car", "unwrap"), ("car", "filter"), ("car", "concat"),
            ("car", "create"), ("cache", "list"), ("cache", "clear"),
            ("car", "graph"), ("car", "tree"), ("block",), ("links",)]
MAN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/man/cid-inspect.1")


class Help(Case):
    def test_of_every_command(self):
        for command in COMMANDS:
            text = self.ok(*command, "--help")
            self.assertTrue(text.startswith(f"Usage: cid-inspect {' '.join(command)} "), command)
            for option in ("--json", "--color=WHEN", "-h, --help", "--version"):
                self.assertIn(option, text)
            self.assertEqual(self.ok("help", *command), text)
            self.assertEqual(self.ok(*command, "-h"), text)
            self.assertEqual(self.ok("--help", *command), text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 95)

    def test_of_all(self):
        text = self.ok("--help")
        self.assertEqual(self.ok("help"), text)
        for command in COMMANDS:
            self.assertIn("\n  " + " ".join(command) + " ", text)
        for status in "01234":
            self.assertIn(status, text.split("Exit status")[1])
        self.assertIn("car verify", self.ok("help", "car"))
        self.assertEqual(self.ok("car", "--help"), self.ok("help", "car"))

    def test_it_agrees_with_the_manual_page(self):
        helped = set()
        for command in COMMANDS:
            text = self.ok(*command, "--help")
            self.assertNotRegex(text, r"(?m) $")
            helped |= set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text.split("\nOptions:\n")[1]))
        with open(MAN, encoding="utf-8") as file:
            page = file.read()
        entries = "\n".join(re.findall(r"(?m)^\.It (Fl .*)$", page))
        described = ["-" + name for name in re.findall(r"(?:Fl|,) (-?[a-z][a-z-]*)", entries)]
        self.assertEqual(sorted(described), sorted(helped))

    def test_of_what_is_not_there(self):
        self.usage("help", "nonsense")
        self.usage("help", "car", "nonsense")

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"\Acid-inspect \d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.ok("car", "list", "--version"), self.ok("--version"))


class Options(Case):
    def test_may_stand_anywhere(self):
        want = self.objects("inspect", C1)
        for args in (["--json", C1], [C1, "--json"], ["--json", "inspect", C1],
                     ["inspect", "--json", "--", C1], ["--color", "never", "inspect", "--json", C1],
                     ["--color=always", "--json", "inspect", C1]):
            self.assertEqual(self.ok(*args), self.ok("--json", C1))
        self.assertEqual(len(want), 1)

    def test_two_dashes_end_them(self):
        for args in (["--", "--json"], ["--", "-"], ["--", "inspect"], ["inspect", "--", "-h"]):
            if args[1:] == ["-"]:
                continue  # still standard input
            self.assertIn("not a CID", self.bad(*args))
        self.assertEqual(self.ok("convert", "--", C1), C1 + "\n")

    def test_short_forms(self):
        self.assertEqual(self.ok("convert", "-bbase32", "-v1", C1), C1 + "\n")
        self.assertEqual(self.ok("convert", "-b", "base16", "-b", "base32", C1), C1 + "\n")

    def test_that_are_wrong(self):
        for args in (["--nonsense"], ["-x"], ["--json=1", C1], ["--color=sometimes", C1],
                     ["--color"], ["convert", "-b"], ["convert", "--base"], ["-hx", "convert"],
                     ["inspect", "-b", "base32", C1], ["car", "list", "--nonsense"],
                     ["--jso", C1], ["-qx"]):
            self.usage(*args)

    def test_that_are_hostile(self):
        err = self.bad(b"--\x1b[31m\xff", status=2)
        self.assertIn(r"--\x1b[31m\xff", err)

    def test_sizes(self):
        for size in ("", "0", "-1", "1X", "1KB", "x", "99999999999999999999", "9223372036854775807T",
                     "1 K", "0x10", "1.5M"):
            self.assertIn("size", self.usage("car", "list", "--max-section", size, "/dev/null"))

    def test_wrong_usage_comes_before_any_work(self):
        self.usage(C1, "--nonsense")
        self.usage("hash", "/dev/null", "--hash", "nonsense")


if __name__ == "__main__":
    support.main()
