"""Ends alertctl in a pseudo-terminal in every way, at random instants, and checks that the terminal is as before.

kills.py ALERTCTL ROUNDS SEED COMMAND…    ALERTD_SOCKET names the daemon; prints a line for each round that fails
"""

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

KEYS = [b"j", b"k", b"m", b"\r", b"l", b"\x1b[A", b"\x1b[B", b"\x1b", b"e", b"?", b"c", b"s", b"/b", b"\t", b"3", b"f"]
ENDS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGQUIT", "SIGFPE", "q", "ctrl-c", "close",
        "suspend", "ctrl-z", "flow"]
LIMIT = 600


class Session:
    """alertctl with a terminal of its own."""

    def __init__(self, command, random_source):
        self.random = random_source
        self.master, slave = pty.openpty()
        self.slave_name = os.ttyname(slave)
        size = random_source.choice([(24, 80), (30, 100), (60, 200), (100, 300)])
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        self.output = b""
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def read(self, seconds):
        """Reads what is written until the time is over."""
        end = time.monotonic() + seconds
        while True:
            rest = end - time.monotonic()
            if rest <= 0 or not select.select([self.master], [], [], rest)[0]:
                return
            try:
                self.output += os.read(self.master, 65536)
            except OSError:
                return

    def wait(self, condition, what):
        end = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"not within {LIMIT} s: {what}; the last output: {self.output[-80:]!r}")
            self.read(0.01)

    def play(self):
        """Presses keys for a random time, which may end before the terminal was taken."""
        end = time.monotonic() + self.random.uniform(0, 0.6)
        while time.monotonic() < end:
            self.read(self.random.uniform(0, 0.05))
            os.write(self.master, self.random.choice(KEYS))
            if self.random.random() < 0.1:
                rows, columns = self.random.randint(5, 110), self.random.randint(20, 310)
                fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        """Presses each key a while after the one before, so that an escape key is not the beginning of another one."""
        for key in keys:
            if not self.has_ended():
                os.write(self.master, key)
            self.read(0.1)

    def has_ended(self):
        return self.process.poll() is not None

    def is_stopped(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "T"

    def check(self, what):
        """The terminal is as it was before."""
        self.read(0.02)
        faults = []
        for mode, isOnBefore in ((b"1049", False), (b"25", True), (b"2026", False), (b"1000", False), (b"1006", False)):
            found = re.findall(rb"\x1b\[\?" + mode + rb"([hl])", self.output)
            if found and (found[-1] == b"h") != isOnBefore:
                faults.append(f"mode {mode.decode()} is {'on' if found[-1] == b'h' else 'off'}")
        styles = re.findall(rb"\x1b\[([0-9;]*)m", self.output)
        if b"\x1b[?1049h" in self.output and styles and styles[-1] not in (b"0", b""):
            faults.append(f"colours are left: {styles[-1]!r}")
        if termios.tcgetattr(self.slave) != self.before:
            faults.append("the attributes have changed")
        assert not faults, f"{what}: {', '.join(faults)}; the last output: {self.output[-160:]!r}"

    def end(self, how):
        if how == "close":
            # What a closed window does; its slave is kept open here only to look at the attributes.
            os.close(self.slave)
            os.close(self.master)
            self.process.wait(LIMIT)
            return
        if how in ("suspend", "ctrl-z"):
            self.suspend(how)
            how = "SIGTERM"
        if how == "flow":
            # Ctrl-S: nothing more can be written.
            os.write(self.master, b"\x13")
            termios.tcflow(self.slave, termios.TCOOFF)
            self.read(0.05)
            self.process.send_signal(signal.SIGTERM)
            time.sleep(0.05)
            termios.tcflow(self.slave, termios.TCOON)
        elif how in ("q", "ctrl-c"):
            # Others before it leave a search, a question or a limit that is being moved.
            end = time.monotonic() + LIMIT
            while not self.has_ended() and time.monotonic() < end:
                self.press([b"\x1b", b"q"] if how == "q" else [b"\x03"])
        else:
            self.process.send_signal(getattr(signal, how))
        self.wait(self.has_ended, f"the end after {how}")
        self.check(how)

    def suspend(self, how):
        if how == "suspend":
            self.process.send_signal(signal.SIGTSTP)
        elif b"\x1b[?1049h" in self.output:
            os.write(self.master, b"\x1a")
        else:
            return
        try:
            self.wait(lambda: self.has_ended() or self.is_stopped(), "the stop")
        except FileNotFoundError:
            pass
        if self.has_ended():
            return
        self.check(f"{how}, while it is stopped")
        taken = self.output.count(b"\x1b[?1049h")
        self.process.send_signal(signal.SIGCONT)
        if taken:
            self.wait(lambda: self.has_ended() or self.output.count(b"\x1b[?1049h") > taken, "the view is back")
            drawn = lambda: b"\x1b[2J" in self.output.rsplit(b"\x1b[?1049h", 1)[1]
            self.wait(lambda: self.has_ended() or drawn(), "a whole screen")


def main():
    program, rounds, seed, *arguments = sys.argv[1:]
    failed = 0
    for number in range(int(rounds)):
        source = random.Random(f"{seed} {number}")
        how = ENDS[number % len(ENDS)]
        session = Session([program, *arguments], source)
        try:
            session.play()
            session.end(how)
        except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
            failed += 1
            print(f"round {number} ({how}): {error}")
        finally:
            if not session.has_ended():
                session.process.kill()
                session.process.wait()
            for descriptor in (session.master, session.slave):
                try:
                    os.close(descriptor)
                except OSError:
                    pass
    print(f"{rounds} rounds, {failed} failed")
    sys.exit(1 if failed else 0)


main()
