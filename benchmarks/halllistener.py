"""The reference of a hall's desk: a bare MQTT client that hears the same and makes nothing of it.

``python -m benchmarks.halllistener ADDRESS LOG`` notes when each ruling came, until it is ended.
"""

from __future__ import annotations

import os
import sys
import time

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from referee.addons.hall.address import broker_address
from referee.addons.hall.client import client_for
from referee.addons.hall.topics import QOS, ROOT


def listen(address: str, log: int) -> None:
    """Listen until the process ends."""
    broker = broker_address(address)
    client = client_for(broker, "bench-listener", reconnects=True)

    def connected(
        client: Client, data: object, flags: ConnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        client.subscribe(f"{ROOT}/#", QOS)

    def heard(client: Client, data: object, message: MQTTMessage) -> None:
        now_s = time.monotonic()
        _, _, table, leaf, *_ = message.topic.split("/")
        if leaf == "ruling":
            game = message.payload.partition(b'"game":"')[2].partition(b'"')[0].decode()
            number = message.payload.partition(b'"event":')[2].partition(b",")[0].decode()
            os.write(log, f"{now_s:.6f} {table} {game or '-'} {number}\n".encode())

    client.on_connect, client.on_message = connected, heard
    client.connect(broker.host, broker.port)
    client.loop_forever()


if __name__ == "__main__":
    listen(sys.argv[1], os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
