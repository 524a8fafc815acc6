"""Has paired devices witness the journal: each co-signs its head after a turn, and the table keeps the notes."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response, jsonify
from pydantic import Field

from referee.addons.witnesses.timestamping import Timestamping
from referee.addons.witnesses.witnessing import JournalWitnesses
from referee.values.words import say
from web.api.models import OutcomeAnswer
from web.api.outcomes import outcome_answer
from web.api.shapes import AnswerModel, BodyModel, QueryModel
from web.contract import Access, acting_device, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("witness", __name__)


class SinceQuery(QueryModel):
    """What a device signed before."""

    since: Annotated[int, Field(ge=0, le=2**53, description="number of events that the device co-signed last")] = 0


class WitnessAnswer(AnswerModel):
    """A journal's head for a device to co-sign."""

    game: Annotated[str, Field(description="the beginning of the hash of the game's first event")]
    events: int
    note: Annotated[str, Field(description="the checkpoint as the table signed it, a C2SP signed note")]
    proof: Annotated[list[str], Field(description="that the journal only grew since: hashes of RFC 6962 in base64")]


class NoteBody(BodyModel):
    """A note that a device co-signed."""

    note: Annotated[str, Field(min_length=1, max_length=2000)]


class TimestampsAnswer(AnswerModel):
    """How it goes with the timestamps of an authority."""

    trouble: Annotated[str | None, Field(description="why turns get none where one is set; null for no trouble")]


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
    found = _witnesses().head(query.since)
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
    return outcome_answer(_witnesses().take(body.note, acting_device().name), {"disk": 503, "journal": 503})


@endpoint(blueprint, "GET", "/timestamps", Access.WATCH, "Whether turns get timestamps", answer=TimestampsAnswer)
def timestamps() -> Response:
    """Return what keeps an authority from stamping turns."""
    stamps = services().added(Timestamping)
    trouble = None if stamps is None else stamps.trouble
    return jsonify(trouble=None if trouble is None else trouble.text(language()))


def _witnesses() -> JournalWitnesses:
    return services().of(JournalWitnesses, "no-journal", say("This table keeps no journal."))
