"""A scripted server of desktop notifications for the end-to-end tests, on the bus of DBUS_SESSION_BUS_ADDRESS.

It prints `ready`, and then each notification as a line of JSON. A line of its input is a JSON list: the number of a
notification and the key of an action that a user chooses. It uses the package jeepney.
"""

import json
import queue
import sys
import threading

from jeepney import DBusAddress, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

NAME = "org.freedesktop.Notifications"
ADDRESS = DBusAddress("/org/freedesktop/Notifications", bus_name=NAME, interface=NAME)

commands = queue.Queue()


def read_commands():
    for line in sys.stdin:
        commands.put(json.loads(line))


def answer(connection, message, number):
    member = message.header.fields.get(3)
    if member == "GetCapabilities":
        connection.send(new_method_return(message, "as", (["actions", "body", "body-markup"],)))
    elif member == "Notify":
        app, replaces, icon, summary, body, actions, hints, timeout = message.body
        number += 1
        shown = replaces or number
        print(
            json.dumps(
                {
                    "app": app, "id": shown, "replaces": replaces, "icon": icon, "summary": summary, "body": body,
                    "actions": actions, "hints": {key: list(value) for key, value in hints.items()},
                    "timeout": timeout,
                }
            ),
            flush=True,
        )
        connection.send(new_method_return(message, "u", (shown,)))
    return number


def main():
    connection = open_dbus_connection()
    connection.send_and_get_reply(message_bus.RequestName(NAME))
    threading.Thread(target=read_commands, daemon=True).start()
    print("ready", flush=True)
    number = 0
    while True:
        try:
            message = connection.receive(timeout=0.05)
            if message.header.message_type == MessageType.method_call:
                number = answer(connection, message, number)
        except TimeoutError:
            pass
        while not commands.empty():
            connection.send(new_signal(ADDRESS, "ActionInvoked", "us", tuple(commands.get())))


main()
