"""Runs cid-inspect over the rows of cid-format.tsv, cid-inspect.tsv, cid-lists.tsv, cars.tsv,
car-inspect.jsonl and car-inline.tsv.

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
import tempfile
from collections import defaultdict

FORMAT_OPTIONS = (("format", "-f"), ("v", "-v"), ("base", "-b"), ("codec", "--codec"))


class Rows:
    """The rows of a file, and how they fared."""

    def __init__(self, folder, name):
        self.name = name
        self.folder = folder
        self.ran = 0
        self.failures = []
        self.rows = []
        with open(os.path.join(folder, name), encoding="utf-8", newline="\n") as file:
            columns = None
            for line in file.read().split("\n"):
                if line.startswith("# ") or not line:
                    continue
                if name.endswith(".jsonl"):
                    self.rows.append(json.loads(line))
                    continue
                cells = line.split("\t")
                if line.startswith("#"):
                    columns = [cells[0][1:]] + cells[1:]
                    continue
                assert len(cells) == len(columns), line
                self.rows.append(dict(zip(columns, cells)))

    def check(self, row, what, got, expected):
        if got != expected:
            row_name = row.get("id") or row.get("file") or f"{row['list']} {row['name']}"
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


# ---- cars.tsv and car-inspect.jsonl ----------------------------------------------------------

INDEX_CODECS = ("0x400", "0x401")
PROVIDERS = os.environ.get("CID_TEST_PROVIDERS", "sodium gcrypt").split()
# The only function in these archives that a build may lack.
ABSENT = () if PROVIDERS else ("sha2-512",)


def check_cars(program, rows):
    for row in rows.rows:
        rows.ran += 1
        path = os.path.join(rows.folder, "cars", row["file"])
        status, results = json_lines(program, "car", "verify", path)
        got = results[0]
        # An index of another kind leaves something that cannot be checked.
        known = row["index_codec"] in ("-", *INDEX_CODECS)
        absent = sum(got["hashes"].get(name, 0) for name in ABSENT)
        expected = 1 if row["expect"] == "invalid" else 0 if known and not absent else 4
        rows.check(row, "status", status, expected)
        rows.check(row, "ok", got["ok"], expected == 0)
        rows.check(row, "size", got["size"], int(row["size"]))
        rows.check(row, "error", got["error"] is None, expected == 0)
        rows.check(row, "mismatches", got["verified"]["mismatch"], 0)
        rows.check(row, "blocks", got["verified"]["ok"], int(row["blocks"]) - absent)
        rows.check(row, "unverifiable", got["verified"]["unverifiable"], absent)
        rows.check(row, "data", got["payload_bytes"], int(row["payload"]))
        rows.check(row, "duplicates", got["blocks"] - got["unique_blocks"], int(row["duplicates"]))
        if row["version"] == "-":
            continue
        roots = [] if row["roots"] == "none" else row["roots"].split(" ")
        rows.check(row, "version", got["version"], int(row["version"]))
        rows.check(row, "roots", got["roots"], roots)
        rows.check(row, "roots_present", got["roots_present"], row["roots_missing"] == "0")
        for column in ("data_offset", "data_size", "index_offset"):
            if row[column] != "-":
                rows.check(row, column, got["v2"][column], int(row[column]))


# ---- archives written, and their indexes -----------------------------------------------------


def output(program, *args):
    """(status, what the command writes to standard output)."""
    done = subprocess.run([program, "car", *args], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def check_written(program, rows):
    """Every good archive is made a CARv2 with an index and taken out of it again."""
    with tempfile.TemporaryDirectory() as folder:
        wrapped, out = os.path.join(folder, "wrapped"), os.path.join(folder, "out")
        for row in rows.rows:
            rows.ran += 1
            path = os.path.join(rows.folder, "cars", row["file"])
            status, _ = output(program, "wrap", path, "-o", wrapped)
            rows.check(row, "wrap", status, 0 if row["expect"] == "valid" else 1)
            if status != 0:
                rows.check(row, "nothing written", os.listdir(folder), [])
                continue
            rows.check(row, "unwrap", output(program, "unwrap", wrapped, "-o", out)[0], 0)
            with open(path, "rb") as file:
                data = file.read()
            if row["version"] == "2":
                start = int(row["data_offset"])
                data = data[start:start + int(row["data_size"])]
            with open(out, "rb") as file:
                rows.check(row, "the first archive again", file.read() == data, True)
            got = json_lines(program, "car", "verify", wrapped)[1][0]
            rows.check(row, "verify", (got["ok"], got["verdict"]), (True, "good"))
            os.unlink(wrapped)
            os.unlink(out)


def check_inline(program, rows):
    """The exit status of car verify, and of car inspect, on the small archives."""
    expected = {"valid": (0,), "invalid": (1,), "bad-index": (1,)}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.car")
        for row in rows.rows:
            rows.ran += 1
            with open(path, "wb") as file:
                file.write(b"" if row["hex"] == "." else bytes.fromhex(row["hex"]))
            status, results = json_lines(program, "car", "verify", path)
            rows.check(row, "one object", len(results), 1)
            rows.check(row, "ok", results[0]["ok"], status == 0)
            if row["expect"] == "bad-index":
                rows.check(row, "index", results[0]["index"]["state"], "bad")
            if row["expect"] in expected:
                rows.check(row, "status", status in expected[row["expect"]], True)


def check_indexes(program, folder):
    """The index of go-car's sample comes out byte for byte as it is there."""
    status, made = output(program, "index", os.path.join(folder, "cars", "go-car--sample-v1.car"))
    with open(os.path.join(folder, "car-index", "sample-multihash-index-sorted.carindex"),
              "rb") as file:
        good = (status, made) == (0, file.read())
    print(f"car-index: the index of the sample is {'the same' if good else 'ANOTHER ONE'}")
    return good


def numbers(program):
    """The number of each codec and hash function, by name."""
    return {item["name"]: item["hex"] for item in json_lines(program, "codecs")[1]}


def check_car_inspect(program, rows):
    number_of = numbers(program)
    for row in rows.rows:
        rows.ran += 1
        path = os.path.join(rows.folder, "cars", row["file"])
        got = json_lines(program, "car", path)[1][0]
        for key, ours in (("version", got["version"]), ("roots", got["roots"]),
                          ("blocks", got["blocks"]), ("payload", got["payload_bytes"]),
                          ("min_block", got["block_bytes"]["min"]),
                          ("avg_block", got["block_bytes"]["mean"]),
                          ("max_block", got["block_bytes"]["max"])):
            if key in row:
                rows.check(row, key, ours, row[key])
        if "inspect_blocks" not in row:
            continue  # that program could not read the archive to its end
        for key, ours in (("codecs", got["codecs"]), ("mhs", got["hashes"])):
            rows.check(row, key, {number_of[name]: count for name, count in ours.items()}, row[key])
        # An identity root holds its own block: it counts as present here.
        present = row["roots_present"] or row["roots"] == ["bafkqaaa"]
        rows.check(row, "roots_present", got["roots_present"], present)
        if row["version"] == 2:
            codec = got["v2"]["index_codec"] or "0x0"
            rows.check(row, "index_codec", int(codec, 16), int(row["index_codec"], 16))
            rows.check(row, "fully_indexed", got["v2"]["fully_indexed"], row["fully_indexed"])


def main():
    folder = os.environ.get("CID_VECTORS", "")
    require = os.environ.get("CID_REQUIRE_VECTORS") == "1"
    if not folder or not os.path.isdir(folder):
        print("FAILED: the conformance data is missing" if require or folder else "SKIPPED: no data")
        return 1 if require or folder else 77
    good = True
    for name, check in (("cid-format.tsv", check_format), ("cid-inspect.tsv", check_inspect),
                        ("cid-lists.tsv", check_lists), ("cars.tsv", check_cars),
                        ("car-inspect.jsonl", check_car_inspect), ("cars.tsv", check_written),
                        ("car-inline.tsv", check_inline)):
        rows = Rows(folder, name)
        if rows.rows:
            check(sys.argv[1], rows)
        good = rows.finish() and good
    good = check_indexes(sys.argv[1], folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
