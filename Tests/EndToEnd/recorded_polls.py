"""Turns recorded polls of the exchange's former API into responses of the current one, and computes which events rules
must produce on them: the specification of rules applied to plain lists, independent of the daemon's code.

    recorded_polls.py RESPONSES FILE.csv.gz...

RESPONSES receives a JSON array with one response per poll. Standard output receives an object with the number of polls
and, for each `"rule bound"`, how often it fires and resolves. The rules are in RecordedPollsTests.swift.
"""

import csv
import gzip
import json
import sys
from collections import Counter
from datetime import datetime, timezone
from decimal import Decimal

FIELDS = {"last": "lastPrice", "buy": "bidPrice", "sell": "askPrice", "open": "openPrice", "low": "lowPrice",
          "high": "highPrice", "volume": "volume"}  # fmt: skip


def read(paths):
    """The polls in chronological order, each a list of rows."""
    polls = {}
    for path in paths:
        with gzip.open(path, "rt") as file:
            for row in csv.DictReader(file):
                polls.setdefault(row["poll"], []).append(row)
    return [polls[time] for time in sorted(polls)]


def ticker(row):
    at = datetime.strptime(row["at"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    base, quote = row["base_unit"], row["quote_unit"]
    named = {name: row[column] for column, name in FIELDS.items()}
    return {"symbol": base + quote, "baseAsset": base, "quoteAsset": quote, "at": int(at.timestamp() * 1000), **named}


def is_frozen(row):
    return all(Decimal(row[field]) == 0 for field in ("volume", "buy", "sell"))


def last(row):
    return Decimal(row["last"])


def middle(row):
    return (Decimal(row["buy"]) + Decimal(row["sell"])) / 2 if min(Decimal(row["buy"]), Decimal(row["sell"])) > 0 else 0


def series(polls, symbol, price=last, factor=lambda _: 1):
    """The usable prices of a symbol; `factor` converts them with the rows of the same poll."""
    for poll in polls:
        rows = {row["base_unit"] + row["quote_unit"]: row for row in poll}
        row = rows.get(symbol)
        if row and not is_frozen(row) and price(row) > 0:
            yield price(row) * factor(rows)


def hold(prices, breach, clear):
    """How often an alert fires and resolves; both conditions receive all prices so far."""
    fired, resolved, firing, seen = 0, 0, False, []
    for price in prices:
        seen.append(price)
        if not firing and breach(seen):
            fired, firing = fired + 1, True
        elif firing and clear(seen):
            resolved, firing = resolved + 1, False
    return Counter(fired=fired, resolved=resolved)


def cross(prices, limit):
    pairs = list(zip(prices, prices[1:]))
    up = sum(before < limit <= now for before, now in pairs)
    down = sum(before > limit >= now for before, now in pairs)
    return {"eth cross cross_up": Counter(fired=up), "eth cross cross_down": Counter(fired=down)}


def band(prices, low, high, percent):
    prices, part = list(prices), Decimal(percent) / 100
    return (
        hold(prices, lambda seen: seen[-1] <= low, lambda seen: seen[-1] >= low + low * part),
        hold(prices, lambda seen: seen[-1] >= high, lambda seen: seen[-1] <= high - high * part),
    )


def fall(seen):
    return len(seen) > 1 and seen[-1] <= max(seen) * Decimal("0.95")


def rise(seen):
    return len(seen) > 1 and seen[-1] >= min(seen) * Decimal("1.05")


def expected(polls):
    low, high = band(series(polls, "btcinr"), Decimal(4360000), Decimal(4480000), "0.5")
    zone = hold(
        series(polls, "dogeinr"),
        lambda seen: 42 <= seen[-1] <= 43,
        lambda seen: seen[-1] < Decimal("41.9") or seen[-1] > Decimal("43.1"),
    )
    flapping = hold(series(polls, "etcinr"), lambda seen: seen[-1] >= 10000, lambda seen: seen[-1] < 10000)
    dollars = hold(series(polls, "btcusdt"), lambda seen: seen[-1] >= 57000, lambda seen: seen[-1] < 57000)
    middles = hold(series(polls, "ethusdt", middle), lambda seen: seen[-1] <= 3480, lambda seen: seen[-1] > 3480)
    rupees = hold(
        series(polls, "ethwrx", factor=lambda rows: last(rows["wrxinr"])),
        lambda seen: seen[-1] >= 270000,
        lambda seen: seen[-1] < 270000,
    )
    # One euro is 10.1298 kronor and 88.5630 rupees; both sides are multiplied by 88.5630.
    kronor = hold(
        series(polls, "xrpinr", factor=lambda _: Decimal("10.1298")),
        lambda seen: seen[-1] <= Decimal("14.4") * Decimal("88.5630"),
        lambda seen: seen[-1] > Decimal("14.4") * Decimal("88.5630"),
    )
    counts = {
        "btc band min": low, "btc band max": high, "doge zone within": zone, "etc bare max": flapping,
        "btc dollars max": dollars, "eth middle min": middles, "eth in rupees max": rupees, "xrp in kronor min": kronor,
        **cross(list(series(polls, "ethinr")), 275000),
    }  # fmt: skip
    for name, quote, bound, test in (("sudden drop", "inr", "fall", fall), ("rally", "usdt", "rise", rise)):
        total = Counter()
        for symbol in sorted({row["base_unit"] + row["quote_unit"] for row in polls[0]}):
            if symbol.endswith(quote):
                total += hold(series(polls, symbol), test, lambda seen: not test(seen))
        counts[f"{name} {bound}"] = total
    return {key: {"fired": count["fired"], "resolved": count["resolved"]} for key, count in counts.items()}


def main():
    polls = read(sys.argv[2:])
    with open(sys.argv[1], "w") as file:
        json.dump([[ticker(row) for row in poll] for poll in polls], file)
    frozen = [row["base_unit"] + row["quote_unit"] for row in polls[0] if is_frozen(row)]
    print(json.dumps({"polls": len(polls), "rules": expected(polls), "frozen": frozen}))


if __name__ == "__main__":
    main()
