"""Serves how often the rulings of a table were put right."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response
from pydantic import Field

from referee.addons.trackrecord.table import OwnRecord
from referee.values.words import say
from web.api.outcomes import json_answer
from web.api.shapes import AnswerModel
from web.contract import Access, endpoint
from web.languages import language
from web.services import services

blueprint = Blueprint("trackrecord", __name__)


class RecordsAnswer(AnswerModel):
    """How often rulings were put right; real, recorded and drawn games apart."""

    records: Annotated[list[dict[str, Any]], Field(description="title, lines, counts and bounds of each origin")]
    unread: Annotated[int, Field(description="games that could not be read, and are not counted")]


@endpoint(
    blueprint,
    "GET",
    "/evidence",
    Access.WATCH,
    "How often rulings were put right",
    answer=RecordsAnswer,
    limited=True,
    costly=True,
)
def evidence() -> Response:
    """Return what became of the rulings given at this table, counted from its games' journals."""
    found = services().of(OwnRecord, "no-games", say("No games are kept here."))
    return json_answer(found.told(language()))
