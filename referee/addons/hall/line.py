"""The line to the broker: one connection by MQTT 5, which is thrown away when it breaks.

Whatever happens on it waits in a list until the one thread that owns the line takes it; paho's thread does no more.
"""

from __future__ import annotations

import logging
import ssl
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.addons.hall.address import BrokerAddress
from referee.addons.hall.messages import HallError
from referee.addons.hall.orders import MOST_ORDER_BYTES
from referee.addons.hall.topics import QOS

try:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

    from referee.addons.hall.client import KEEPALIVE_S, client_for, on_connecting, secure, signed
except ImportError as error:
    raise HallError(
        "a broker is set under [hall], but paho-mqtt is not installed: run pip install 'tower-referee[hall]' in the "
        "referee's environment, or take the setting out"
    ) from error

CONNECT_S = 5.0
MOST_COME = 64
"""Messages to the table that may wait; more are left out, and their senders ask again."""
WITH_WILL = 0x04
"""MQTT's reason for an end after which the will is still carried out."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """The broker has let the table in, or says why not. why: empty where it has."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """The connection is over."""

    why: str


@dataclass(frozen=True, slots=True)
class Received:
    """The broker has a message of ours, or refuses it. why: empty where it has."""

    mid: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Came:
    """A message for the table."""

    topic: str
    payload: bytes
    retained: bool


@dataclass(frozen=True, slots=True)
class Sealed:
    """A message ready to be published. signature: of the table."""

    topic: str
    payload: bytes
    retain: bool
    signature: str


class BrokerLine:
    """One connection to a broker. wake: called from another thread when something has happened."""

    def __init__(self, address: BrokerAddress, client_id: str, will: Sealed, wake: Callable[[], None]) -> None:
        self._address, self._wake = address, wake
        self._occurred: deque[Opened | Closed | Received] = deque()
        self._came: deque[Came] = deque()
        self._client = client = client_for(address, client_id, reconnects=False)
        client.connect_timeout = CONNECT_S
        client.will_set(will.topic, will.payload, QOS, will.retain, signed(will.signature, PacketTypes.WILLMESSAGE))
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_publish, client.on_message = self._on_publish, self._on_message

    def open(self) -> None:
        """Connect; ``Opened`` says whether the broker lets the table in. Raises HallError."""
        wanted = on_connecting()
        wanted.MaximumPacketSize = 4 * MOST_ORDER_BYTES
        wanted.ReceiveMaximum = MOST_COME
        try:
            secure(self._client, self._address)
            self._client.connect(self._address.host, self._address.port, KEEPALIVE_S, properties=wanted)
        except (OSError, ValueError) as error:
            detail = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else str(error)
            raise HallError(f"{self._address}: {detail}") from error
        self._client.loop_start()

    def publish(self, message: Sealed) -> int:
        """Publish a message and return its id, with which ``Received`` comes."""
        properties = signed(message.signature)
        return self._client.publish(message.topic, message.payload, QOS, message.retain, properties).mid

    def subscribe(self, topic: str) -> None:
        """Have the messages of a topic come."""
        self._client.subscribe(topic, QOS)

    def take(self) -> Iterator[Opened | Closed | Received | Came]:
        """Yield what has happened meanwhile."""
        while self._occurred:
            yield self._occurred.popleft()
        while self._came:
            yield self._came.popleft()

    def close(self, last: Sealed | None = None) -> None:
        """End the connection, after a last message where one is given; else the broker carries out the will."""
        if last is not None and self._client.is_connected():
            info = self._client.publish(last.topic, last.payload, QOS, last.retain, signed(last.signature))
            try:
                info.wait_for_publish(CONNECT_S / 2)
            except (RuntimeError, ValueError):
                _LOG.debug("the broker was not told that the table ends")
        self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL))
        self._client.loop_stop()

    def _note(self, occurred: Opened | Closed | Received) -> None:
        self._occurred.append(occurred)
        self._wake()

    def _on_connect(
        self, client: Client, data: object, flags: ConnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        self._note(Opened(str(code) if code.is_failure else ""))

    def _on_disconnect(
        self, client: Client, data: object, flags: DisconnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        self._note(Closed(str(code)))

    def _on_publish(
        self, client: Client, data: object, mid: int, code: ReasonCode, properties: Properties | None
    ) -> None:
        self._note(Received(mid, str(code) if code.is_failure else ""))

    def _on_message(self, client: Client, data: object, message: MQTTMessage) -> None:
        if len(self._came) < MOST_COME:
            self._came.append(Came(message.topic, bytes(message.payload), message.retain))
            self._wake()
