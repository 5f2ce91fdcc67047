"""Presses Enter in `alertctl web` in a terminal: each time it prints another address, which opens once.

web.py ALERTCTL

Prints what is wrong and exits with 1 then.
"""

import http.client
import os
import pty
import re
import select
import signal
import sys
import time
import urllib.parse

LIMIT_SECONDS = 600
ADDRESS = re.compile(rb"http://[^\s]*\?token=[0-9a-f]+")


class Page:
    """The program in a terminal of its own."""

    def __init__(self, program):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execv(program, [program, "web"])
        self.output = b""

    def addresses(self, count):
        """The addresses that were printed, once there are this many."""
        end = time.monotonic() + LIMIT_SECONDS
        while len(ADDRESS.findall(self.output)) < count:
            if time.monotonic() > end:
                sys.exit(f"{count} addresses expected in: {self.output!r}")
            if select.select([self.terminal], [], [], 1)[0]:
                self.output += os.read(self.terminal, 4096)
        return [found.decode() for found in ADDRESS.findall(self.output)]

    def type(self, keys):
        os.write(self.terminal, keys)

    def end(self):
        os.kill(self.pid, signal.SIGINT)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def status(address):
    """The status with which the server answers a first visit to an address."""
    place = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc, timeout=LIMIT_SECONDS)
    connection.request("GET", f"{place.path}?{place.query}")
    found = connection.getresponse().status
    connection.close()
    return found


def check(what, is_right):
    if not is_right:
        sys.exit(f"wrong: {what}")


def main():
    page = Page(sys.argv[1])
    try:
        first = page.addresses(1)[0]
        check("the first address opens", status(first) == 303)
        check("it opens once", status(first) == 403)
        page.type(b"\n")
        second = page.addresses(2)[1]
        check("Enter prints another address", first != second)
        check("the second address opens", status(second) == 303)
        page.type(b"\n")
        third = page.addresses(3)[2]
        page.type(b"\n")
        fourth = page.addresses(4)[3]
        check("only the last address opens", status(third) == 403)
        # The end of the input ends nothing else.
        page.type(b"\x04")
        check("the fourth address opens", status(fourth) == 303)
    finally:
        page.end()


main()
