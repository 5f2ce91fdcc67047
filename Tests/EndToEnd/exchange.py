"""A scripted exchange over real HTTP and HTTPS, for the end-to-end tests.

It prints its ports as one line of JSON, `{"http": 40001, "https": 40002}` (https is null without a certificate), then
reads commands from standard input and answers each, one JSON object per line. It exits when standard input ends, so it
never outlives the test that started it.

    {"do": "tickers", "file": "/path"} or {"do": "tickers", "list": [...]}   what to serve from now on
    {"do": "change", "symbol": "btcinr", "fields": {"lastPrice": "1.5"}}      null removes the field
    {"do": "add", "ticker": {...}}, {"do": "remove", "symbol": "btcinr"}
    {"do": "freeze", "symbol": "btcinr", "book": false}       no volume; without "book" no bid and ask either
    {"do": "sequence", "file": "/path"}       each request gets the next response in it, and the last one is repeated
    {"do": "coins", "list": [{"uuid": "a", "symbol": "BTC", "name": "Bitcoin", "price": "1.5"}], "key": "secret"}
                                        what CoinRanking has, by rank, and the only key that it accepts
    {"do": "past", "points": [[1700000000, "1.5"]]}   the past prices of every coin, oldest first
    {"do": "candles", "low": 99, "high": 120, "delay_ms": 0, "refuse": 1}     what each minute's candle is, how long an
                                        answer takes, and how many requests for candles get status 429 first
    {"do": "rates", "text": "<xml…"}    what to serve as eurofxref-daily.xml
    {"do": "behave", "times": 2, ...}   how to answer the next two requests; without "times", all requests from now on
    {"do": "behave", "as": "banned", ...}    based on one of PRESETS
    {"do": "normal"}                    forgets all behaviours and releases held connections
    {"do": "wait", "requests": 3, "limit_ms": 5000}   until this many requests were received; with "answered" instead of
                                        "requests", until this many were answered (or abandoned)
    {"do": "report"}                    what was requested: see Log.report

The tickers are served in the form of each exchange: WazirX at /tickers/24hr, Binance at /ticker/24hr, Kraken at
/Ticker. So are candles: WazirX and Binance at /klines, Kraken at /OHLC.

Fields of a behaviour, all of them optional: "status", "headers", "body" (text instead of the tickers), "pad_bytes"
(spaces after the body), "gzip" ("auto", "always" or "never"), "chunked", "delay_ms" (before the answer), and "send":
"all"; "half" (half of it, then the connection is held open); "truncated" (half of it, then the connection is closed);
"nothing" (the connection is held open); "close" (the connection is closed at once).
"""

import argparse
import collections
import gzip
import json
import select
import ssl
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HTML = "<html><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1></body></html>"

PRESETS = {
    "forbidden": {"status": 403, "headers": {"Content-Type": "text/html"}, "body": HTML},
    "rate_limited": {"status": 429, "headers": {"Retry-After": "1"}, "body": '{"code":429,"message":"slow down"}'},
    "banned": {"status": 418, "headers": {"Retry-After": "2"}, "body": '{"code":418,"message":"banned"}'},
    "code_2136": {"status": 400, "body": '{"message":"Too many api request","code":2136}'},
    "server_error": {"status": 502, "headers": {"Content-Type": "text/html"}, "body": HTML.replace("403", "502")},
    "html": {"headers": {"Content-Type": "text/html"}, "body": HTML},
    "empty": {"body": "[]"},
    "cut": {"body": '[{"symbol":"btcinr","lastPrice":"1'},
    "truncated": {"send": "truncated", "gzip": "never"},
    "hang": {"send": "nothing"},
    "half": {"send": "half", "gzip": "never"},
    "close": {"send": "close"},
    "oversized": {"pad_bytes": 9 << 20, "gzip": "never"},
    "bomb": {"pad_bytes": 9 << 20, "gzip": "always"},
}

FIELDS = {"status", "headers", "body", "pad_bytes", "gzip", "chunked", "delay_ms", "send"}

# More than any test needs; the oldest times are kept.
TIMES_LIMIT = 10_000


def binance(ticker):
    """A ticker in the form of Binance."""
    names = ("openPrice", "highPrice", "lowPrice", "lastPrice", "volume", "bidPrice", "askPrice")
    fields = {name: ticker.get(name) for name in names}
    return {"symbol": ticker["symbol"].upper(), **fields, "closeTime": ticker.get("at")}


def kraken(tickers):
    """A response in the form of Kraken, by the names of the markets."""
    result = {}
    for ticker in tickers:
        day = [[ticker.get(name)] * 2 for name in ("highPrice", "lowPrice", "volume")]
        result[f"{ticker['baseAsset']}/{ticker['quoteAsset']}".upper()] = {
            "a": [ticker.get("askPrice"), "1", "1"], "b": [ticker.get("bidPrice"), "1", "1"],
            "c": [ticker.get("lastPrice"), "1"], "h": day[0], "l": day[1], "v": day[2], "o": ticker.get("openPrice")}
    return {"error": [], "result": result}


def wazirx_candle(start, low, high):
    """A candle in the form of WazirX: seconds, and numbers."""
    return [start, low, high, low, high, 0.5]


def binance_candle(start, low, high):
    """A candle in the form of Binance: milliseconds, and strings."""
    return [start, str(low), str(high), str(low), str(high), "0.5", start + 59_999, "1", 3, "0.2", "20", "0"]


def kraken_candle(start, low, high):
    """A candle in the form of Kraken: seconds, and strings, with a mean price before the volume."""
    return [start, str(low), str(high), str(low), str(high), str(high), "0.5", 3]


def coin(rank, known):
    """A coin in the form of CoinRanking."""
    return {
        "marketCap": str(10**12 // rank), "24hVolume": str(10**9 // rank), "btcPrice": "1", "change": "0.5", "tier": 1,
        "listedAt": 1330214400, "lowVolume": False, "sparkline": ["1.5", "2", None], "rank": rank,
        "coinrankingUrl": f"https://coinranking.com/coin/{known['uuid']}", **known}


class Market:
    """The tickers that are served."""

    def __init__(self):
        self.lock = threading.Lock()
        self.tickers = []
        self.rates = ""
        self.coins = []
        self.key = None
        self.past = []
        self.sequence = []
        self.candles = {"low": 1, "high": 1, "delay_ms": 0, "refuse": 0}
        self.candle_requests = []

    def body(self):
        with self.lock:
            if self.sequence:
                self.tickers = self.sequence.pop()
            return json.dumps(self.tickers, separators=(",", ":"))

    def binance(self):
        with self.lock:
            return json.dumps([binance(ticker) for ticker in self.tickers])

    def kraken(self):
        with self.lock:
            return json.dumps(kraken(self.tickers))

    def coin_page(self, query):
        first, count = int(query["offset"][0]), int(query["limit"][0])
        with self.lock:
            coins = [coin(rank, known) for rank, known in enumerate(self.coins, 1)][first : first + count]
            return json.dumps({"status": "success", "data": {"stats": {}, "coins": coins}})

    def past_prices(self):
        with self.lock:
            history = [{"price": price, "timestamp": time} for time, price in reversed(self.past)]
            return json.dumps({"status": "success", "data": {"change": "1.25", "history": history}})

    def replace(self, tickers):
        with self.lock:
            self.tickers = tickers

    def play(self, responses):
        with self.lock:
            self.sequence = responses[::-1]

    def klines(self, query):
        """The status and the body of a response with candles: of Binance if the symbol is in upper case."""
        with self.lock:
            self.candle_requests.append(query["symbol"])
            candles = dict(self.candles)
            if candles["refuse"]:
                self.candles["refuse"] -= 1
        time.sleep(candles["delay_ms"] / 1000)
        if query["symbol"].isupper():
            if candles["refuse"]:
                return 429, '{"code":-1003,"msg":"Too much request weight used"}'
            unit, row = 1000, binance_candle
        else:
            if candles["refuse"]:
                return 429, '{"message":"Too many api request","code":2136}'
            unit, row = 1, wazirx_candle
        starts = range(int(query["startTime"]), int(query["endTime"]), 60 * unit)[: int(query["limit"])]
        return 200, json.dumps([row(start, candles["low"], candles["high"]) for start in starts])

    def ohlc(self, query):
        """A response of Kraken with candles: at most the last 720, the newest of which is not complete."""
        with self.lock:
            self.candle_requests.append(query["pair"])
            candles = dict(self.candles)
            if candles["refuse"]:
                self.candles["refuse"] -= 1
        time.sleep(candles["delay_ms"] / 1000)
        if candles["refuse"]:
            return json.dumps({"error": ["EGeneral:Too many requests"]})
        newest = int(time.time()) // 60 * 60
        first = max(int(query["since"]) // 60 * 60 + 60, newest - 719 * 60)
        rows = [kraken_candle(start, candles["low"], candles["high"]) for start in range(first, newest + 1, 60)]
        return json.dumps({"error": [], "result": {query["pair"]: rows, "last": newest - 60}})

    def add(self, ticker):
        with self.lock:
            self.tickers.append(ticker)

    def change(self, symbol, fields):
        with self.lock:
            ticker = self._find(symbol)
            for name, value in fields.items():
                if value is None:
                    ticker.pop(name, None)
                else:
                    ticker[name] = value

    def remove(self, symbol):
        with self.lock:
            self.tickers.remove(self._find(symbol))

    def _find(self, symbol):
        for ticker in self.tickers:
            if ticker.get("symbol") == symbol:
                return ticker
        raise ValueError(f"no ticker of {symbol}")


class Script:
    """How the next requests are answered."""

    def __init__(self):
        self.lock = threading.Lock()
        self.queue = []
        self.otherwise = {}
        self.released = threading.Event()

    def behave(self, behaviour, times):
        if not FIELDS.issuperset(behaviour):
            raise ValueError(f"no such fields of a behaviour: {sorted(set(behaviour) - FIELDS)}")
        with self.lock:
            if times is None:
                self.otherwise = behaviour
            else:
                self.queue += [behaviour] * times

    def normal(self):
        with self.lock:
            self.queue, self.otherwise = [], {}
            self.released.set()
            self.released = threading.Event()

    def next(self):
        """The behaviour of this request, and what ends its hold."""
        with self.lock:
            return (self.queue.pop(0) if self.queue else self.otherwise), self.released


class Log:
    """The requests received."""

    def __init__(self):
        self.changed = threading.Condition()
        self.started = time.monotonic()
        self.connections = 0
        self.requests = 0
        self.answered = 0
        self.now = 0
        self.most_at_once = 0
        self.last = None
        self.paths = collections.Counter()
        self.times_ms = []

    def connected(self):
        with self.changed:
            self.connections += 1

    def begin(self, handler):
        with self.changed:
            self.requests += 1
            self.now += 1
            self.paths[handler.path.partition("?")[0]] += 1
            self.most_at_once = max(self.most_at_once, self.now)
            self.last = {
                "path": handler.path,
                "tls": isinstance(handler.connection, ssl.SSLSocket),
                "headers": {name.lower(): value for name, value in handler.headers.items()},
            }
            if len(self.times_ms) < TIMES_LIMIT:
                self.times_ms.append(int((time.monotonic() - self.started) * 1000))
            self.changed.notify_all()

    def end(self):
        with self.changed:
            self.now -= 1
            self.answered += 1
            self.changed.notify_all()

    def wait(self, field, count, limit_ms):
        with self.changed:
            return self.changed.wait_for(lambda: getattr(self, field) >= count, limit_ms / 1000)

    def report(self):
        with self.changed:
            return {
                "connections": self.connections,
                "requests": self.requests,
                "answered": self.answered,
                "most_at_once": self.most_at_once,
                "last": self.last,
                "paths": dict(self.paths),
                "times_ms": list(self.times_ms),
            }


class Exchange:
    """State shared by the servers."""

    def __init__(self):
        self.market = Market()
        self.script = Script()
        self.log = Log()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version = "exchange"
    sys_version = ""

    def setup(self):
        if self.server.tls:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()
        self.server.exchange.log.connected()

    def do_GET(self):
        exchange = self.server.exchange
        exchange.log.begin(self)
        try:
            self.answer(*exchange.script.next())
        except OSError:
            self.close_connection = True
        finally:
            exchange.log.end()

    def answer(self, behaviour, released):
        if released.wait(behaviour.get("delay_ms", 0) / 1000):
            behaviour = {}
        send = behaviour.get("send", "all")
        if send in ("nothing", "close"):
            self.close_connection = True
            if send == "nothing":
                self.hold(released)
            return
        status, headers, body = self.compose(behaviour)
        self.send_head(status, headers, None if behaviour.get("chunked") else len(body))
        if send == "all":
            self.send_body(body, behaviour.get("chunked"))
            return
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self.close_connection = True
        if send == "half":
            self.hold(released)

    def hold(self, released):
        """Waits until the script releases the connection or the client closes it; a waiting client sends nothing."""
        while not released.wait(0.02) and not select.select([self.connection], [], [], 0)[0]:
            pass

    def compose(self, behaviour):
        """The status, the headers and the bytes of the body."""
        status = behaviour.get("status", 200)
        text = behaviour.get("body")
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if text is None:
            status, text, headers = self.serve(status, headers)
        headers.update(behaviour.get("headers", {}))
        body = text.encode() + b" " * behaviour.get("pad_bytes", 0)
        if self.wants_gzip(behaviour.get("gzip", "auto")):
            headers["Content-Encoding"] = "gzip"
            body = gzip.compress(body, 6)
        return status, headers, body

    def serve(self, status, headers):
        path, _, query = self.path.partition("?")
        market = self.server.exchange.market
        if "/coin" in path:
            if market.key is not None and self.headers.get("x-access-token") != market.key:
                return 401, '{"status":"fail","type":"INVALID_KEY","message":"Invalid API key"}', headers
            if path.endswith("/history"):
                return status, market.past_prices(), headers
            return status, market.coin_page(urllib.parse.parse_qs(query)), headers
        if path.endswith("/Ticker"):
            return status, market.kraken(), headers
        if path.endswith("/ticker/24hr"):
            return status, market.binance(), headers
        if path.endswith("/tickers/24hr"):
            return status, market.body(), headers
        if path.endswith("/klines"):
            return *market.klines(dict(urllib.parse.parse_qsl(query))), headers
        if path.endswith("/OHLC"):
            return status, market.ohlc(dict(urllib.parse.parse_qsl(query))), headers
        if path.endswith("/eurofxref-daily.xml"):
            return status, market.rates, {"Content-Type": "text/xml"}
        if path.endswith("/ping"):
            return status, "{}", headers
        return 403, HTML, {"Content-Type": "text/html"}

    def wants_gzip(self, choice):
        return choice == "always" or (choice == "auto" and "gzip" in self.headers.get("Accept-Encoding", ""))

    def send_head(self, status, headers, length):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def send_body(self, body, chunked):
        if not chunked:
            self.wfile.write(body)
            return
        for start in range(0, len(body), 4096):
            piece = body[start : start + 4096]
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """One port."""

    daemon_threads = True
    # Tests that start many requests at once must not have connections refused.
    request_queue_size = 128

    def __init__(self, exchange, tls=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.exchange = exchange
        self.tls = tls

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self.server_address[1]

    def handle_error(self, *_):
        """Ignored: some tests close connections or reject the certificate on purpose."""


def obey(exchange, command):
    """Executes a command; returns the fields of the answer other than "ok"."""
    market, script, log = exchange.market, exchange.script, exchange.log
    word = command.pop("do")
    if word == "tickers":
        market.replace(json.loads(Path(command["file"]).read_text()) if "file" in command else command["list"])
    elif word == "sequence":
        market.play(json.loads(Path(command["file"]).read_text()))
    elif word == "change":
        market.change(command["symbol"], command["fields"])
    elif word == "add":
        market.add(command["ticker"])
    elif word == "remove":
        market.remove(command["symbol"])
    elif word == "freeze":
        book = {} if command.get("book") else {"bidPrice": "0.0", "askPrice": "0.0"}
        market.change(command["symbol"], {"volume": "0", **book})
    elif word == "coins":
        market.coins, market.key = command["list"], command.get("key")
    elif word == "past":
        market.past = command["points"]
    elif word == "candles":
        market.candles.update(command)
    elif word == "rates":
        market.rates = command["text"]
    elif word == "behave":
        times = command.pop("times", None)
        preset = command.pop("as", None)
        script.behave({**(PRESETS[preset] if preset else {}), **command}, times)
    elif word == "normal":
        script.normal()
    elif word == "wait":
        field = "answered" if command.get("answered") else "requests"
        return {"ok": log.wait(field, command[field], command.get("limit_ms", 110_000))}
    elif word == "report":
        return {**log.report(), "candle_requests": list(market.candle_requests)}
    else:
        raise ValueError(f"no command {word}")
    return {}


def read_commands(exchange):
    for line in sys.stdin:
        try:
            answer = {"ok": True, **obey(exchange, json.loads(line))}
        except (ValueError, KeyError, OSError, TypeError) as error:
            answer = {"ok": False, "error": repr(error)}
        print(json.dumps(answer), flush=True)


def speak_old_tls(tls):
    """Allows TLS 1.0 and 1.1 only, which today's defaults refuse."""
    tls.set_ciphers("ALL:@SECLEVEL=0")
    tls.minimum_version = ssl.TLSVersion.TLSv1
    tls.maximum_version = ssl.TLSVersion.TLSv1_1


def main():
    parser = argparse.ArgumentParser(description="A scripted exchange for tests.")
    parser.add_argument("--tls-cert", help="a PEM file with the certificate; serves https as well")
    parser.add_argument("--tls-key", help="a PEM file with its key")
    parser.add_argument("--old-tls", action="store_true", help="speak nothing newer than TLS 1.1")
    parser.add_argument("--tickers", help="a JSON file with the tickers to begin with")
    options = parser.parse_args()

    exchange = Exchange()
    if options.tickers:
        exchange.market.replace(json.loads(Path(options.tickers).read_text()))
    ports = {"http": Server(exchange).start(), "https": None}
    if options.tls_cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(options.tls_cert, options.tls_key)
        # As servers do: a client that offers HTTP/2 would get it, and could not read the answers.
        tls.set_alpn_protocols(["h2", "http/1.1"])
        if options.old_tls:
            speak_old_tls(tls)
        ports["https"] = Server(exchange, tls).start()
    print(json.dumps(ports), flush=True)
    read_commands(exchange)


if __name__ == "__main__":
    main()
