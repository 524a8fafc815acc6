"""Has paired devices witness the journal: each co-signs its head after a turn, and the table keeps the notes."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import NoteBody, OutcomeAnswer, SinceQuery, WitnessAnswer
from web.api.outcomes import outcome_answer
from web.contract import Access, acting_device, endpoint
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("witness", __name__)


@endpoint(
    blueprint,
    "GET",
    "/witness",
    Access.WATCH,
    "The journal's head, for a device to co-sign",
    answer=WitnessAnswer,
    limited=True,
)
def head(query: SinceQuery) -> Response:
    """Return the journal's head as the table signed it, and the proof that it grew from what was signed before."""
    found = services().witnesses.head(query.since)
    if found is None:
        raise ApiError(404, "no-event", say("Nothing has happened yet that could be witnessed."))
    return jsonify(found)


@endpoint(
    blueprint,
    "POST",
    "/witness",
    Access.ACT,
    "Hand in a note that this device co-signed",
    answer=OutcomeAnswer,
    refusals=(409,),
    limited=True,
    own=True,
)
def witness(body: NoteBody) -> Response:
    """Keep a device's note; 409 where it is not of this journal, or its signatures don't hold."""
    return outcome_answer(services().witnesses.take(body.note, acting_device().name), {"disk": 503, "journal": 503})
