"""Shows bytes in a terminal emulator, and prints what is on its screen after each part of them.

emulator.py pyte|tmux FILE    FILE is JSON: width, height, and frames with the text to write and the expected lines

Prints a JSON list with a screen for each frame: its lines without trailing blanks and, by pyte only, the attributes of
its cells.
"""

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time


def pyte_screens(width, height, frames):
    import pyte

    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    for frame in frames:
        stream.feed(frame["text"])
        yield {"lines": [line.rstrip() for line in screen.display], "attributes": attributes(screen)}


def attributes(screen):
    """For each line, runs of cells with the same attributes; blank cells only count if they are reversed."""
    lines = []
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        looks = [f"{cell.fg} {cell.bg} {cell.bold} {cell.reverse}" if cell.data.strip() or cell.reverse else ""
                 for cell in cells]
        lines.append("|".join(f"{look}*{len(list(run))}" for look, run in itertools.groupby(looks)))
    return lines


def tmux_screens(width, height, frames):
    """A program in tmux copies a named pipe to the terminal. tmux shows it at some time, so this waits for it."""
    folder = tempfile.mkdtemp(prefix="alertd-tmux-")
    pipe = f"{folder}/pipe"
    os.mkfifo(pipe)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "HOME": folder}

    def tmux(*arguments, check=True):
        return subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", f"{folder}/socket", *arguments], env=environment, check=check,
            capture_output=True, text=True, timeout=600).stdout

    tmux("new-session", "-d", "-x", str(width), "-y", str(height), f"stty raw -echo; exec cat {pipe}")
    try:
        tmux("set", "-g", "status", "off")
        tmux("resize-window", "-x", str(width), "-y", str(height))
        with open(pipe, "w", encoding="utf-8") as writing:
            for frame in frames:
                writing.write(frame["text"])
                writing.flush()
                end = time.monotonic() + 30
                while True:
                    lines = [line.rstrip() for line in tmux("capture-pane", "-p").split("\n")]
                    lines = (lines + [""] * height)[:height]
                    if lines == frame["expected"] or time.monotonic() > end:
                        break
                    time.sleep(0.02)
                yield {"lines": lines, "attributes": []}
    finally:
        # It has ended already if the program in it has.
        tmux("kill-server", check=False)
        shutil.rmtree(folder, ignore_errors=True)


with open(sys.argv[2], encoding="utf-8") as file:
    script = json.load(file)
screens = {"pyte": pyte_screens, "tmux": tmux_screens}[sys.argv[1]]
json.dump(list(screens(script["width"], script["height"], script["frames"])), sys.stdout)
