"""Prints how many columns characters take according to wcwidth.

widths.py           runs of equal width over all of Unicode: first and last code point and width, in decimal
widths.py FILE      the width of each line of a file
"""

import itertools
import sys

import wcwidth

if len(sys.argv) > 1:
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file.read().split("\n"):
            print(wcwidth.wcswidth(line))
else:
    scalars = itertools.chain(range(0xD800), range(0xE000, 0x110000))
    for width, run in itertools.groupby(scalars, lambda scalar: wcwidth.wcwidth(chr(scalar))):
        run = list(run)
        print(run[0], run[-1], width)
