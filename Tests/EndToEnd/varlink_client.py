#!/usr/bin/env python3
"""Drives the control socket of alertd with the independent Varlink client from PyPI.

    varlink_client.py SOCKET [--symbol NAME] [--event-timeout SECONDS]

Prints a summary as JSON. Exits with 0 if every reply matches the interface description, otherwise with 1.
"""

import argparse
import json
import socket
import sys

import varlink

INTERFACE = "org.alertd.Control"
METHODS = {
    "Status", "ListTickers", "GetSymbol", "ListAlerts", "ListRules", "MonitorEvents", "Reload", "Poll",
    "ListPrices", "ListBars", "ExportPrices", "ImportPrices", "ListEvents", "Backup", "AddSilence", "ListSilences",
    "ExpireSilences", "Acknowledge", "Arm", "Drill",
}


class Mismatch(Exception):
    """A reply that does not match the interface."""


def require(condition, message):
    if not condition:
        raise Mismatch(message)


def opened(path, interface=INTERFACE, timeout=10):
    """A handle with the methods of the interface; each read has a time limit."""
    client = varlink.Client("unix:" + path)
    connection = client.open_connection()
    if isinstance(connection, socket.socket):
        connection.settimeout(timeout)
    return client.open(interface, connection=connection)


def service(path):
    with opened(path, "org.varlink.service") as handle:
        info = handle.GetInfo()
        require(INTERFACE in info["interfaces"], "GetInfo does not name " + INTERFACE)
        text = handle.GetInterfaceDescription(INTERFACE)["description"]
        parsed = varlink.Interface(text)
        require(parsed.name == INTERFACE, "the description is of " + parsed.name)
        missing = METHODS - set(parsed.members)
        require(not missing, "the description lacks " + ", ".join(sorted(missing)))
        try:
            handle.GetInterfaceDescription("org.example.none")
        except varlink.InterfaceNotFound:
            pass
        else:
            raise Mismatch("an interface that does not exist has a description")
    return {"product": info["product"], "version": info["version"], "members": len(parsed.members)}


def lists(path, symbol):
    with opened(path) as handle:
        status = handle.Status()["status"]
        tickers = handle.ListTickers()
        listed = [ticker["symbol"] for ticker in tickers["symbols"]]
        alerts = handle.ListAlerts()["alerts"]
        rules = handle.ListRules()["rules"]
        require(len(rules) == status["rules"], "Status and ListRules count rules differently")
        symbol = symbol or (listed[0] if listed else None)
        matched = handle.ListTickers(match="*inr")["symbols"]
        require(all(ticker["symbol"].endswith("inr") for ticker in matched), "match lets others through")
        summary = {"rules": len(rules), "alerts": len(alerts), "symbols": len(listed), "source": tickers["source"]}
        if symbol:
            found = handle.GetSymbol(symbol=symbol)
            require(found["symbol"]["symbol"] == symbol, "GetSymbol answers another symbol")
            summary["symbol"] = {"name": symbol, "last": found["symbol"]["last"], "prices": len(found["prices"])}
        summary["unknown_symbol"] = unknown_symbol(handle, symbol)
        summary["kept"] = kept(handle, symbol)
    return summary


def kept(handle, symbol):
    """Stored prices and events, one page of each."""
    if symbol:
        prices = handle.ListPrices(symbol=symbol, last=3)["prices"]
        require(1 <= len(prices) <= 3, "ListPrices answers %d prices" % len(prices))
        bars = handle.ListBars(
            symbol=symbol, since="2020-01-01T00:00:00Z", until="2100-01-01T00:00:00Z", step_ms=86400000)["bars"]
        require(bars and bars[-1]["samples"] >= 1, "ListBars answers no bar")
        rows = handle.ExportPrices(match=[symbol])["rows"]
        require(rows and rows[0]["symbols"] == [symbol], "ExportPrices answers another symbol")
        handle.ImportPrices(columns=[], last=True)
    events = handle.ListEvents(limit=2, newest_first=True)["events"]
    require(len(events) <= 2, "ListEvents answers %d events" % len(events))
    return {"events": len(events)}


def unknown_symbol(handle, symbol):
    asked = (symbol or "btcinr") + "x0"
    try:
        handle.GetSymbol(symbol=asked)
    except varlink.VarlinkError as error:
        require(error.error() == INTERFACE + ".NoSuchSymbol", "another error: " + str(error.error()))
        require(error.parameters()["symbol"] == asked, "NoSuchSymbol names another symbol")
        return error.parameters().get("suggestion")
    raise Mismatch("a symbol that does not exist was found")


def needs_more(path):
    """MonitorEvents without the flag is refused."""
    with opened(path) as handle:
        try:
            handle.MonitorEvents()
        except varlink.VarlinkError as error:
            require(error.error() == "org.varlink.service.ExpectedMore", "another error: " + str(error.error()))
            return
    raise Mismatch("MonitorEvents answers without the flag more")


def first_event(path, timeout):
    """The first reply of MonitorEvents, starting with the oldest stored event."""
    with opened(path, timeout=timeout) as handle:
        for reply in handle.MonitorEvents(after=0, _more=True):
            if reply.get("event"):
                event = reply["event"]
                require(event["number"] >= 1, "an event has no number")
                return {"number": event["number"], "kind": event["kind"], "text": event["text"]}
    raise Mismatch("MonitorEvents ended without an event")


def main():
    parser = argparse.ArgumentParser(description="Drives the control socket of alertd.")
    parser.add_argument("socket")
    parser.add_argument("--symbol", help="a listed symbol; by default the first one")
    parser.add_argument("--event-timeout", type=float, default=20, metavar="SECONDS", help="0: do not wait")
    options = parser.parse_args()
    summary = {}
    try:
        summary["service"] = service(options.socket)
        summary["lists"] = lists(options.socket, options.symbol)
        needs_more(options.socket)
        if options.event_timeout > 0:
            summary["event"] = first_event(options.socket, options.event_timeout)
        summary["ok"] = True
    except (Mismatch, varlink.VarlinkError, OSError, ValueError, KeyError, SyntaxError) as error:
        summary["ok"] = False
        summary["error"] = f"{type(error).__name__}: {error}"
    json.dump(summary, sys.stdout, indent=2, sort_keys=True)
    print()
    return 0 if summary["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
