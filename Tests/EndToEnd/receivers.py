"""Scripted receivers of notifications, for the end-to-end tests: an HTTP server, and a mail server where the package
aiosmtpd is installed.

    receivers.py SCRIPT [SECRET [CERTIFICATE KEY]]

SCRIPT is a JSON object: for each path without its slash, a list of answers; after the last one, everything is accepted
with status 200. What goes to /gotify/message is answered as Gotify does. An answer is a status, an object with "status"
and "headers", or a word: "hang" (no answer), "half" (half of the answer, then nothing), "slow" (the body comes a byte
at a time), "lost" (the connection is closed after the request), "random" (half of all requests fail, without end). The
mail server follows the list "smtp" of reply lines.

It prints its ports as one line of JSON, `{"http": 40001, "smtp": 40002}`, and then each request: its path, headers and
body, and with SECRET whether the package standardwebhooks accepts its signature. With CERTIFICATE and KEY it serves
HTTPS. A request that is meant for a proxy has the name "http:".
"""

import itertools
import json
import random
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCRIPT = json.loads(sys.argv[1])
SECRET = sys.argv[2] if len(sys.argv) > 2 and sys.argv[2] else None
LOCK = threading.Lock()
MESSAGES = itertools.count(1)
GOTIFY_TOKEN = "AbcDEF.123"
GOTIFY_REFUSAL = {
    "error": "Unauthorized",
    "errorCode": 401,
    "errorDescription": "you need to provide a valid access token or user credentials to access this api",
}


def write(value):
    with LOCK:
        print(json.dumps(value), flush=True)


def verified(headers, body):
    from standardwebhooks import Webhook

    try:
        Webhook(SECRET).verify(body, headers)
        return True
    except Exception as error:  # The package has several errors.
        return str(error)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        name = self.path.split("?")[0].strip("/").split("/")[0] or "root"
        with LOCK:
            answers = SCRIPT.get(name, [])
            answer = answers[0] if answers else 200
            if answers and answer != "random":
                answers.pop(0)
        if answer == "random":
            answer = random.choice([200, 500, "lost", 200])
        if self.path == "/gotify/message":
            answer = self.gotify(body)
        headers = {key.lower(): value for key, value in self.headers.items()}
        entry = {
            "name": name,
            "method": self.command,
            "path": self.path,
            "headers": headers,
            "body": body.decode(),
            "answer": answer,
        }
        if SECRET and "webhook-signature" in headers:
            entry["verified"] = verified(headers, body)
        self.reply(answer, entry)

    def gotify(self, body):
        if self.headers.get("X-Gotify-Key") != GOTIFY_TOKEN:
            return 401
        message = json.loads(body)
        is_good = message.get("message") and isinstance(message.get("priority", 0), int)
        return 200 if is_good and self.headers.get("Content-Type") == "application/json" else 400

    do_PUT = do_POST
    do_GET = do_POST

    def reply(self, answer, entry):
        if answer == "lost":
            write(entry)
            self.close_connection = True
            return
        if answer == "hang":
            write(entry)
            time.sleep(3_600)
        answer = answer if isinstance(answer, dict) else {"status": answer}
        word = answer["status"] if isinstance(answer["status"], str) else None
        status = 200 if word else answer["status"]
        write(entry)
        # Telegram names each message.
        text = b"" if status == 204 else b'{"ok":true,"result":{"message_id":%d}}' % next(MESSAGES)
        if self.path == "/gotify/message" and status == 401:
            text = json.dumps(GOTIFY_REFUSAL).encode()
        self.send_response(status)
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if word == "half":
            self.wfile.write(text[:4])
            self.wfile.flush()
            time.sleep(3_600)
        for byte in text if word == "slow" else [text]:
            self.wfile.write(bytes([byte]) if word == "slow" else byte)
            self.wfile.flush()
            if word == "slow":
                time.sleep(0.05)


class Mail:
    async def handle_DATA(self, server, session, envelope):
        answers = SCRIPT.get("smtp", [])
        answer = answers[0] if answers else "250 OK"
        if answer == "random":
            answer = random.choice(["250 OK", "451 later"])
        elif answers:
            answers.pop(0)
        write(
            {
                "name": "smtp",
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "body": envelope.content.decode(),
                "answer": answer,
            }
        )
        return answer


def start_mail():
    try:
        from aiosmtpd.controller import Controller
    except ImportError:
        return None
    # Port 0 is not possible: the controller connects to itself by the number.
    for _ in range(50):
        controller = Controller(Mail(), hostname="127.0.0.1", port=random.randint(20_000, 60_000))
        try:
            controller.start()
            return controller.port
        except OSError:
            continue
    return None


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 4:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    # A client that does not trust the certificate ends the connection.
    server.handle_error = lambda *_: None
write({"http": server.server_address[1], "smtp": start_mail()})
threading.Thread(target=server.serve_forever, daemon=True).start()
# Ends with the test that started it.
sys.stdin.read()
