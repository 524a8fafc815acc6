"""Serves how often the rulings of a table were put right, and boards with which to put one right."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field

from referee.addons.trackrecord.likelyboards import LikelyBoards
from referee.addons.trackrecord.table import OwnRecord
from referee.values.words import say
from web.api.outcomes import json_answer
from web.api.shapes import AnswerModel
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("trackrecord", __name__)


class RecordsAnswer(AnswerModel):
    """How often rulings were put right; real, recorded and drawn games apart."""

    records: Annotated[list[dict[str, Any]], Field(description="title, meaning, lines and counts of each origin")]
    unread: Annotated[int, Field(description="games that could not be read, and are not counted")]


class BoardAnswer(AnswerModel):
    """A board that may stand there."""

    board: Annotated[str, Field(description="as formats write it")]
    changes: Annotated[
        dict[str, str],
        Field(description="what stands on the fields in which it differs from the one before the turn"),
    ]
    differs: Annotated[list[str], Field(description="the fields that differ from the board that was ruled on")]


class BoardsAnswer(AnswerModel):
    """What may stand there in place of the board that was ruled on."""

    boards: list[BoardAnswer]


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


@endpoint(
    blueprint,
    "GET",
    "/rulings/<int:entry>/boards",
    Access.WATCH,
    "Boards that may stand in the place of one that was ruled on",
    answer=BoardsAnswer,
    limited=True,
    costly=True,
)
def boards(entry: int) -> Response:
    """Return the likeliest boards besides the one that was ruled on, the likeliest first."""
    offered = services().of(LikelyBoards, "no-boards", say("No turn is ruled on here."))
    found = offered.of(entry)
    if found is None:
        raise ApiError(404, "no-ruling", say("This turn was not ruled on from pictures."))
    told = [{"board": one.text, "changes": dict(one.changes), "differs": list(one.differs)} for one in found]
    return jsonify(boards=told)
