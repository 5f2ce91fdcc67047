"""Uses `alertctl watch` with a mouse in tmux: a terminal around tmux sends what a mouse sends, and tmux passes it on.

mouse.py ALERTCTL    ALERTD_SOCKET names the daemon, which needs two symbols at least
"""

import fcntl
import os
import pty
import select
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

WIDTH, HEIGHT = 80, 24
LIMIT = 600
MARK = "▸"


class Tmux:
    """A server of its own with one pane, and a client in a pseudo-terminal, which is where the mouse is."""

    def __init__(self, command):
        self.folder = tempfile.mkdtemp(prefix="alertd-mouse-")
        # On a busy machine tmux may never notice that its program has ended, so the shell says with what code.
        self.code = f"{self.folder}/code"
        command = f"{command}; echo $? > {self.code}"
        self.environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
        self.environment.pop("TMUX", None)
        self.call("new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), command, ";", "set", "-g", "status", "off",
                  ";", "set", "-g", "mouse", "on", ";", "set", "-g", "remain-on-exit", "on")
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.client = subprocess.Popen(
            [*self.program(), "attach"], env=self.environment, stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        threading.Thread(target=self.drain, daemon=True).start()

    def program(self):
        return ["tmux", "-u", "-f", "/dev/null", "-S", f"{self.folder}/socket"]

    def call(self, *arguments):
        return subprocess.run(
            [*self.program(), *arguments], env=self.environment, check=True, capture_output=True, text=True,
            timeout=LIMIT).stdout

    def drain(self):
        """Nobody looks at what the client draws, but it must be able to write."""
        while select.select([self.master], [], [])[0]:
            try:
                if not os.read(self.master, 65536):
                    return
            except OSError:
                return

    def lines(self):
        return self.call("capture-pane", "-p").split("\n")

    def selected(self):
        """The row of the pane that is selected, from 0; None before there is one."""
        return next((row for row, line in enumerate(self.lines()) if MARK in line), None)

    def has_mouse(self):
        return self.call("display", "-p", "#{mouse_any_flag}").strip() == "1"

    def exit_code(self):
        """The exit code of the program, as text; empty before its end."""
        if not os.path.exists(self.code):
            return ""
        with open(self.code, encoding="ascii") as file:
            return file.read().strip()

    def mouse(self, button, row, column=10):
        """Presses and releases a button; rows and columns from 0."""
        for final in "Mm":
            os.write(self.master, f"\x1b[<{button};{column + 1};{row + 1}{final}".encode())

    def wait(self, condition, what):
        end = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"not within {LIMIT} s: {what}; the screen:\n" + "\n".join(self.lines()))
            time.sleep(0.02)

    def close(self):
        subprocess.run([*self.program(), "kill-server"], env=self.environment, check=False, capture_output=True)
        self.client.wait(LIMIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def play(tmux):
    tmux.wait(lambda: tmux.selected() is not None, "a list")
    first = tmux.selected()
    tmux.wait(lambda: tmux.call("list-clients"), "a client")
    assert not tmux.has_mouse(), "the mouse is taken without being asked for"
    tmux.call("send-keys", "m")
    tmux.wait(tmux.has_mouse, "reports of the mouse after m")

    tmux.mouse(0, first + 1)
    tmux.wait(lambda: tmux.selected() == first + 1, "a click selects the row")
    tmux.mouse(64, first + 1)
    tmux.wait(lambda: tmux.selected() == first, "the wheel goes up")
    tmux.mouse(65, first + 1)
    tmux.wait(lambda: tmux.selected() == first + 1, "the wheel goes down")
    # The head, the space below the list, and the other buttons select nothing.
    for button, row in ((0, 0), (0, HEIGHT - 2), (1, first), (2, first)):
        tmux.mouse(button, row)
    tmux.mouse(64, 0)
    tmux.wait(lambda: tmux.selected() == first, "the wheel after clicks outside the list")

    tmux.call("send-keys", "m")
    tmux.wait(lambda: not tmux.has_mouse(), "no reports after m again")
    tmux.call("send-keys", "m")
    tmux.wait(tmux.has_mouse, "reports of the mouse once more")
    tmux.call("send-keys", "q")
    tmux.wait(tmux.exit_code, "an end after q")
    assert tmux.exit_code() == "0", f"exit code {tmux.exit_code()}"
    assert not tmux.has_mouse(), "the mouse is not given back"


terminal = Tmux(shlex.join([sys.argv[1], "watch"]))
try:
    play(terminal)
finally:
    terminal.close()
