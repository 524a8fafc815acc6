"""A table of a hall gone bad: it has a table's password at the broker, that table's key, and a desk's password.

A real Mosquitto with the organiser's files, the desk and its spectators' pages as ``referee hall`` opens them, and
an honest table. Whatever the other does, the honest table's turns reach the desk and the wall, nothing is told in its
name, no order is carried out that no arbiter gave, and neither broker nor desk takes more than its memory.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from referee.addons.hall.messages import MOST_BYTES, MOST_RULING_BYTES, payload_of
from referee.addons.hall.orders import MakeNote, Order, SignedOrder
from referee.addons.hall.signing import SIGNATURE, id_of, public_of, sign_message, sign_order
from referee.addons.hall.topics import HallTopic, Leaf
from tests.addons.hall.desk.tables import Voice, game_id
from tests.attacks.honesthall import PATIENCE_S, HonestHall
from tests.attacks.outcome import Outcome

MOST_MB = 400.0
BROKER_MB = 500.0
BAD = Voice(66, "Table 1")  # it takes the honest table's name as well
Way = Callable[["Hostile", HonestHall], None]


class Hostile:
    """One connection with the bad table's password. accepted, refused: how many messages the broker took, or not."""

    def __init__(self, hall: HonestHall, name: str = "") -> None:
        self.accepted = self.refused = self.sent = 0
        self.heard: list[str] = []
        self._client = client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
        client.username_pw_set(BAD.id, hall.password(BAD.id))
        client.on_publish = lambda client, data, mid, code, properties: self._published(code.is_failure)
        client.on_message = lambda client, data, message: self.heard.append(message.topic)
        client.reconnect_delay_set(1, 1)
        client.connect("127.0.0.1", hall.port)
        client.loop_start()

    def _published(self, failed: bool) -> None:
        self.refused += failed
        self.accepted += not failed

    def subscribe(self, topic: str) -> None:
        """Subscribe to anything."""
        self._client.subscribe(topic, 1)

    def says(self, leaf: Leaf, payload: bytes, qos: int = 1, retain: bool = False) -> None:
        """Publish on a topic of the bad table's own, with its own signature."""
        topic = str(HallTopic(BAD.id, leaf))
        self.publishes(topic, payload, qos, retain, sign_message(BAD.secret, topic, payload))

    def publishes(
        self, topic: str, payload: bytes, qos: int = 1, retain: bool = False, signature: str = "", wait: bool = False
    ) -> None:
        """Publish anything anywhere."""
        properties = Properties(PacketTypes.PUBLISH)
        if signature:
            properties.UserProperty = (SIGNATURE, signature)
        told = self._client.publish(topic, payload, qos, retain, properties)
        self.sent += 1
        if wait or self.sent % 20 == 0:
            with _whatever():
                told.wait_for_publish(5)

    def close(self) -> None:
        """Go away."""
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def _whatever() -> Iterator[None]:
    """Let the broker throw the bad table out as it likes."""
    try:
        yield
    except (OSError, RuntimeError, ValueError):
        time.sleep(0.1)


@contextmanager
def hostile(hall: HonestHall, name: str = "") -> Iterator[Hostile]:
    """Come in as the bad table."""
    one = Hostile(hall, name)
    try:
        yield one
    finally:
        one.close()


def forge(bad: Hostile, hall: HonestHall) -> None:
    """Speak for the honest table on all its topics, with one's own signature and with none."""
    for leaf in Leaf:
        topic = str(HallTopic(hall.table, leaf))
        _, payload, _ = BAD.stands(2**50, event=99)
        for signature in ("", sign_message(BAD.secret, topic, payload)):
            bad.publishes(topic, payload, retain=True, signature=signature, wait=True)
    bad.publishes(f"homeassistant/device/referee-{hall.table}/config", b"{}", retain=True, wait=True)
    about = json.loads(BAD.about(2**50)[1])
    for key in ("id", "key"):
        bad.says(Leaf.ABOUT, json.dumps(about | {key: json.loads(hall.about)[key]}).encode())


def order(bad: Hostile, hall: HonestHall) -> None:
    """Order something at the honest table: as a desk of one's own, and as the desk that it trusts."""
    does = MakeNote(words="forged")
    own = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
    for desk in (id_of(public_of(own)), hall.desk):
        given = Order(
            order="f" * 32, number=2**52, table=hall.table, desk=desk, game=hall.game, event=hall.last,
            head=hall.head, by="Ana", does=does,
        )  # fmt: skip
        body = json.dumps(given.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        sent = SignedOrder(desk=desk, body=body, signature=sign_order(own, body))
        bad.publishes(str(HallTopic(hall.table, Leaf.COMMAND)), payload_of(sent), wait=True)
        hall.as_desk(payload_of(sent))  # and somebody has the desk's password, too
    for seen in hall.orders_seen:
        bad.publishes(str(HallTopic(hall.table, Leaf.COMMAND)), seen, wait=True)
        hall.as_desk(seen)


def listen(bad: Hostile, hall: HonestHall) -> None:
    """Read what is not one's own."""
    for topic in ("#", "referee/v1/#", f"referee/v1/{hall.table}/#", "$SYS/#", "$share/a/referee/v1/+/state"):
        bad.subscribe(topic)


def hold(hall: HonestHall, name: str, parts: ExitStack) -> None:
    """Hold a connection by that name, and say nothing more."""
    client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
    client.username_pw_set(BAD.id, hall.password(BAD.id))
    client.connect("127.0.0.1", hall.port)
    parts.callback(client.disconnect)


WRONG = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\xff" * 1000,
    b"[" * 200_000,
    b'{"sent":' + b"9" * 4000 + b"}",
    b'{"a":' * 5000,
)
VIEWS: tuple[object, ...] = (
    {"violation": {}},
    {"seats": [{"colour": []}], "players": {"red": {}}, "board": [[]]},
    {"board": 7, "kit": "x", "palette": [], "players": 1, "seats": {}},
    {"board": {"text": None}, "kit": {"pieces": [{"word": {}}]}, "palette": {"red": None}, "acts": 3},
    {"board": json.loads("[" * 150 + "]" * 150)},
    {"board": float("inf")},
    {"board": float("nan"), "language": 5, "title": {"en": 1, "de": 2, "fr": 3}},
)


def wrong_types(bad: Hostile, hall: HonestHall) -> None:
    """Tell what fits no model, and boards that fit one but can't be drawn."""
    bad.says(Leaf.ABOUT, BAD.about(1)[1], retain=True)
    for leaf in Leaf:
        for payload in WRONG:
            bad.says(leaf, payload, retain=payload != b"")
    state = json.loads(BAD.stands(1)[1])
    for number, view in enumerate(VIEWS):
        for names in (True, False):
            room = {"shown": True, "names": names, "pictures": True, "breaches": True}
            told = state | {"sent": 1000 + 2 * number + names, "event": number, "view": view, "room": room}
            bad.says(Leaf.STATE, json.dumps(told).encode(), retain=True)
            time.sleep(0.3)  # so that each is drawn once


def sizes(bad: Hostile, hall: HonestHall) -> None:
    """Send the largest there is: what just passes, and what the broker refuses."""
    bad.says(Leaf.ABOUT, BAD.about(1)[1], retain=True)
    state = json.loads(BAD.stands(1)[1])
    for number in range(60):
        view = {"board": [{}] * 150_000, "n": number}
        told = json.dumps(state | {"sent": 2**40 + number, "event": number, "view": view}, separators=(",", ":"))
        bad.says(Leaf.STATE, told.encode(), retain=True)
        time.sleep(0.05)
    ruling = json.loads(BAD.rules(1, 1)[1])
    fields = [f"{at}" for at in range(1000)]
    broken = [{"rule": "x", "words": ruling["words"], "fields": fields}] * 8
    for number in range(300):
        place = {"sent": 2**40 + number, "event": number + 1, "game": game_id(number % 5)}
        told = json.dumps(ruling | place | {"violations": broken}, separators=(",", ":"))
        assert len(told) < MOST_RULING_BYTES
        bad.says(Leaf.RULING, told.encode())
    assert hall.shows(BAD.id, 59), "else nothing was tried: the desk has taken in the largest states"
    with _whatever():
        bad.publishes("referee/v1/" + "x" * 60_000, b"x", wait=True)
    bad.publishes(str(HallTopic(BAD.id, Leaf.STATE)), bytes(8 * MOST_BYTES), wait=True)


def topics(bad: Hostile, hall: HonestHall) -> None:
    """Have the broker keep thousands of topics, and take thousands of subscriptions."""
    for number in range(4000):
        for topic in (f"referee/v1/{BAD.id}/answer/{number:016x}", f"referee/v1/{number:016x}/about", f"x/{number}"):
            bad.publishes(topic, bytes(20_000), retain=True)
        bad.subscribe(f"referee/v1/{number}/#")


def keep_orders(bad: Hostile, hall: HonestHall) -> None:
    """Have the broker keep 420 MB of orders, by a desk's password, for tables that nobody knows; start it anew."""
    large = bytes(500_000)
    taken = [number for number in range(840) if not hall.keeps_as_desk(f"referee/v1/{number:016x}/command", large)]
    assert not taken, f"the broker keeps {len(taken)} large orders for nobody"
    hall.restart_broker()


class Flood:
    """Publishes as fast as it can until it is stopped, in a thread of its own."""

    def __init__(self, bad: Hostile, payloads: list[tuple[Leaf, bytes]], qos: int) -> None:
        self._bad, self._qos = bad, qos
        self._told = [
            (str(topic), payload, sign_message(BAD.secret, str(topic), payload))
            for leaf, payload in payloads
            for topic in [HallTopic(BAD.id, leaf)]
        ]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._stop.is_set():
            for topic, payload, signature in self._told:
                with _whatever():
                    self._bad.publishes(topic, payload, self._qos, signature=signature)

    def __enter__(self) -> Flood:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


FLOODS = (
    "small events",
    "small events nobody acknowledges",
    "who it is, again and again",
    "rubbish on all topics",
    "large states",
)


def flood_of(name: str) -> tuple[list[tuple[Leaf, bytes]], int]:
    """Return what is sent at any rate: leaves and payloads, and the quality of service."""
    chance = random.Random(1)
    if name.startswith("small events"):
        events = [(Leaf.EVENT, BAD.event(n, n, game=n % 9, replaces=1)[1]) for n in range(1, 500)]
        return events, 0 if name.endswith("acknowledges") else 1
    if name == "large states":
        view = {"board": chance.randbytes(200_000).hex()}
        return [(Leaf.STATE, json.dumps(json.loads(BAD.stands(1)[1]) | {"view": view}).encode())], 0
    if name == "rubbish on all topics":
        return [(leaf, chance.randbytes(50)) for leaf in Leaf], 0
    return [(Leaf.ABOUT, BAD.about(1)[1])], 0


WAYS: dict[str, Way] = {
    "forging": forge,
    "ordering": order,
    "listening": listen,
    "wrong types": wrong_types,
    "sizes": sizes,
    "topics": topics,
    "orders for nobody": keep_orders,
}


def attack(
    seconds: float = 20.0,
    ways: tuple[str, ...] = tuple(WAYS),
    floods: tuple[str, ...] = FLOODS,
    connections: int = 1100,
) -> Outcome:
    """Attack in every way that is named, one after the other. seconds: how long each flood lasts."""
    outcome = Outcome("a table of the hall gone bad")
    with tempfile.TemporaryDirectory(prefix="referee-hostile-") as folder, ExitStack() as parts:
        hall = HonestHall(Path(folder), [BAD.id], parts)
        hall.turn()
        outcome.holds(hall.order(), "an arbiter's order is carried out")
        before = hall.notes
        for name in ways:
            with hostile(hall) as bad:
                WAYS[name](bad, hall)
                _checked(outcome, hall, f"{name} ({bad.sent} messages, {bad.refused} refused)")
                foreign = [topic for topic in bad.heard if BAD.id not in topic]
                outcome.holds(not foreign, f"{name}: it hears nothing of others {foreign[:1]}")
        for name in floods:
            with hostile(hall) as bad:
                bad.says(Leaf.ABOUT, BAD.about(1)[1], retain=True)
                outcome.holds(hall.marks(BAD.id, False), f"a flood of {name}: the desk hears the table before it")
                with Flood(bad, *flood_of(name)):
                    hall.turn()
                    _flooded(outcome, hall, f"a flood of {name}", seconds)
                    marked = hall.marks(BAD.id, True)
                what = f"a flood of {name} ({bad.accepted} of {bad.sent} messages taken by the broker)"
                outcome.holds(marked and bad.accepted > 1, f"{what}: the desk says that the table is left out")
        with ExitStack() as more:
            for number in range(connections):
                with _whatever():
                    hold(hall, f"referee-{hall.table}" if number % 2 else f"x{number}", more)
            _checked(
                outcome,
                hall,
                f"{connections} connections, each in place of the one before, half by the honest table's name",
            )
        hall.open_desk_again()
        _checked(outcome, hall, "the desk opened anew, with all that was left at the broker")
        outcome.holds(hall.notes == before, "nothing was ordered but by the arbiter")
        outcome.holds(hall.honest(), "all that is told of the honest table is its own")
    return outcome


def _flooded(outcome: Outcome, hall: HonestHall, what: str, seconds: float) -> None:
    """Play turn after turn for so long; note the slowest."""
    until_s, slowest_s = time.monotonic() + seconds, 0.0
    while time.monotonic() < until_s:
        slowest_s = max(slowest_s, hall.turn())
    _told(outcome, hall, what, slowest_s)


def _checked(outcome: Outcome, hall: HonestHall, what: str) -> None:
    """Play a turn at the honest table, and look at what everybody sees of it."""
    _told(outcome, hall, what, hall.turn())


def _told(outcome: Outcome, hall: HonestHall, what: str, took_s: float) -> None:
    seen = f"the honest table's turns are at the desk and on the wall ({took_s:.1f} s)"
    outcome.holds(took_s < PATIENCE_S, f"{what}: {seen}")
    outcome.holds(hall.desk_mb < MOST_MB, f"{what}: the desk holds {hall.desk_mb:.0f} MB")
    outcome.holds(hall.broker_mb < BROKER_MB, f"{what}: the broker holds {hall.broker_mb:.0f} MB")
