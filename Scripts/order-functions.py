#!/usr/bin/env python3
"""Writes Scripts/function-order.txt: the functions that polls of alertd run, for the linker to put next to each other.

A poll comes after seconds of sleep, so most of what it costs is finding its code again. Callgrind counts which
instructions the release build runs while a scripted exchange is polled: first with prices that stay the same, then with
prices that change and alerts that fire. Functions of the first kind come first, those that are run almost whole before
those of which little is run.
"""

import argparse
import collections
import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYMBOLS = 450
RULES = 1_000
POLLS = 8
LINE = 64
LIMIT_SECONDS = 120

HEADER = """\
# The functions that polls of alertd run, in the order in which the linker places them. Written by `make order` from a
# profile; names that a build does not have are ignored.
"""


class Exchange:
    """The scripted exchange of the end-to-end tests."""

    def __init__(self, folder):
        path = folder / "tickers.json"
        path.write_text(json.dumps([self.ticker(number) for number in range(SYMBOLS)]))
        command = [sys.executable, ROOT / "Tests/EndToEnd/exchange.py", "--tickers", path]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["http"]
        self.requests = 0

    @staticmethod
    def ticker(number):
        price = 100 + number
        return {
            "symbol": f"c{number}inr", "baseAsset": f"c{number}", "quoteAsset": "inr", "openPrice": f"{price}.5",
            "lowPrice": f"{price}.1", "highPrice": f"{price}.9", "lastPrice": f"{price}.25", "volume": "1234.5",
            "bidPrice": f"{price}.2", "askPrice": f"{price}.3", "at": 1_600_000_000_000}

    def do(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if not answer["ok"]:
            sys.exit(f"order-functions: the exchange refuses {command}: {answer}")

    def answer(self, count):
        """Waits for polls."""
        self.requests += count
        self.do(do="wait", requests=self.requests, answered=self.requests, limit_ms=LIMIT_SECONDS * 1_000)

    def alternate(self, count):
        """Changes some prices, so that the alert of the first symbol fires and resolves, and waits for the polls."""
        for number in range(count):
            last = "600.5" if number % 2 == 0 else "100.25"
            self.do(do="change", symbol="c0inr", fields={"lastPrice": last})
            self.do(do="change", symbol="c7inr", fields={"lastPrice": f"107.{number}", "bidPrice": f"106.{number}"})
            self.answer(2)


def settings(port):
    """A thousand rules, which no price reaches but that of the first symbol."""
    lines = [f'[feed]\nurl = "http://127.0.0.1:{port}/sapi/v1"\ninterval = "1s"\n[rates]\nenabled = false']
    for number in range(RULES):
        bound, limit = ("max", 100_000) if number % 2 else ("min", 1)
        price = ["last", "bid", "ask"][number // SYMBOLS % 3]
        symbol = f"c{number % SYMBOLS}inr"
        lines.append(f'[[rule]]\nname = "r{number}"\nsymbol = "{symbol}"\nprice = "{price}"\n{bound} = {limit}')
    lines.append('[[rule]]\nname = "fires"\nsymbol = "c0inr"\nmax = 500')
    return "\n".join(lines) + "\n"


def profile(program, folder):
    """Runs the daemon; returns the files with the counts of quiet polls, and of those with changes."""
    exchange = Exchange(folder)
    (folder / "alertd.toml").write_text(settings(exchange.port))
    for name in ("run", "state"):
        (folder / name).mkdir()
    out = folder / "counts"
    # Not the debug information, which Callgrind cannot read.
    subprocess.run(["strip", "--strip-debug", "-o", folder / "alertd", program], check=True)
    daemon = subprocess.Popen(
        ["valgrind", "--quiet", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no",
         "--demangle=no", f"--callgrind-out-file={out}", folder / "alertd", "--config", folder / "alertd.toml",
         "--runtime-dir", folder / "run", "--state-dir", folder / "state"],
        stdout=subprocess.DEVNULL, env={**os.environ, "NOTIFY_SOCKET": ""})

    def control(option):
        subprocess.run(["callgrind_control", option, str(daemon.pid)], check=True, stdout=subprocess.DEVNULL)

    try:
        exchange.answer(6)
        reader = socket.socket(socket.AF_UNIX)
        reader.connect(str(folder / "run/events.sock"))
        # The first event makes types that later ones find.
        exchange.alternate(2)
        control("--zero")
        exchange.answer(POLLS)
        control("--dump")
        exchange.alternate(POLLS)
        control("--dump")
        reader.settimeout(LIMIT_SECONDS)
        if b'"fired"' not in reader.recv(1 << 20):
            sys.exit("order-functions: the alert did not fire")
    finally:
        daemon.terminate()
        daemon.wait()
        exchange.process.stdin.close()
        exchange.process.wait()
    return Path(f"{out}.1"), Path(f"{out}.2")


def lines_run(counts, program):
    """The cache lines of each function of the program that were run."""
    lines = collections.defaultdict(set)
    is_own, function, is_call = False, "", False
    for text in counts.read_text().splitlines():
        if text.startswith("ob="):
            is_own = text == f"ob={program}"
        elif text.startswith("fn="):
            # Callgrind numbers the levels of recursion.
            function = text[3:].split("'")[0]
        elif text.startswith("calls="):
            is_call = True
        elif text.startswith("0x"):
            if is_own and not is_call and not function.startswith("0x"):
                lines[function].add(int(text.split()[0], 16) // LINE)
            is_call = False
    return lines


def sizes(program):
    listing = subprocess.run(["nm", "--print-size", program], check=True, capture_output=True, text=True).stdout
    return {fields[3]: int(fields[1], 16) for fields in map(str.split, listing.splitlines()) if len(fields) == 4}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path, help="the release build, with its symbols")
    program = parser.parse_args().program.resolve()
    size = sizes(program)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        quiet, changing = (lines_run(counts, folder / "alertd") for counts in profile(program, folder))

    def share(lines):
        return lambda function: (-len(lines[function]) * LINE / size.get(function, LINE), function)

    order = sorted(quiet, key=share(quiet))
    order += sorted(changing.keys() - quiet.keys(), key=share(changing))
    target = ROOT / "Scripts/function-order.txt"
    target.write_text(HEADER + "".join(f"{function}\n" for function in order))
    print(f"{len(order)} functions, {sum(map(len, quiet.values()))} cache lines of code in a quiet poll")


if __name__ == "__main__":
    main()
