"""Learns a board without a printed frame: its corners are touched in photographs, until the first turn."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.api.outcomes import command_endpoint, outcome_answer
from web.api.stills import still
from web.api.tablemodels import BareBoardAnswer, CornersBody
from web.contract import Access, endpoint
from web.languages import language
from web.services import services

blueprint = Blueprint("board", __name__)
STATUSES = {"disk": 503}
"""HTTP statuses of a command's outcomes here."""


@endpoint(blueprint, "GET", "/board", Access.WATCH, "How far the board is known", answer=BareBoardAnswer)
def board() -> Response:
    """Return whether the board is known, and in which photograph its corners are to be touched."""
    return jsonify(services().board.view(language()))


@endpoint(
    blueprint,
    "GET",
    "/board/pictures/<int:number>",
    Access.ACT,
    "The photograph whose corners are to be touched",
    media="image/jpeg",
)
def board_picture(number: int) -> Response:
    """Return the photograph as it was sent; it is kept until its corners are touched."""
    return still(services().board.picture(number))


@command_endpoint(blueprint, "POST", "/board/pictures/<int:number>/corners", "Touch the board’s corners")
def board_corners(number: int, body: CornersBody) -> Response:
    """Take in where the corners of the board's upper side lie."""
    corners = {"nw": body.nw, "ne": body.ne, "se": body.se, "sw": body.sw}
    return outcome_answer(services().board.touch(number, corners), STATUSES)


@command_endpoint(blueprint, "POST", "/board/pictures/<int:number>/leave", "Ask for another photograph of the board")
def board_leave(number: int) -> Response:
    """Leave the photograph out."""
    return outcome_answer(services().board.leave(number), STATUSES)


@command_endpoint(blueprint, "POST", "/board/forget", "Show the board anew")
def board_forget() -> Response:
    """Forget what the board looks like, so that its corners can be touched anew."""
    return outcome_answer(services().board.forget(), STATUSES)
