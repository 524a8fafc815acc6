"""Serves players who want statistics: added and forgotten at the table, seen by paired devices alone."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import OutcomeAnswer, PlayerAnswer, PlayerBody, PlayersAnswer
from web.api.outcomes import as_made, told
from web.contract import Access, Contract, declared
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("players", __name__)
STATUSES = {"no-player": 404, "disk": 503}
"""Of what may become of a wish."""


@declared(
    blueprint,
    "GET",
    "/players",
    Contract(Access.ACT, "The players who want statistics", answer=PlayersAnswer, refusals=(401, 403, 404)),
)
def players() -> Response:
    """List the players by name; and the names given in games here of those who have not asked for statistics."""
    return jsonify(dict(services().players.players()))


@declared(
    blueprint,
    "POST",
    "/players",
    Contract(
        Access.ACT,
        "Keep statistics of a player who wants them",
        body=PlayerBody,
        answer=OutcomeAnswer,
        refusals=(400, 401, 403, 404, 409, 415, 422, 503),
        once=True,
    ),
)
def new_player(body: PlayerBody) -> Response:
    """Keep a player's name from now on; a known player stays unchanged."""
    return told(services().players.add(body.name), STATUSES)


@declared(
    blueprint,
    "GET",
    "/players/<int:number>",
    Contract(
        Access.ACT,
        "A player's statistics over the games refereed here",
        answer=PlayerAnswer,
        refusals=(401, 403, 404, 429, 503),
        limited=True,
        costly=True,
    ),
)
def player(number: int) -> Response:
    """Return a player's statistics, computed from the games' journals when they are asked for."""
    made = services().players.figures(number, language())
    if not made:
        raise ApiError(404, "no-player", say("There is no such player."))
    return as_made(made)


@declared(
    blueprint,
    "POST",
    "/players/<int:number>/forget",
    Contract(
        Access.ACT,
        "Delete a player's name and statistics",
        answer=OutcomeAnswer,
        refusals=(400, 401, 403, 404, 409, 422, 503),
        once=True,
    ),
)
def forget_player(number: int) -> Response:
    """At once and for good; the records of games stay as they are."""
    return told(services().players.forget(number), STATUSES)
