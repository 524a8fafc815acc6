"""Lets arbiters' desks in, and shows which are trusted; that is done at the table."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.api.models import DesksAnswer, OutcomeAnswer
from web.api.outcomes import command_endpoint, outcome_answer
from web.contract import Access, endpoint
from web.services import services

_STATUSES = {"no-hall": 404, "no-desk": 404, "disk": 503}

blueprint = Blueprint("desks", __name__)


@endpoint(blueprint, "GET", "/desks", Access.ACT, "The arbiters' desks that this table trusts", answer=DesksAnswer)
def desks() -> Response:
    """Return who is trusted, and who asks to be."""
    return jsonify(dict(services().desks.view()))


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
    return outcome_answer(services().desks.code(), _STATUSES)


@command_endpoint(blueprint, "POST", "/desks/decline", "Let the desk that asks not in")
def decline_desk() -> Response:
    """Tell of no desk for a while."""
    return outcome_answer(services().desks.decline(), _STATUSES)


@command_endpoint(blueprint, "DELETE", "/desks/trusted/<desk>", "Trust a desk no longer")
def forget_desk(desk: str) -> Response:
    """Take the trust back: the desk may only watch from now on."""
    return outcome_answer(services().desks.forget(desk), _STATUSES)
