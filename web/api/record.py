"""Serves the game so far, to be taken away: as a record people read, and whole for programs."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import EntriesAnswer, EntriesQuery, RecordAnswer
from web.changes import entries_of
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("record", __name__)


@endpoint(blueprint, "GET", "/record", Access.WATCH, "A part of the game's record", answer=EntriesAnswer)
def entries(query: EntriesQuery) -> Response:
    """Return the entries before the one with the number ``before``, oldest first; the state has the newest alone."""
    known = entries_of(services().table.snapshot(language())) or {}
    found = [entry for number, entry in known.items() if number < query.before]
    return jsonify(entries=found[-query.limit :])


@endpoint(
    blueprint,
    "GET",
    "/record.txt",
    Access.WATCH,
    "The game's record in its notation",
    media="text/plain",
    limited=True,
)
def record_text() -> Response:
    """Return the record as a text file."""
    writer = services().parts.record
    text = writer.text() if writer is not None else ""
    if not text:
        raise ApiError(404, "no-record", say("This game has no written record."))
    return Response(text, mimetype="text/plain")


@endpoint(
    blueprint, "GET", "/record.json", Access.WATCH, "The whole game for programs", answer=RecordAnswer, limited=True
)
def record_json() -> Response:
    """Return the position, the record with its rulings, and every event."""
    served, spoken = services(), language()
    text = served.whole_game.text(served.table.snapshot(spoken), served.log, spoken)
    return Response(text, mimetype="application/json")
