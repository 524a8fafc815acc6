"""The desk's line to the broker, which comes back by itself. What comes of each table is metered first."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable

from referee.addons.hall.address import BrokerAddress
from referee.addons.hall.desk.metering import NEWCOMERS, Floods
from referee.addons.hall.messages import MOST_BYTES, HallError
from referee.addons.hall.topics import QOS, ROOT, HallTopic, Leaf, parse_topic

try:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.enums import MQTTErrorCode
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

    from referee.addons.hall.client import KEEPALIVE_S, client_for, on_connecting, secure, signature_of
except ImportError as error:
    raise HallError(
        "a hall needs paho-mqtt, which is not installed: run pip install 'tower-referee[hall]' in the referee's "
        "environment"
    ) from error

NEWCOMERS_TOPIC = f"{ROOT}/+/{Leaf.ABOUT}"
"""Tables make themselves known here."""
RETRY_S = (1, 30)
KEPT_S = 3600
"""The broker keeps what comes for the desk so long while it is away."""
HEARD = (Leaf.ABOUT, Leaf.AVAILABILITY, Leaf.STATE, Leaf.RULING, Leaf.CLOCK, Leaf.HEALTH, Leaf.EVENT, Leaf.ANSWER)

_LOG = logging.getLogger(__name__)


class DeskLine:
    """The connection of one desk, open while it is entered.

    heard: given topic, payload and signature, in the line's thread. changed: told whether the broker is there, and
    why not. floods: told of a table whose messages are more than can be read, and that is left out for a while.
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
        self._measures = Floods()
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

    def tick(self) -> None:
        """Have what was left out come again, if it is time. Called now and then."""
        now_s = time.monotonic()
        with self._mutex:
            over, again = self._measures.over(now_s), self._measures.all_again(now_s)
            known = set(self._tables)
        if again:
            self._all_again()
        for table in over:
            if table == NEWCOMERS:
                self._client.subscribe(NEWCOMERS_TOPIC, QOS)
            elif table in known:
                self._subscribe([table])
                self._floods(table, False)

    def _all_again(self) -> None:
        """Subscribe to everything but what is left out; the broker then sends what it keeps once more."""
        with self._mutex:
            resting = set(self._measures.resting)
            tables = self._tables - resting
        if NEWCOMERS not in resting:
            self._client.subscribe(NEWCOMERS_TOPIC, QOS)
        self._subscribe(tables)

    def _leave_out_again(self) -> None:
        """Unsubscribe from what is left out: told without a connection, the broker's session still has it."""
        with self._mutex:
            resting = list(self._measures.resting)
        for left_out in resting:
            self._client.unsubscribe(_topics_of(left_out))

    def _subscribe(self, tables: Iterable[str]) -> None:
        for table in tables:
            self._client.subscribe([(topic, QOS) for topic in _topics(table)])

    def _on_connect(
        self, client: Client, data: object, flags: ConnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        if code.is_failure:
            self._changed(False, str(code))
            return
        self._changed(True, "")
        self._leave_out_again()
        self._all_again()

    def _on_connect_fail(self, client: Client, data: object) -> None:
        self._changed(False, f"nobody answers at {self._address}, or its certificate is by nobody who is known here")

    def _on_disconnect(
        self, client: Client, data: object, flags: DisconnectFlags, code: ReasonCode, properties: Properties | None
    ) -> None:
        self._changed(False, str(code))

    def _on_message(self, client: Client, data: object, message: MQTTMessage) -> None:
        topic = parse_topic(message.topic)
        if topic is None or not self._admits(topic, len(message.payload)):
            return
        try:
            self._heard(topic, bytes(message.payload), signature_of(message))
        except HallError as error:
            _LOG.debug("%s", error)
        except Exception:  # what one table sends must not keep the others from being heard
            _LOG.exception("a message of table %s could not be taken in", topic.table)

    def _admits(self, topic: HallTopic, size: int) -> bool:
        now_s = time.monotonic()
        with self._mutex:
            if self._measures.admits(topic.table, size, now_s):
                return True
            left_out = self._measures.refused(topic.table, topic.leaf is Leaf.ABOUT, now_s)
            followed = topic.table in self._tables
        if left_out is not None:
            if left_out == NEWCOMERS:
                _LOG.warning("table %s goes on introducing itself: no new table is heard for a while", topic.table)
            else:
                _LOG.warning("table %s sends more than can be read, and is left out for a while", topic.table)
            self._client.unsubscribe(_topics_of(left_out))
            if followed:
                self._floods(topic.table, True)
        return False


def _topics_of(left_out: str) -> list[str]:
    return [NEWCOMERS_TOPIC] if left_out == NEWCOMERS else _topics(left_out)


def _topics(table: str) -> list[str]:
    return [str(HallTopic(table, leaf)) for leaf in HEARD]
