"""The game so far, to be taken away: as a record people read, and whole for programs."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, current_app

from referee.values.words import say
from web.api.models import RecordAnswer
from web.contract import Access, Contract, declared
from web.languages import language
from web.problems import ApiError
from web.tableview import EventLog, RecordWriter, TableView

blueprint = Blueprint("record", __name__)

BATCH = 200
LARGE = frozenset({"belief"})
"""Parts of events that only the referee itself has a use for."""

_TOLD: Mapping[str, object] = {"game": "", "title": "", "position": {}, "history": []}
"""What of the state belongs to the record, and what stands there before a game has begun."""


@declared(
    blueprint,
    "GET",
    "/record.txt",
    Contract(
        Access.WATCH, "The game's record in its notation", media="text/plain", refusals=(401, 404, 429), limited=True
    ),
)
def record_text() -> Response:
    """The record as a text file."""
    writer: RecordWriter | None = current_app.extensions["record"]
    text = writer.text() if writer is not None else ""
    if not text:
        raise ApiError(404, "no-record", say("This game has no written record."))
    return Response(text, mimetype="text/plain")


@declared(
    blueprint,
    "GET",
    "/record.json",
    Contract(
        Access.WATCH, "The whole game for programs", answer=RecordAnswer, refusals=(401, 404, 429), limited=True
    ),
)
def record_json() -> Response:
    """The position, the record with its rulings, and every event."""
    log: EventLog | None = current_app.extensions["log"]
    if log is None:
        raise ApiError(404, "no-journal", say("This table keeps no journal."))
    whole: WholeGame = current_app.extensions["whole"]
    view: TableView = current_app.extensions["table"]
    return Response(whole.text(view.snapshot(language()), log, language()), mimetype="application/json")


class WholeGame:
    """The game for programs as JSON, made once a state and language however many ask."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, bytes]] = {}
        self._slim: tuple[str, list[str]] = ("", [])
        self._mutex = threading.Lock()

    def text(self, state: Mapping[str, object], log: EventLog, spoken: str) -> bytes:
        """The record with every event in it."""
        with self._mutex:  # one makes it, the others wait for that one
            game, last = log.game, log.last
            told = {key: state.get(key, empty) for key, empty in _TOLD.items()}
            mark = (game, last, state.get("version"))
            known = self._made.get(spoken)
            if known is None or known[0] != mark:
                events = f'"events": [{", ".join(self._events(log, game))}]'
                text = f"{json.dumps(told, ensure_ascii=False)[:-1]}, {events}}}"
                known = self._made[spoken] = (mark, text.encode())
            return known[1]

    def _events(self, log: EventLog, game: str) -> list[str]:
        """Every event as JSON; those made before stay as they are."""
        if self._slim[0] != game:
            self._slim = (game, [])
        events = self._slim[1]
        while found := log.after(len(events), BATCH):
            events += [json.dumps(_slim(event.to_json()), ensure_ascii=False) for event in found]
        return events


def _slim(event: Mapping[str, Any]) -> dict[str, object]:
    return dict(event) | {"data": {key: value for key, value in event["data"].items() if key not in LARGE}}
