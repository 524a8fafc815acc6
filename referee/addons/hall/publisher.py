"""Publish a table to the hall, from a thread of its own: the newest state, every event, how the table does.

The turn loop neither waits for this nor knows of it: the thread reads the journal and the view that the page gets,
and what it is late for it publishes as it is then. Without a broker it tries again, more and more rarely.
"""

from __future__ import annotations

import json
import logging
import random
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import JsonValue

from referee.addons.hall.address import BrokerAddress
from referee.addons.hall.chronicle import Chronicle
from referee.addons.hall.homeassistant import discovery, discovery_topic, picture_topic
from referee.addons.hall.line import BrokerLine, Came, Closed, Opened, Received, Sealed
from referee.addons.hall.messages import (
    MOST_BYTES,
    MOST_RULING_BYTES,
    About,
    Availability,
    HallError,
    HallMessage,
    HallRuling,
    Said,
    parsed,
    payload_of,
)
from referee.addons.hall.orders import HallAnswer
from referee.addons.hall.outbox import Outbox, last_stamp
from referee.addons.hall.picture import cameras_lost, clock_of, health_of, measured, ruling_of, state_of
from referee.addons.hall.signing import base64_of, id_of, public_of, sign_message
from referee.addons.hall.spoken import joined, said
from referee.addons.hall.topics import HallTopic, Leaf
from referee.match.events import AnyGame
from referee.storage.journal import Journal, JournalError
from referee.values.metrics import VitalSigns
from referee.values.words import LANGUAGES, Words

ROUND_S = 0.5
"""The thread comes round at least so often."""
PICTURE_S = 0.2
"""The table is told at most so often as it stands."""
HEALTH_S = 15
STOP_S = 8.0
"""A table ends after this, even where the network lets its thread hang."""
MOST_ANSWERS = 16
"""Answers that wait; the oldest are left out."""
RETRY_S = (1.0, 30.0)
"""Wait after a first and after many vain tries, s; by chance up to half as long again, so that tables don't crowd."""
_DOUBLE = "another table has this one's key (id {id}): give each a data folder of its own"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableSource:
    """What a table gives to the hall. All is called in the hall's thread.

    name: of the table, given by people. page: address of its page. journal: of the game played now. view: as the page
    has it, in a language. room: what everybody may see. signs: how the table does. attend: told whether the broker is
    there. sights: by camera, markers and width of edges, px, as in ``HallCamera``; takes some ms a picture.
    reliability: how far the table is to be believed. picture: the newest of the board, a JPEG, empty for none yet;
    None where none may be published.
    """

    game: AnyGame
    name: str
    page: str
    version: str
    journal: Callable[[], Journal]
    view: Callable[[str], Mapping[str, object]]
    room: Callable[[], Mapping[str, object]]
    signs: Callable[[], VitalSigns]
    attend: Callable[[bool], None] = lambda there: None
    sights: Callable[[], Mapping[str, tuple[int, float]]] = dict
    reliability: Callable[[], tuple[Words, ...]] = tuple
    picture: Callable[[], bytes] | None = None


class HallPublisher:
    """Publishes one table as long as it is entered.

    folder: where it stands what was delivered. secret: the table's key. heard: given what comes on the command topic,
    with the game as it is known then, in the hall's thread.
    """

    def __init__(
        self,
        address: BrokerAddress,
        source: TableSource,
        folder: Path,
        secret: Ed25519PrivateKey,
        heard: Callable[[bytes, Chronicle | None], None] = lambda payload, chronicle: None,
    ) -> None:
        self._address, self._source, self._secret, self._heard = address, source, secret, heard
        self.id = id_of(public_of(secret))
        file = folder / "delivered.json"
        self._newest_stamp = last_stamp(file)
        self._stamping = threading.Lock()
        self._outbox = Outbox(file, source.game, source.journal, self.stamp)
        self._wake, self._stop = threading.Event(), threading.Event()
        self._line: BrokerLine | None = None
        self._there = False
        self._published: dict[Leaf, HallMessage] = {}
        self._answers: deque[Sequence[HallAnswer]] = deque(maxlen=MOST_ANSWERS)
        self._offline = Availability(sent=0, state="offline")
        self._told_ms = 0
        """The stamp of this run's last connection that is over; 0 before."""
        self._run_id = secrets.token_hex(8)
        self._about: About | None = None
        self._announced: tuple[str, ...] | None = None
        self._pictured: tuple[str, int] | None = None
        """Game and number of the ruling with which a picture was published."""
        self._lost: dict[str, int] = {}
        self._picture_s = self._health_s = self._retry_s = 0.0
        self._health_told: object = None
        self._shown: object = None
        self._again: deque[tuple[str, int]] = deque(maxlen=MOST_ANSWERS)
        self._vain, self._said = 0, ""
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def wake(self) -> None:
        """Say that something has changed. From any thread; never waits."""
        self._wake.set()

    def stamp(self) -> int:
        """Return the next ``sent``: Unix time, ms, and more than the one before."""
        with self._stamping:
            self._newest_stamp = max(self._newest_stamp + 1, time.time_ns() // 1_000_000)
            return self._newest_stamp

    def answer(self, answers: Sequence[HallAnswer]) -> None:
        """Send answers to desks, if the broker is there. From any thread."""
        self._answers.append(answers)
        self.wake()

    def again(self, game: str, after: int) -> None:
        """Publish the events of a game again, after a number, for who missed some: this one, or one of ``earlier``.

        From any thread.
        """
        self._again.append((game, after))
        self.wake()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self.wake()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            rest_s = self._picture_s - time.monotonic()
            self._wake.wait(rest_s if 0 < rest_s < ROUND_S else ROUND_S)
            self._wake.clear()
            try:
                self._round()
            except JournalError as error:
                self._say(f"events can't be read for the hall: {error}")
            except Exception:  # a table plays on whatever the hall does
                _LOG.exception("the hall is left alone for %s s", RETRY_S[1])
                self._hang_up()
                self._retry_s = time.monotonic() + RETRY_S[1]
        if self._line is not None:
            if self._pictured is not None:  # nobody sees the last board for as long as the broker runs
                self._line.publish(Sealed(picture_topic(self.id), b"", True, ""))
            self._line.close(self._sealed(Leaf.AVAILABILITY, self._offline))
            for occurred in self._line.take():  # what the broker said meanwhile, so that nothing is sent twice
                if isinstance(occurred, Received) and not occurred.why:
                    self._outbox.acknowledged(occurred.mid)
        self._outbox.save(at_once=True)

    def _round(self) -> None:
        self._take()
        self._outbox.look()
        now_s = time.monotonic()
        if self._line is None and now_s >= self._retry_s:
            self._dial()
        if self._there:
            self._show(now_s)
            self._send()
        self._outbox.save()

    # The line

    def _dial(self) -> None:
        self._offline = Availability(sent=self.stamp(), state="offline")
        will = self._sealed(Leaf.AVAILABILITY, self._offline)
        line = BrokerLine(self._address, f"referee-{self.id}", will, self.wake)
        try:
            line.open()
        except HallError as error:
            line.close()
            self._later(str(error))
        else:
            self._line = line

    def _later(self, why: str, least_s: float = 0.0) -> None:
        """Try again later."""
        wait_s = max(least_s, min(RETRY_S[1], RETRY_S[0] * 2**self._vain)) * random.uniform(1, 1.5)  # no secret
        self._vain = min(self._vain + 1, 10)
        self._retry_s = time.monotonic() + wait_s
        self._say(f"the hall's broker can't be used, the table plays on and tries again: {why}")

    def _say(self, what: str) -> None:
        if what != self._said:
            _LOG.warning("%s", what)
            self._said = what

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._told_ms = self._offline.sent if self._there else self._told_ms
        self._line, self._there = None, False
        self._outbox.broken()
        self._source.attend(False)

    def _take(self) -> None:
        for occurred in self._line.take() if self._line is not None else ():
            match occurred:
                case Opened("") if self._line is not None:
                    self._welcome(self._line)
                case Opened(why) | Received(_, why) if why:
                    self._hang_up()
                    self._later(why, RETRY_S[1])
                    return
                case Received(mid):
                    self._outbox.acknowledged(mid)
                case Closed(why):
                    self._hang_up()
                    self._later(why)
                    return
                case Came(topic, payload, retained):
                    if topic != str(HallTopic(self.id, Leaf.ABOUT)):
                        if not retained:  # a command that the broker kept would come again at each start
                            self._heard(payload, self._outbox.chronicle)
                    elif retained and self._has_double(payload):
                        self._hang_up()
                        self._later(_DOUBLE.format(id=self.id), RETRY_S[1])
                        return

    def _has_double(self, payload: bytes) -> bool:
        """Return whether another table has said to be this one since this one had a broker."""
        try:
            about = parsed(About, payload)
        except HallError:
            return False
        return about.run != self._run_id and 0 < self._told_ms < about.sent

    def _welcome(self, line: BrokerLine) -> None:
        """Tell all there is to tell, to a broker that may know nothing."""
        self._there, self._vain, self._said = True, 0, ""
        _LOG.info("the hall's broker %s is there: this is table %s", self._address, self.id)
        source = self._source
        self._published.clear()
        for leaf in (Leaf.ABOUT, Leaf.COMMAND):
            line.subscribe(str(HallTopic(self.id, leaf)))
        about = About(
            sent=0,
            id=self.id,
            name=source.name[:200],
            key=base64_of(public_of(self._secret)),
            version=source.version,
            page=source.page[:200],
            game=source.game.name,
            title=source.game.title,
            run=self._run_id,
        )
        self._about, self._announced, self._pictured = about, None, None
        self._tell(Leaf.ABOUT, about)
        line.publish(self._sealed(Leaf.AVAILABILITY, Availability(sent=self._offline.sent, state="online")))
        self._picture_s = self._health_s = 0.0
        self._shown = None
        source.attend(True)

    # What is told

    def _show(self, now_s: float) -> None:
        if now_s < self._picture_s:
            return
        views = {language: self._source.view(language) for language in LANGUAGES}
        version, *others = (view.get("version") for view in views.values())
        if any(one != version for one in others) or (version == self._shown and now_s < self._health_s):
            return  # it changes just now, or is told already
        view = joined({language: json.loads(json.dumps(view)) for language, view in views.items()})
        self._outbox.look()
        chronicle = self._outbox.chronicle
        if not isinstance(view, dict) or chronicle is None or not view.get("event"):
            return
        if cast(int, view["event"]) > chronicle.number:
            return  # another game has just begun, and its view is still to come
        self._shown, self._picture_s = version, now_s + PICTURE_S
        self._lost = cameras_lost(view, self._lost, time.time_ns() // 1_000_000)
        self._tell(Leaf.STATE, state_of(view, chronicle, self._source.room(), self._lost, self._outbox.earlier))
        ruling = ruling_of(view, chronicle)
        self._tell(Leaf.RULING, ruling)
        self._show_board((chronicle.id, ruling.event))
        self._tell(Leaf.CLOCK, clock_of(view, chronicle))
        self._tell_health(view, now_s)

    def _tell_health(self, view: dict[str, JsonValue], now_s: float) -> None:
        source = self._source
        health = health_of(view, source.signs(), source.version, HEALTH_S, self._outbox.undelivered)
        lines = tuple(Said(**said(line)) for line in source.reliability())
        health = health.model_copy(update={"reliability": lines})
        self._announce(tuple(one.name for one in health.cameras))
        told = (health.problem, [(one.name, one.ok) for one in health.cameras], health.notices, lines)
        if told != self._health_told or now_s >= self._health_s:
            self._health_told, self._health_s = told, now_s + HEALTH_S
            self._published.pop(Leaf.HEALTH, None)
            self._tell(Leaf.HEALTH, measured(health, source.sights()))

    def _show_board(self, ruled: tuple[str, int]) -> None:
        """Publish the picture of the newest look, once a ruling. ruled: game and number of the event."""
        if self._line is not None and self._source.picture is not None and self._pictured != ruled:
            self._pictured = ruled
            self._line.publish(Sealed(picture_topic(self.id), self._source.picture(), True, ""))

    def _announce(self, cameras: tuple[str, ...]) -> None:
        """Tell Home Assistant of the table, once and when it gets other cameras."""
        if self._line is not None and self._about is not None and self._announced != cameras:
            self._announced = cameras
            told = discovery(self._about, cameras, self._source.picture is not None)
            self._line.publish(Sealed(discovery_topic(self.id), told, True, ""))

    def _tell(self, leaf: Leaf, message: HallMessage) -> None:
        """Publish what is retained, if it differs from what was published last."""
        if self._line is None or self._published.get(leaf) == message:
            return
        self._published[leaf] = message
        self._line.publish(self._sealed(leaf, message.model_copy(update={"sent": self.stamp()})))

    def _send(self) -> None:
        """Publish events and answers that wait."""
        line = self._line
        if line is None:
            return
        while self._again:
            self._outbox.again(*self._again.popleft())
        for event, note in self._outbox.due():
            note(line.publish(self._sealed(Leaf.EVENT, event)))
        while self._answers:
            for answer in self._answers.popleft():
                line.publish(self._sealed(Leaf.ANSWER, answer.model_copy(update={"sent": self.stamp()})))

    def _sealed(self, leaf: Leaf, message: HallMessage) -> Sealed:
        topic, payload = HallTopic(self.id, leaf), payload_of(message)
        if len(payload) > MOST_BYTES and leaf is Leaf.STATE:
            payload = payload_of(message.model_copy(update={"view": {}}))
        while len(payload) > MOST_RULING_BYTES and isinstance(message, HallRuling) and message.violations:
            message = message.model_copy(update={"violations": message.violations[: len(message.violations) // 2]})
            payload = payload_of(message)
        return Sealed(str(topic), payload, topic.retained, sign_message(self._secret, str(topic), payload))
