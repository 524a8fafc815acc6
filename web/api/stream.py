"""The event stream: every event of the game once and in order, the newest state, and a beat while nothing happens.

An event's id is ``GAME-NUMBER``, so a listener that comes back says what it heard last and misses nothing; where
another game has begun meanwhile it hears that one from its beginning. A state carries the id of the last event told
before it. Who asks for changes is told the whole state first and then what changes of it (web/changes.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, current_app, request

from referee.values.words import say
from web.api.models import MessageAnswer, StreamQuery
from web.contract import STREAM, Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services
from web.statecache import StateCache, StateVersion
from web.tableview import EventLog, TableView

blueprint = Blueprint("stream", __name__)

RETRY_MS = 2000
POLL_MS = 1000
"""Interval at which a page without a stream should ask for the state."""
BATCH = 200
_ID = re.compile("([0-9A-Za-z]{1,64})-([0-9]{1,15})")


@endpoint(
    blueprint,
    "GET",
    "/stream",
    Access.WATCH,
    "Events, states and beats as they come (server-sent events)",
    answer=MessageAnswer,
    media=STREAM,
)
def stream(query: StreamQuery) -> Response:
    """Open a stream of server-sent events; 503 with ``poll_ms`` when too many are listening."""
    served = services()
    log = None if query.room else served.parts.log
    return answer_stream(query, served.table, served.states_for(query.room), log)


def answer_stream(query: StreamQuery, view: TableView, states: StateCache, log: EventLog | None) -> Response:
    """Open a stream of a table's states and events."""
    served = services()
    auth = served.parts.auth
    token = auth.token(request) if auth is not None else None
    device = auth.known(request) if auth is not None else None
    slot = served.streams.take(reserved=device is not None, address=request.remote_addr or "")
    if slot is None:
        words = say("So many pages are listening that this one asks now and then instead.")
        raise ApiError(503, "streams-taken", words, {"Retry-After": "30"}, {"poll_ms": POLL_MS})

    def welcome() -> bool:
        """Return whether the listener may still watch: a forgotten device hears nothing more."""
        if slot.taken_back:
            return False
        return open_watching or (auth is not None and auth.devices.known(token) is not None)

    open_watching = bool(current_app.config["OPEN_WATCHING"])
    said = request.headers.get("Last-Event-ID", "") or query.since
    following = _Following(view, states, log, language(), current_app.config["HEARTBEAT_S"], query.changes)
    answer = Response(following.from_id(said, welcome), mimetype=STREAM)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    # Also when the client went away before the first byte was asked for.
    answer.call_on_close(slot.give_back)
    return answer


class _Following:
    """One listener's way through the events."""

    def __init__(
        self,
        view: TableView,
        states: StateCache,
        log: EventLog | None,
        spoken: str,
        heartbeat_s: float,
        changes: bool,
    ) -> None:
        self._view = view
        self._states = states
        self._log = log
        self._spoken = spoken
        self._heartbeat_s = heartbeat_s
        self._changes = changes
        self._game = ""
        self._heard = 0

    def from_id(self, said: str, welcome: Callable[[], bool]) -> Iterator[bytes]:
        """Yield everything after the event with that id; everything from now on for an empty one."""
        yield b"retry: %d\n\n" % RETRY_MS
        self._begin(said)
        sent: int | None = None
        while welcome():
            # The state is taken before the events, so no event that it shows is sent late.
            newest = self._states.newest(self._spoken)
            yield from self._events()
            if newest.version != sent:
                known = f"id: {self._game}-{self._heard}\n" if self._log is not None else ""
                yield known.encode() + self._news(sent, newest)
                sent = newest.version
            else:
                # A heartbeat is an event, not a comment: the page must see it to know that it still hears us.
                yield b"event: beat\ndata: {}\n\n"
            if not self._view.wait(newest.version, self._heartbeat_s):
                return

    def _news(self, sent: int | None, newest: StateVersion) -> bytes:
        """Return the newest state for somebody who was sent that version before."""
        told = None
        if self._changes and sent is not None:
            told = self._states.changed(self._spoken, sent, newest)
        return b"event: state\ndata: %s\n\n" % newest.data if told is None else b"event: changed\ndata: %s\n\n" % told

    def _begin(self, said: str) -> None:
        """Find out where to begin."""
        if self._log is None:
            return
        self._game = self._log.game
        known = _ID.fullmatch(said)
        if known is None:
            self._heard = self._log.last
        else:
            # A number that was never given, or of another game: everything of this one is new.
            number = int(known[2])
            self._heard = number if known[1] == self._game and number <= self._log.last else 0

    def _events(self) -> Iterator[bytes]:
        if self._log is None:
            return
        if self._log.game != self._game:
            self._game, self._heard = self._log.game, 0
        while found := self._log.after(self._heard, BATCH):
            for event in found:
                yield b"id: %s-%d\nevent: happened\ndata: %s\n\n" % (self._game.encode(), event.number, event.encoded)
                self._heard = event.number
