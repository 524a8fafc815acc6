"""The desk's line to the broker, which comes back by itself. What comes of each table is metered first."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.hall.address import BrokerAddress
from referee.hall.messages import MOST_BYTES, HallError
from referee.hall.topics import QOS, ROOT, HallTopic, Leaf, parse_topic

try:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.enums import MQTTErrorCode
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

    from referee.hall.client import KEEPALIVE_S, client_for, on_connecting, secure, signature_of
except ImportError as error:
    raise HallError(
        "a hall needs paho-mqtt, which is not installed: run pip install 'tower-referee[hall]'"
    ) from error

RETRY_S = (1, 30)
KEPT_S = 3600
"""The broker keeps what comes for the desk so long while it is away."""
HEARD = (Leaf.ABOUT, Leaf.AVAILABILITY, Leaf.STATE, Leaf.RULING, Leaf.CLOCK, Leaf.HEALTH, Leaf.EVENT, Leaf.ANSWER)
MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 3000.0, 50.0
"""Of one table. A table that catches up after an hour sends a thousand events at once."""
BYTES_AT_ONCE, BYTES_A_SECOND = 64e6, 1e6

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Meter:
    """How much may still come of one table."""

    at_s: float
    messages: float = MESSAGES_AT_ONCE
    size: float = BYTES_AT_ONCE

    def admits(self, size: int, now_s: float) -> bool:
        """Count a message of so many bytes, and return whether it may be read."""
        passed_s, self.at_s = now_s - self.at_s, now_s
        self.messages = min(MESSAGES_AT_ONCE, self.messages + passed_s * MESSAGES_A_SECOND)
        self.size = min(BYTES_AT_ONCE, self.size + passed_s * BYTES_A_SECOND)
        if self.messages < 1 or self.size < size:
            return False
        self.messages, self.size = self.messages - 1, self.size - size
        return True


class DeskLine:
    """The connection of one desk, open while it is entered.

    heard: given topic, payload and signature, in the line's thread. changed: told whether the broker is there, and
    why not. floods: told of a table whose messages are more than can be read; they are left out until it is quieter.
    """

    def __init__(
        self,
        address: BrokerAddress,
        desk: str,
        heard: Callable[[HallTopic, bytes, str], None],
        changed: Callable[[bool, str], None],
        floods: Callable[[str, bool], None],
    ) -> None:
        self._address, self._desk, self._heard = address, desk, heard
        self._changed, self._floods = changed, floods
        self._tables: set[str] = set()
        self._meters: dict[str, Meter] = {}
        self._flooding: set[str] = set()
        self._mutex = threading.Lock()
        self._client = client = client_for(address, f"referee-desk-{desk}", reconnects=True)
        client.reconnect_delay_set(*RETRY_S)
        client.on_connect, client.on_connect_fail = self._on_connect, self._on_connect_fail
        client.on_disconnect, client.on_message = self._on_disconnect, self._on_message

    def open(self) -> None:
        """Begin to connect; it is tried until the line is closed. Raises HallError."""
        wanted = on_connecting()
        wanted.SessionExpiryInterval = KEPT_S
        wanted.MaximumPacketSize = 2 * MOST_BYTES
        try:
            secure(self._client, self._address)
        except OSError as error:
            raise HallError(f"{self._address}: {error}") from error
        self._client.connect_async(self._address.host, self._address.port, KEEPALIVE_S, properties=wanted)
        self._client.loop_start()

    def follow(self, table: str) -> None:
        """Have everything come that a table says. Called once it has said who it is."""
        with self._mutex:
            if table in self._tables:
                return
            self._tables.add(table)
        self._subscribe([table])

    def publish(self, topic: HallTopic, payload: bytes) -> bool:
        """Publish a message; return whether the line took it."""
        if not self._client.is_connected():
            return False
        return self._client.publish(str(topic), payload, QOS).rc is MQTTErrorCode.MQTT_ERR_SUCCESS

    def close(self) -> None:
        """End the connection."""
        self._client.disconnect()
        self._client.loop_stop()

    def _subscribe(self, tables: Iterable[str]) -> None:
        for table in tables:
            topics = [str(HallTopic(table, leaf)) for leaf in HEARD]
            self._client.subscribe([(topic, QOS) for topic in topics])

    def _on_connect(
        self, client: Client, data: object, flags: ConnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        if code.is_failure:
            self._changed(False, str(code))
            return
        self._changed(True, "")
        client.subscribe(f"{ROOT}/+/{Leaf.ABOUT}", QOS)
        with self._mutex:
            known = list(self._tables)
        self._subscribe(known)

    def _on_connect_fail(self, client: Client, data: object) -> None:
        self._changed(False, f"nobody answers at {self._address}, or its certificate is by nobody who is known here")

    def _on_disconnect(
        self, client: Client, data: object, flags: DisconnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        self._changed(False, str(code))

    def _on_message(self, client: Client, data: object, message: MQTTMessage) -> None:
        topic = parse_topic(message.topic)
        if topic is None or not self._admits(topic.table, len(message.payload)):
            return
        try:
            self._heard(topic, bytes(message.payload), signature_of(message))
        except HallError as error:
            _LOG.debug("%s", error)
        except Exception:  # what one table sends must not keep the others from being heard
            _LOG.exception("a message of table %s could not be taken in", topic.table)

    def _admits(self, table: str, size: int) -> bool:
        with self._mutex:
            followed = table in self._tables
        # Whoever is not known yet shares one measure: names are free, and each would bring a measure of its own.
        meter = self._meters.setdefault(table if followed else "", Meter(time.monotonic()))
        admitted = meter.admits(size, time.monotonic())
        if admitted is (table in self._flooding):
            (self._flooding.discard if admitted else self._flooding.add)(table)
            if followed:
                self._floods(table, not admitted)
        return admitted
