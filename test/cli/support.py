"""What the tests of the program share: running it, on pipes and on a terminal, and small archives.

Each test file is a program: `python3 test_….py PROGRAM [unittest arguments]`.
"""

import base64
import fcntl
import hashlib
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = ""

C1 = "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
C1_HEX = "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"
Q0 = "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"
Q0_V1 = "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
D1 = "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm"
D2 = "bafkreia6bo6wy2dlubilr2yd77xnyzh5zhmasr745aq2xps5nxeneuwfvq"

# What the build has hash functions from.
PROVIDERS = os.environ.get("CID_TEST_PROVIDERS", "sodium gcrypt").split()

# Whatever the machine sets, the program sees this.
ENVIRONMENT = {name: os.environ[name] for name in ("LC_ALL", "LOCPATH") if name in os.environ}


def run(*args, stdin=b"", env=None, **options):
    """(status, stdout, stderr), the two as bytes. stdin is bytes or a file."""
    if isinstance(stdin, bytes):
        options["input"] = stdin
    else:
        options["stdin"] = stdin
    if "stdout" not in options:
        options["stdout"] = subprocess.PIPE
    options.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run([PROGRAM, *args], env={**ENVIRONMENT, **(env or {})}, check=False,
                          timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def run_terminal(*args, typed=None, env=None):
    """(status, all that the terminal shows). Input, output and errors are a terminal."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    child = subprocess.Popen([PROGRAM, *args], stdin=side, stdout=side, stderr=side,
                             env={**ENVIRONMENT, "TERM": "xterm", **(env or {})}, close_fds=True,
                             start_new_session=True)
    os.close(side)
    if typed is not None:
        os.write(main, typed)
    shown = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([main], [], [], 0.2)[0]:
            try:
                part = os.read(main, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            shown += part
    else:
        child.kill()
    os.close(main)
    return child.wait(timeout=30), shown


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def cid_bytes(data, codec=0x55):
    return b"\x01" + varint(codec) + b"\x12\x20" + hashlib.sha256(data).digest()


def base32(data):
    return "b" + base64.b32encode(data).decode().lower().rstrip("=")


def section(cid, data):
    return varint(len(cid) + len(data)) + cid + data


def header(*roots):
    links = b"".join(b"\xd8\x2a\x58" + bytes([len(root) + 1]) + b"\x00" + root for root in roots)
    body = b"\xa2\x65roots" + bytes([0x80 + len(roots)]) + links + b"\x67version\x01"
    return varint(len(body)) + body


def car(*blocks, roots=()):
    return header(*roots) + b"".join(section(cid_bytes(data), data) for data in blocks)


def v2(payload, index=b"", first=0, data=None, size=None, at=None, padding=0):
    """A CARv2; what the arguments do not say is as it should be."""
    data = 51 + padding if data is None else data
    size = len(payload) if size is None else size
    at = (51 + padding + len(payload) if index else 0) if at is None else at
    return (b"\x0a\xa1\x67version\x02" + bytes([first]) + bytes(15)
            + struct.pack("<QQQ", data, size, at) + bytes(padding) + payload + index)


def index_0401(*entries, code=0x12):
    """An index of one hash function; each entry is a digest and an offset in the payload."""
    rows = sorted(digest + struct.pack("<Q", offset) for digest, offset in entries)
    width = len(rows[0])
    return (b"\x81\x08" + struct.pack("<iQiIQ", 1, code, 1, width, width * len(rows))
            + b"".join(rows))


def sha256(data):
    return hashlib.sha256(data).digest()


# The archive V1: root "a", blocks "a" and "bc"; the second section starts at 97.
V1 = car(b"a", b"bc", roots=[cid_bytes(b"a")])
INDEX = index_0401((sha256(b"a"), 59), (sha256(b"bc"), 97))
V2I = v2(V1, INDEX)


class Case(unittest.TestCase):
    """Assertions about runs of the program."""

    maxDiff = None

    def ok(self, *args, status=0, **options):
        """Nothing on standard error; returns standard output as text."""
        got, out, err = run(*args, **options)
        self.assertEqual((got, err), (status, b""), (args, out))
        return out.decode()

    def objects(self, *args, status=0, **options):
        """The JSON objects; each is held to be one line, and plain UTF-8."""
        out = self.ok("--json", *args, status=status, **options)
        self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
        return [json.loads(line, object_pairs_hook=self.unique) for line in out.splitlines()]

    def unique(self, pairs):
        self.assertEqual(len(pairs), len({key for key, _ in pairs}), pairs)
        return dict(pairs)

    def bad(self, *args, status=1, **options):
        """Nothing on standard output; returns standard error as text."""
        got, out, err = run(*args, **options)
        self.assertEqual((got, out), (status, b""), (args, err))
        self.assertTrue(err.startswith(b"cid-inspect: "), err)
        return err.decode()

    def usage(self, *args, **options):
        err = self.bad(*args, status=2, **options)
        self.assertIn("--help", err) if "lists them" not in err else None
        return err


class FileCase(Case):
    """Has a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, data, name="x.car"):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data)
        return path


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    # The support module that the tests import is another one than __main__.
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[1:]])
