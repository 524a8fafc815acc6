"""Bring messages to where the settings say, each recipient from a thread of its own: no game waits for a network."""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from urllib.parse import urlsplit

from referee.addons.messages.telling import TableMessage, TableMoment, told
from referee.daemon.publisher import ViewPublisher
from referee.values.words import Words, say

PATIENCE_S = 10.0
"""An answer is waited for so long."""
WAITS_S = (2.0, 10.0, 30.0, 60.0)
"""Between one try and the next; after the last the message is given up."""
MOST_WAITING = 50
"""Messages that wait for one recipient; the oldest are given up first."""
PASSING = frozenset({408, 425, 429})
"""Refusals of a request that hold for now only."""
_GLANCE_S = 1.0
_LOG = logging.getLogger(__name__)

Made = tuple[str, dict[str, object]]
"""An address, and what is posted there as JSON."""


def webhook(address: str, table: str, page: str) -> Callable[[TableMessage], Made]:
    """Return what makes a webhook's requests. table: its name. page: its address."""

    def made(message: TableMessage) -> Made:
        at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        text = {"about": message.about, "title": message.title, "text": message.text}
        return address, {**text, "table": table, "page": page, "at": at}

    return made


def ntfy(address: str, page: str) -> Callable[[TableMessage], Made]:
    """Return what makes the requests of an ntfy topic (https://docs.ntfy.sh/publish/#publish-as-json)."""
    server, _, topic = address.rpartition("/")
    tags = {
        "turn": "game_die",
        "breach": "no_entry",
        "dispute": "scales",
        "end": "checkered_flag",
        "camera": "camera",
    }

    def made(message: TableMessage) -> Made:
        text = {"topic": topic, "title": message.title, "message": message.text, "click": page}
        return server, {**text, "tags": [tags[message.about]], "priority": 3 if message.about == "turn" else 4}

    return made


class Recipient:
    """A recipient that messages are brought to, in order. ``put`` may be called by any thread, and never waits."""

    def __init__(
        self, address: str, make: Callable[[TableMessage], Made], waits_s: Sequence[float] = WAITS_S
    ) -> None:
        """Take an address, and what makes the requests there."""
        self.host = urlsplit(address).hostname or ""
        self._make, self._waits_s = make, waits_s
        self._queue: queue.Queue[TableMessage] = queue.Queue(MOST_WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"messages to {self.host}", daemon=True)
        self._fails = False

    @property
    def trouble(self) -> Words | None:
        """Return that messages don't arrive, None while they do."""
        return say("Messages don’t reach {host}.", host=self.host) if self._fails else None

    def start(self) -> None:
        """Begin to bring what is put."""
        self._thread.start()

    def close(self) -> None:
        """Stop; an answer that is waited for is left to itself."""
        self._stop.set()

    def put(self, message: TableMessage) -> None:
        """Have a message brought."""
        while True:
            try:
                return self._queue.put_nowait(message)
            except queue.Full:
                self._queue.get_nowait()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                message = self._queue.get(timeout=_GLANCE_S)
            except queue.Empty:
                continue
            self._bring(message)

    def _bring(self, message: TableMessage) -> None:
        for wait_s in (*self._waits_s, None):
            why, again = self._posted(message)
            if why and not self._fails:
                _LOG.warning("a message does not reach %s: %s", self.host, why)
            self._fails = bool(why)
            if not why or not again or wait_s is None or self._stop.wait(wait_s):
                return

    def _posted(self, message: TableMessage) -> tuple[str, bool]:
        """Post a message; return why it did not arrive, empty where it did, and whether another try may help."""
        address, body = self._make(message)
        data = json.dumps(body, ensure_ascii=False).encode()
        kind = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "tower-referee"}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(address, data, kind, method="POST"), timeout=PATIENCE_S
            ):
                return "", False
        except urllib.error.HTTPError as error:
            with error:
                return f"{error.code} {error.reason}", error.code >= 500 or error.code in PASSING
        except (OSError, HTTPException, ValueError) as error:
            return str(error) or type(error).__name__, True


class Messenger:
    """Follows what a table shows, from ``start`` to ``close``, and puts what happens before its recipients."""

    def __init__(
        self, publisher: ViewPublisher, language: str, about: frozenset[str], recipients: Sequence[Recipient]
    ) -> None:
        """Take a table's views. about: words of KINDS that are told."""
        self._publisher, self._language, self._about, self._recipients = publisher, language, about, recipients
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="messages", daemon=True)

    def start(self) -> None:
        """Begin: of what is there already only whose turn it is gets told."""
        for recipient in self._recipients:
            recipient.start()
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._stop.set()
        for recipient in self._recipients:
            recipient.close()

    def _run(self) -> None:
        before: TableMoment | None = None
        turn: tuple[int, str] | None = None
        version = 0
        while not self._stop.is_set():
            # Without anybody's name: a player is called by the colour.
            view = self._publisher.snapshot(self._language, named=False)
            if view["version"] != version and "phase" in view:
                now = TableMoment.of(view)
                for message in told(before or now, turn, view, self._language):
                    if message.about in self._about:
                        for recipient in self._recipients:
                            recipient.put(message)
                before, turn = now, now.turn or turn
            known = view["version"]
            assert isinstance(known, int)
            version = known
            if not self._publisher.wait(version, _GLANCE_S):
                return
