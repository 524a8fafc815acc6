"""Serves players who want statistics: added and forgotten at the table, seen by paired devices alone."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field

from referee.addons.statistics.statistics import PlayerStatistics
from referee.values.words import say
from web.api.models import Name
from web.api.outcomes import command_endpoint, json_answer, outcome_answer
from web.api.shapes import AnswerModel, BodyModel
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("players", __name__)
STATUSES = {"no-player": 404, "disk": 503}
"""HTTP statuses of the outcomes of a wish."""


class PlayerBody(BodyModel):
    """A player who wants statistics."""

    name: Name


class PlayersAnswer(AnswerModel):
    """The players who want statistics."""

    players: Annotated[list[dict[str, Any]], Field(description="id, name, since")]
    offered: Annotated[list[str], Field(description="names given in games here, of players who have none")]


class PlayerAnswer(AnswerModel):
    """A player's statistics."""

    id: int
    name: str
    since: Annotated[str, Field(description="date")]
    games: Annotated[list[dict[str, Any]], Field(description="by kind of game: title, and lines of name and value")]
    unread: Annotated[int, Field(description="games that could not be read, and are not counted")]


def _statistics() -> PlayerStatistics:
    return services().of(PlayerStatistics, "no-games", say("No games are kept here."))


@endpoint(blueprint, "GET", "/players", Access.ACT, "The players who want statistics", answer=PlayersAnswer)
def players() -> Response:
    """List the players by name; and the names given in games here of those who have not asked for statistics."""
    return jsonify(dict(_statistics().players()))


@command_endpoint(blueprint, "POST", "/players", "Keep statistics of a player who wants them")
def new_player(body: PlayerBody) -> Response:
    """Keep a player's name from now on; a known player stays unchanged."""
    return outcome_answer(_statistics().add(body.name), STATUSES)


@endpoint(
    blueprint,
    "GET",
    "/players/<int:number>",
    Access.ACT,
    "A player's statistics over the games refereed here",
    answer=PlayerAnswer,
    limited=True,
    costly=True,
)
def player(number: int) -> Response:
    """Return a player's statistics, computed from the games' journals when they are asked for."""
    made = _statistics().figures(number, language())
    if not made:
        raise ApiError(404, "no-player", say("There is no such player."))
    return json_answer(made)


@command_endpoint(blueprint, "POST", "/players/<int:number>/forget", "Delete a player's name and statistics")
def forget_player(number: int) -> Response:
    """Forget a player at once and for good; the records of games stay as they are."""
    return outcome_answer(_statistics().forget(number), STATUSES)
