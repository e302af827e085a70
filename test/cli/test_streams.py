"""Standard input line by line, pipes and full disks, and the terminal."""

import os
import subprocess
import threading

import support
from support import C1, Q0, Case, run, run_terminal


class Lines(Case):
    def texts(self, data, status=0):
        return [item["input"] for item in self.objects(stdin=data, status=status)]

    def test_line_ends_and_blanks(self):
        for data in (f"{C1}\n{Q0}\n", f"{C1}\r\n{Q0}\r\n", f"{C1}\n{Q0}", f"{C1}\r\n{Q0}\r",
                     f" \t{C1}\t \n  {Q0}  \r\n", f"\ufeff{C1}\n{Q0}\n", f"\ufeff {C1} \r\n{Q0}"):
            self.assertEqual(self.texts(data.encode()), [C1, Q0], repr(data))

    def test_only_one_line_end_is_stripped(self):
        self.assertEqual(self.texts(f"{C1}\r\r\n".encode(), 1), [C1 + "\r"])

    def test_a_mark_is_skipped_at_the_start_only(self):
        self.assertEqual(self.texts(f"{C1}\n\ufeff{C1}\n".encode(), 1), [C1, "\ufeff" + C1])

    def test_nul_is_an_error(self):
        got = self.objects(stdin=C1.encode() + b"\0\n" + C1.encode() + b"\0x\n", status=1)
        self.assertEqual([item["ok"] for item in got], [False, False])
        self.assertEqual(got[0]["error"]["offset"], len(C1))
        self.assertEqual(got[1]["input"], C1 + "\0x")

    def test_a_blank_line_is_an_error_with_its_number(self):
        status, out, err = run("convert", stdin=f"{C1}\n\n{Q0}\n".encode())
        self.assertEqual((status, out.decode().split()), (1, [C1, Q0]))
        self.assertIn(b"line 2: not a CID: the text is empty", err)

    def test_arguments_are_taken_as_they_are(self):
        for text in (C1 + "\n", " " + C1, "\ufeff" + C1):
            self.assertFalse(self.objects(text, status=1)[0]["ok"])

    def test_a_dash_among_arguments(self):
        out = self.ok("convert", Q0, "-", Q0, stdin=f"{C1}\n".encode())
        self.assertEqual(out.split(), [Q0, C1, Q0])

    def test_long_lines(self):
        for length in (4096, 4097, 65535, 65536, 65537, 65538, 65539, 65544, 70000, 200000,
                       1000000):
            for end in ("\n", "\r\n", ""):
                data = f"{C1}\n{'b' + 'a' * (length - 1)}{end}".encode()
                data += f"{C1}\n".encode() if end else b""
                got = self.objects(stdin=data, status=1)
                self.assertEqual([item["ok"] for item in got], [True, False, True][:2 + bool(end)])
                self.assertEqual(got[1]["error"]["code"],
                                 "text_limit" if length > 4096 else "cid_explicit_v0", length)
                self.assertEqual(len(got[1]["input"]), length if length <= 65536 else 256)

    def test_a_huge_line_takes_no_memory(self):
        def limit():
            import resource
            resource.setrlimit(resource.RLIMIT_DATA, (1 << 26, 1 << 26))
        with open(support.PROGRAM, "rb") as program: # the sanitizers need room of their own
            sanitized = b"__asan_init" in program.read()
        data = b"a" * (1 << 27) + b"\n" + C1.encode() + b"\n"
        status, out, err = run("convert", stdin=data, preexec_fn=None if sanitized else limit)
        self.assertEqual((status, out.decode()), (1, C1 + "\n"))
        self.assertIn(b"line 1: not a CID: the text is longer than the limit of 65536 bytes", err)
        self.assertLess(len(err), 500)

    def test_line_numbers_behind_long_lines(self):
        _, _, err = run("convert", stdin=b"a" * 100000 + b"\nx\n" + b"a" * 65536 + b"\nx\n")
        self.assertEqual([line.split(b": ")[1] for line in err.splitlines()
                          if line.startswith(b"cid-inspect")],
                         [b"line 1", b"line 2", b"line 3", b"line 4"])

    def test_however_the_input_arrives(self):
        data = f"{C1}\n{'a' * 66000}\n{Q0}\r\nno\n".encode()
        for size in (1, 7, 65536):
            child = subprocess.Popen([support.PROGRAM, "convert"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     env=support.ENVIRONMENT)
            feed = data if size > 1 else data[:300]

            def write():
                for at in range(0, len(feed), size):
                    child.stdin.write(feed[at:at + size])
                    child.stdin.flush()
                child.stdin.close()
            thread = threading.Thread(target=write)
            thread.start()
            out, err = child.stdout.read(), child.stderr.read()
            thread.join()
            self.assertEqual(child.wait(), 1)
            self.assertEqual(out.decode().split(), [C1, Q0] if size > 1 else [C1])
            child.stdout.close()
            child.stderr.close()

    def test_answers_come_at_once(self):
        child = subprocess.Popen([support.PROGRAM, "convert"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, env=support.ENVIRONMENT)
        for text in (C1, Q0):
            child.stdin.write(text.encode() + b"\n")
            child.stdin.flush()
            self.assertEqual(child.stdout.readline().decode(), text + "\n")
        child.stdin.close()
        self.assertEqual(child.wait(), 0)
        child.stdout.close()

    def test_nothing_at_all(self):
        for command in ("inspect", "convert", "format"):
            self.assertIn("standard input is empty", self.usage(command))


class Failures(Case):
    COMMANDS = (["inspect", C1], ["convert", C1], ["bases"], ["hashes"], ["--help"], ["--version"],
                ["hash", "/dev/null"], ["--json", C1], ["codecs", "--json"])

    def test_a_full_disk(self):
        for args in self.COMMANDS:
            with open("/dev/full", "wb") as full:
                status, _, err = run(*args, stdout=full)
            self.assertEqual(status, 3, args)
            self.assertIn(b"No space left on device", err)

    def test_a_closed_output(self):
        for args in self.COMMANDS:
            status, _, err = run(*args, stdout=None, preexec_fn=lambda: os.close(1))
            self.assertEqual(status, 3, args)
            self.assertIn(b"cannot write to standard output", err)

    def test_a_pipe_that_nobody_reads(self):
        for args in (["codecs"], ["codecs", "--json"], [C1]):
            read, write = os.pipe()
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                status, _, err = run(*args, stdout=pipe)
            self.assertEqual((status, err), (3, b""), args)

    def test_a_reader_that_has_seen_enough_stops_the_work(self):
        child = subprocess.Popen([support.PROGRAM, "convert"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=support.ENVIRONMENT)
        child.stdout.close()
        try:
            while True:
                child.stdin.write(f"{C1}\n".encode() * 1000)
        except BrokenPipeError:
            pass
        try:
            child.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(child.stderr.read(), b"")
        child.stderr.close()
        self.assertEqual(child.wait(timeout=30), 3)

    def test_a_closed_input(self):
        status, out, err = run("convert", stdin=None, preexec_fn=lambda: os.close(0))
        self.assertEqual((status, out), (3, b""))
        self.assertIn(b"cannot read standard input", err)
        status, out, err = run("--json", stdin=None, preexec_fn=lambda: os.close(0))
        self.assertEqual((status, err), (3, b""))
        self.assertIn(b'"code":"io"', out)

    def test_a_directory_as_input(self):
        descriptor = os.open("/", os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        status, out, err = run("convert", stdin=descriptor)
        self.assertEqual((status, out), (3, b""))
        self.assertIn(b"Is a directory", err)

    def test_a_closed_error_output(self):
        status, out, _ = run("convert", "no", C1, stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual((status, out.decode()), (1, C1 + "\n"))

    def test_the_worst_status_wins(self):
        self.assertEqual(run("hash", "/absent", "/dev/null")[0], 3)
        self.assertEqual(run("convert", "no", C1)[0], 1)
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("convert", "no", C1, stdout=full)[0], 3)

    def test_no_home_and_no_environment(self):
        done = subprocess.run([support.PROGRAM, C1], env={}, cwd="/", capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class Terminal(Case):
    def test_without_arguments_there_is_a_message(self):
        for command in ([], ["inspect"], ["convert"], ["format"], ["hash"], ["car"],
                        ["car", "list"], ["car", "verify"]):
            status, shown = run_terminal(*command)
            self.assertEqual(status, 2, command)
            self.assertIn(b"--help", shown)

    def test_a_dash_reads_what_is_typed(self):
        status, shown = run_terminal("convert", "-b", "f", "-", typed=b"bafkqaaa\n\x04")
        self.assertEqual(status, 0)
        self.assertIn(b"f01550000", shown)

    def test_colours(self):
        colour = b"\x1b["
        self.assertIn(colour, run_terminal(C1)[1])
        self.assertIn(colour, run_terminal("no")[1])
        self.assertNotIn(colour, run_terminal(C1, "no", "--color=never")[1])
        self.assertNotIn(colour, run_terminal(C1, "no", env={"NO_COLOR": "1"})[1])
        self.assertIn(colour, run_terminal(C1, env={"NO_COLOR": ""})[1])
        self.assertNotIn(colour, run_terminal(C1, env={"TERM": "dumb"})[1])
        self.assertIn(colour, run_terminal(C1, "--color=always", env={"NO_COLOR": "1"})[1])
        self.assertNotIn(colour, run(C1)[1])
        self.assertIn(colour, run(C1, "--color=always")[1])
        for args in (["--json", C1], ["convert", C1]):
            self.assertNotIn(colour, run_terminal(*args)[1])

    def test_colours_are_all_that_is_special(self):
        plain = run(C1)[1]
        _, out, _ = run(C1, "--color=always")
        for code in (b"\x1b[0m", b"\x1b[2m", b"\x1b[32m", b"\x1b[1;31m", b"\x1b[33m", b"\x1b[1m"):
            out = out.replace(code, b"")
        self.assertEqual(out, plain)

    def test_hostile_text_does_not_reach_it(self):
        status, shown = run_terminal("--color=never", b"x\x1b]0;title\x07\xc2\x9b\xff")
        self.assertEqual(status, 1)
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"\x07", shown)
        self.assertNotIn(b"\xc2\x9b", shown)

    def test_errors_follow_what_was_printed_before(self):
        _, shown = run_terminal("convert", C1, "no", Q0)
        self.assertLess(shown.index(C1.encode()), shown.index(b"not a CID"))
        self.assertLess(shown.index(b"not a CID"), shown.index(Q0.encode()))


if __name__ == "__main__":
    support.main()
