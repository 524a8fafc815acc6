"""Lets arbiters' desks in, and shows which are trusted; that is done at the table."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field

from referee.addons.hall.door import DeskDoor
from referee.values.words import say
from web.api.models import OutcomeAnswer
from web.api.outcomes import command_endpoint, outcome_answer
from web.api.shapes import AnswerModel
from web.contract import Access, endpoint
from web.services import services

_STATUSES = {"no-hall": 404, "no-desk": 404, "disk": 503}

blueprint = Blueprint("desks", __name__)


class DesksAnswer(AnswerModel):
    """The arbiters' desks of a hall, as this table knows them."""

    joined: Annotated[bool, Field(description="whether the table is in a hall")]
    asks: Annotated[str, Field(description="name of the desk that asks to be trusted, empty for none")]
    asks_id: Annotated[str, Field(description="its id, which the desk shows as well")]
    desks: Annotated[list[dict[str, Any]], Field(description="id, name, since (Unix time, s)")]


def _door() -> DeskDoor:
    return services().of(DeskDoor, "no-hall", say("This table is in no hall: its settings name no broker."))


@endpoint(blueprint, "GET", "/desks", Access.ACT, "The arbiters' desks that this table trusts", answer=DesksAnswer)
def desks() -> Response:
    """Return who is trusted, and who asks to be."""
    return jsonify(dict(_door().view()))


@endpoint(
    blueprint,
    "POST",
    "/desks/code",
    Access.ACT,
    "Show a code with which one desk is trusted",
    answer=OutcomeAnswer,
    once=True,
    keep=False,
)
def desk_code() -> Response:
    """Make a code; it is told once."""
    return outcome_answer(_door().code(), _STATUSES)


@command_endpoint(blueprint, "POST", "/desks/decline", "Let the desk that asks not in")
def decline_desk() -> Response:
    """Tell of no desk for a while."""
    return outcome_answer(_door().decline(), _STATUSES)


@command_endpoint(blueprint, "DELETE", "/desks/trusted/<desk>", "Trust a desk no longer")
def forget_desk(desk: str) -> Response:
    """Take the trust back: the desk may only watch from now on."""
    return outcome_answer(_door().forget(desk), _STATUSES)
