"""What the end-to-end tests ask a NATS server, with its official client (the package nats-py).

    nats_client.py URL CA stream NAME SUBJECT SECONDS    creates a stream with a duplicate window
    nats_client.py URL CA messages NAME                  prints the messages of a stream as a list in JSON

CA is a file with certificate authorities, or `-`.
"""

import asyncio
import base64
import json
import ssl
import sys

import nats
from nats.js.api import StreamConfig


async def ask(client, subject, **parameters):
    reply = await client.request(f"$JS.API.{subject}", json.dumps(parameters).encode() if parameters else b"")
    return json.loads(reply.data)


async def messages(client, name):
    state = (await ask(client, f"STREAM.INFO.{name}"))["state"]
    found = []
    for number in range(state["first_seq"], state["last_seq"] + 1):
        reply = await ask(client, f"STREAM.MSG.GET.{name}", seq=number)
        if "message" not in reply:
            continue
        message = reply["message"]
        headers = base64.b64decode(message.get("hdrs", "")).decode()
        ids = [line.split(": ", 1)[1] for line in headers.splitlines() if line.startswith("Nats-Msg-Id: ")]
        found.append(
            {
                "seq": number,
                "subject": message["subject"],
                "id": ids[0] if ids else None,
                "event": json.loads(base64.b64decode(message.get("data", "")) or "null"),
            }
        )
    return found


async def main(url, authority, command, name, *rest):
    context = ssl.create_default_context(cafile=authority) if authority != "-" else None
    client = await nats.connect(url, tls=context, max_reconnect_attempts=1)
    stream = client.jetstream()
    if command == "stream":
        subject, seconds = rest
        await stream.add_stream(StreamConfig(name=name, subjects=[subject], duplicate_window=float(seconds)))
    elif command == "messages":
        print(json.dumps(await messages(client, name)))
    await client.close()


asyncio.run(main(*sys.argv[1:]))
