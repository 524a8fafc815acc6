"""Bring messages to where the settings say, each recipient from a thread of its own: no game waits for a network."""

from __future__ import annotations

import base64
import json
import logging
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import replace
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
TOO_MUCH = frozenset({400, 413})
"""Refusals with which a picture that came along may be meant: of its size, or of any."""
_GLANCE_S = 1.0
_LOG = logging.getLogger(__name__)

Posted = urllib.request.Request
_AGENT = {"User-Agent": "tower-referee"}


def webhook(address: str, table: str, page: str) -> Callable[[TableMessage], Posted]:
    """Return what makes a webhook's requests. table: its name. page: its address."""

    def made(message: TableMessage) -> Posted:
        at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        text = {"about": message.about, "title": message.title, "text": message.text}
        picture = {"picture": base64.b64encode(message.picture).decode()} if message.picture else {}
        return _json(address, {**text, "table": table, "page": page, "at": at, **picture})

    return made


def ntfy(address: str, table: str, page: str) -> Callable[[TableMessage], Posted]:
    """Return what makes the requests of an ntfy topic (https://docs.ntfy.sh/publish/#publish-as-json).

    table: its name, which stands in the title: all tables of a hall may tell one topic. page: its address.
    A picture is the body (https://docs.ntfy.sh/publish/#attach-local-file), and the rest stands in headers.
    """
    server, _, topic = address.rpartition("/")
    tags = {
        "turn": "game_die",
        "breach": "no_entry",
        "dispute": "scales",
        "end": "checkered_flag",
        "camera": "camera",
    }

    def made(message: TableMessage) -> Posted:
        title = f"{table}: {message.title}" if table else message.title
        text = {"title": title, "message": message.text, "click": page}
        tag, priority = tags[message.about], 3 if message.about == "turn" else 4
        if not message.picture:
            return _json(server, {"topic": topic, **text, "tags": [tag], "priority": priority})
        kind = {"Content-Type": "image/jpeg", "Filename": "board.jpg", "Tags": tag, "Priority": str(priority)}
        told = {name.title(): _encoded(value) for name, value in text.items()}
        return Posted(address, message.picture, kind | told | _AGENT, method="POST")

    return made


def _json(address: str, body: dict[str, object]) -> Posted:
    kind = {"Content-Type": "application/json; charset=utf-8"}
    return Posted(address, json.dumps(body, ensure_ascii=False).encode(), kind | _AGENT, method="POST")


def _encoded(text: str) -> str:
    """Return a text as a header holds it (RFC 2047): letters of any language, and no line of its own."""
    return f"=?UTF-8?B?{base64.b64encode(text.encode()).decode()}?="


class Recipient:
    """A recipient that messages are brought to, in order. ``put`` may be called by any thread, and never waits."""

    def __init__(
        self, address: str, make: Callable[[TableMessage], Posted], waits_s: Sequence[float] = WAITS_S
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
        """Post a message; return why it did not arrive, empty where it did, and whether another try may help.

        Where it is refused and a picture may be why, it goes without.
        """
        try:
            with urllib.request.urlopen(self._make(message), timeout=PATIENCE_S):
                return "", False
        except urllib.error.HTTPError as error:
            with error:
                if message.picture and error.code in TOO_MUCH:
                    return self._posted(replace(message, picture=b""))
                return f"{error.code} {error.reason}", error.code >= 500 or error.code in PASSING
        except (OSError, HTTPException, ValueError) as error:
            return str(error) or type(error).__name__, True


class Messenger:
    """Follows what a table shows, from ``start`` to ``close``, and puts what happens before its recipients."""

    def __init__(
        self,
        publisher: ViewPublisher,
        language: str,
        about: frozenset[str],
        recipients: Sequence[Recipient],
        picture: Callable[[], bytes] = bytes,
    ) -> None:
        """Take a table's views. about: words of KINDS that are told. picture: gives what goes along, or nothing."""
        self._publisher, self._language, self._about, self._recipients = publisher, language, about, recipients
        self._picture = picture
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
                happened = told(before or now, turn, view, self._language)
                wanted = [message for message in happened if message.about in self._about]
                picture = self._picture() if wanted else b""
                for message in wanted:
                    for recipient in self._recipients:
                        recipient.put(replace(message, picture=picture))
                before, turn = now, now.turn or turn
            known = view["version"]
            assert isinstance(known, int)
            version = known
            if not self._publisher.wait(version, _GLANCE_S):
                return
