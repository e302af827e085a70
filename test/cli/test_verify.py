"""Verifying with several threads, progress on a terminal, and how much memory it takes.

With CID_TEST_SLOW in the environment only what takes long: a million blocks, and 4 GiB of them.
"""

import hashlib
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import support
from support import FileCase, V1, car, cid_bytes, header, run, section

SLOW = "CID_TEST_SLOW" in os.environ
MIB = 1 << 20


@unittest.skipIf(SLOW, "the quick ones are for another run")
class Jobs(FileCase):
    def test_every_number_says_the_same(self):
        blocks = [bytes([i % 251]) * (i * 37 % 5000) for i in range(2000)]
        whole = bytearray(car(*blocks, roots=[cid_bytes(blocks[0])]))
        for spoil in (None, 100, len(whole) // 2, len(whole) - 1):
            data = bytearray(whole)
            if spoil is not None:
                data[spoil] ^= 1
            path = self.file(bytes(data))
            expected = run("car", "verify", "-j", "1", path)
            self.assertEqual(expected[0] == 0, spoil is None)
            for jobs in ("2", "3", "8"):
                self.assertEqual(run("car", "verify", "--jobs", jobs, path), expected)
            shown = run("--json", "car", "inspect", "-j1", path)
            self.assertEqual(run("--json", "car", "inspect", "-j5", path), shown)

    def test_a_pipe_too(self):
        self.assertEqual(self.ok("car", "verify", "-j4", "-", stdin=V1),
                         "-: ok, CARv1, 2 blocks, 136 bytes\n")

    def test_numbers_that_are_none(self):
        for wrong in ("0", "65", "-1", "x", "", "2x", "99999999999999999999"):
            self.assertIn("--jobs", self.usage("car", "verify", "--jobs=" + wrong, "x.car"))


class Slowly:
    """A terminal with the program on it, whose input comes slowly through a pipe."""

    def __init__(self, *args, term="xterm"):
        self.main, side = pty.openpty()
        self.child = subprocess.Popen([support.PROGRAM, *args], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=side,
                                      env={**support.ENVIRONMENT, "TERM": term},
                                      start_new_session=True)
        os.close(side)
        self.shown = b""

    def look(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and select.select([self.main], [], [], 0.05)[0]:
            try:
                self.shown += os.read(self.main, 65536)
            except OSError:
                return

    def feed(self, data, until):
        """Hands data on again and again until something is shown."""
        deadline = time.monotonic() + 30
        while until not in self.shown and time.monotonic() < deadline:
            self.child.stdin.write(data)
            self.child.stdin.flush()
            self.look(0.05)
            time.sleep(0.05)

    def finish(self):
        self.child.stdin.close()
        out = self.child.stdout.read()
        status = self.child.wait(timeout=30)
        self.look(0.2)
        self.child.stdout.close()
        os.close(self.main)
        return status, out


def left_on_line(shown):
    """What stands on the terminal's last line when all that has been shown."""
    line = []
    at = 0
    for char in shown.decode().replace("\r\n", "\n").rpartition("\n")[2]:
        if char == "\r":
            at = 0
        else:
            line[at:at + 1] = [char]
            at += 1
    return "".join(line).rstrip()


@unittest.skipIf(SLOW, "the quick ones are for another run")
class Progress(FileCase):
    PIECE = section(cid_bytes(bytes(MIB)), bytes(MIB))

    def test_it_comes_after_a_second_and_goes_away(self):
        terminal = Slowly("car", "verify", "-")
        terminal.child.stdin.write(header())
        terminal.feed(self.PIECE, b"/s")
        status, out = terminal.finish()
        self.assertEqual(status, 0)
        self.assertIn(b": ok, CARv1, ", out)
        self.assertRegex(terminal.shown, rb"^\r\d+\.\d [KM]iB, \d+\.\d [KMG]iB/s +")
        self.assertEqual(left_on_line(terminal.shown), "")

    def test_messages_stand_on_lines_of_their_own(self):
        terminal = Slowly("car", "verify", "-")
        terminal.child.stdin.write(header())
        terminal.feed(self.PIECE, b"/s")
        terminal.child.stdin.write(section(cid_bytes(b"a"), b"b"))
        self.assertEqual(terminal.finish()[0], 1)
        self.assertRegex(terminal.shown, rb"\r *\r(\x1b[^m]*m)*cid-inspect: ")
        self.assertEqual(left_on_line(terminal.shown), "")

    def test_whoever_stops_it_finds_the_line_clean(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            terminal = Slowly("car", "verify", "-")
            terminal.child.stdin.write(header())
            terminal.feed(self.PIECE, b"/s")
            terminal.child.send_signal(number)
            self.assertEqual(terminal.child.wait(timeout=30), -number)
            terminal.look(0.2)
            self.assertEqual(left_on_line(terminal.shown), "")
            try:
                terminal.finish()
            except BrokenPipeError:
                pass

    def test_none_where_it_is_not_wanted(self):
        path = self.file(V1)
        for args, term in ((["car", "verify", path], "xterm"),
                           (["car", "verify", "--json", "-"], "xterm"),
                           (["car", "verify", "-"], "dumb")):
            terminal = Slowly(*args, term=term)
            if path not in args:
                terminal.child.stdin.write(header())
                for _ in range(12):
                    terminal.child.stdin.write(self.PIECE)
                    terminal.child.stdin.flush()
                    time.sleep(0.1)
            self.assertEqual(terminal.finish()[0], 0)
            self.assertEqual(terminal.shown, b"", args)


@unittest.skipIf(SLOW, "the quick ones are for another run")
class Hash(FileCase):
    def test_files_take_constant_memory(self):
        path = os.path.join(self.folder.name, "large")
        with open(path, "wb") as file:
            file.truncate(300 * MIB)
        got, out, err = run("hash", "-q", path, preexec_fn=limit_memory)
        self.assertEqual((got, err), (0, b""))
        digest = hashlib.sha256()
        for _ in range(300):
            digest.update(bytes(MIB))
        self.assertEqual(out.decode().strip(),
                         support.base32(b"\x01\x55\x12\x20" + digest.digest()))


@unittest.skipIf(SLOW, "the quick ones are for another run")
class NoRoom(FileCase):
    """sha1 comes from libgcrypt, which is opened when it is needed: there may be no room for it."""

    def test_what_cannot_be_opened_cannot_be_checked(self):
        if sanitized() or "gcrypt" not in support.PROVIDERS:
            self.skipTest("a build with libgcrypt and without a sanitizer")
        path = self.file(header() + b"".join(
            section(b"\x01\x55\x11\x14" + hashlib.sha1(data).digest(), data)
            for data in (b"%d" % i for i in range(300))))
        for jobs in ("1", "8"):
            seen = []
            for room in range(2 * MIB, 256 * MIB, MIB // 8):
                got, out, err = run("car", "verify", "-j", jobs, path, preexec_fn=lambda room=room:
                                    resource.setrlimit(resource.RLIMIT_AS, (room, room)))
                if not seen and got in (127, -signal.SIGKILL):
                    continue  # it cannot even be loaded
                self.assertIn(got, (0, 3, 4), (room, err))
                self.assertIn({0: b": ok, ", 3: b"out of memory", 4: b"cannot be checked"}[got],
                              out + err)
                seen.append(got)
                if seen[-8:] == [0] * 8:
                    break
            self.assertIn(4, seen)
            self.assertEqual(seen[-1], 0)


def limit_memory(room=128 * MIB):
    if not sanitized():
        resource.setrlimit(resource.RLIMIT_AS, (room, room))


def sanitized():
    with open(support.PROGRAM, "rb") as file:
        program = file.read()
    return b"__asan_init" in program or b"__tsan_init" in program


def verify_in_memory(test, name, jobs, blocks, room):
    """Verifies a good archive with so many bytes of address space; returns its peak in KiB."""
    child = subprocess.Popen([support.PROGRAM, "car", "verify", "-j", jobs, name],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             preexec_fn=lambda: limit_memory(room))
    out, err = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stdout.close()
    child.stderr.close()
    test.assertEqual((child.returncode, err), (0, b""))
    test.assertIn(b": ok, CARv1, %d blocks" % blocks, out)
    return usage.ru_maxrss


class Many(unittest.TestCase):
    """However many blocks there are, checking them takes no more memory."""

    def test_memory(self):
        count = 1000000 if SLOW else 200000
        root = cid_bytes(b"last")
        with tempfile.NamedTemporaryFile(suffix=".car") as file:
            file.write(header(root))
            for i in range(count - 1):
                file.write(section(cid_bytes(b"%d" % i), b"%d" % i))
            file.write(section(root, b"last"))
            file.flush()
            for jobs in ("1", "2"):
                verify_in_memory(self, file.name, jobs, count, 24 * MIB)


@unittest.skipUnless(SLOW, "takes long: CID_TEST_SLOW is not set")
class Large(unittest.TestCase):
    """An archive of 4 GiB: blocks of 1 MiB and 256 KiB, and small ones; zeros, so that it is sparse."""

    @classmethod
    def setUpClass(cls):
        cls.file = tempfile.NamedTemporaryFile(suffix=".car")
        sizes = [MIB] * 2048 + [256 * 1024] * 8192
        heads = {size: section(cid_bytes(bytes(size)), bytes(size))[:-size] for size in set(sizes)}
        small = b"".join(section(cid_bytes(b"%d" % i), b"%d" % i) for i in range(20000))
        cls.file.write(header())
        for i, size in enumerate(sizes):
            cls.file.write(heads[size])
            cls.file.seek(size, os.SEEK_CUR)
            if i == len(sizes) // 2:
                cls.file.write(small)
        cls.file.write(small)
        cls.file.flush()
        cls.blocks = len(sizes) + 40000

    @classmethod
    def tearDownClass(cls):
        cls.file.close()

    def test_memory(self):
        self.assertGreater(os.path.getsize(self.file.name), 4 << 30)
        for jobs in ("1", "2"):
            peak = verify_in_memory(self, self.file.name, jobs, self.blocks, 128 * MIB)
            print(f"-j {jobs}: peak of {peak} KiB", file=sys.stderr)
            if not sanitized():
                self.assertLessEqual(peak, 64 * 1024)


if __name__ == "__main__":
    support.main()
