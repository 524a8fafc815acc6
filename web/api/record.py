"""The game so far, to be taken away: as a record people read, and whole for programs."""

from __future__ import annotations

import json
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
    Contract(Access.WATCH, "The game's record in its notation", media="text/plain", refusals=(401, 404)),
)
def record_text() -> Response:
    """The record as a text file."""
    writer: RecordWriter | None = current_app.extensions["record"]
    text = writer.text() if writer is not None else ""
    if not text:
        raise ApiError(404, "no-record", say("This game has no written record."))
    return _kept(Response(text, mimetype="text/plain"))


@declared(
    blueprint,
    "GET",
    "/record.json",
    Contract(Access.WATCH, "The whole game for programs", answer=RecordAnswer, refusals=(401, 404)),
)
def record_json() -> Response:
    """The position, the record with its rulings, and every event."""
    log: EventLog | None = current_app.extensions["log"]
    if log is None:
        raise ApiError(404, "no-journal", say("This table keeps no journal."))
    view: TableView = current_app.extensions["table"]
    state = view.snapshot(language())
    events: list[Mapping[str, object]] = []
    while found := log.after(len(events), BATCH):
        events += [_slim(event.to_json()) for event in found]
    told = {key: state.get(key, empty) for key, empty in _TOLD.items()}
    return _kept(Response(json.dumps(told | {"events": events}, ensure_ascii=False), mimetype="application/json"))


def _slim(event: Mapping[str, Any]) -> dict[str, object]:
    return dict(event) | {"data": {key: value for key, value in event["data"].items() if key not in LARGE}}


def _kept(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer
