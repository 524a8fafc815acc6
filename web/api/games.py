"""Serves the shelf: the games refereed here, to look into, report, delete and repair."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import GamesAnswer, GamesQuery, HeadBody, ReplayAnswer, TurnQuery
from web.api.outcomes import command_endpoint, json_answer, outcome_answer
from web.contract import Access, acting_device, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("games", __name__)

REPORT = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of a report: it shows itself and its pictures, as if it came from nowhere."""


@endpoint(
    blueprint,
    "GET",
    "/games",
    Access.WATCH,
    "The games refereed here, the newest first",
    answer=GamesAnswer,
    limited=True,
)
def games(query: GamesQuery) -> Response:
    """List the games that are looked for; all without a search."""
    return jsonify(games=services().games.games(query.text, query.disputed, query.result, language()))


@endpoint(
    blueprint,
    "GET",
    "/games/<name>/record.txt",
    Access.WATCH,
    "A game's record in its notation",
    media="text/plain",
    limited=True,
    costly=True,
)
def game_record(name: str) -> Response:
    """Return the record as a text file."""
    text = services().games.record(name)
    if not text:
        raise ApiError(404, "no-record", say("This game has no written record."))
    return Response(text, mimetype="text/plain")


@endpoint(
    blueprint,
    "GET",
    "/games/<name>/report",
    Access.WATCH,
    "A game to step through, or one turn of it with all that is known",
    media="text/html",
    limited=True,
    costly=True,
)
def game_report(name: str, query: TurnQuery) -> Response:
    """Return one page that needs nothing else; one turn as PDF where that is asked for."""
    as_pdf = query.pdf and query.turn > 0
    made = services().games.report(name, query.turn, language(), as_pdf)
    if not made:
        raise ApiError(404, "no-report", say("There is no such turn in this game, or it can’t be read."))
    answer = Response(made, mimetype="application/pdf" if as_pdf else "text/html")
    answer.headers["Content-Security-Policy"] = REPORT
    if not query.turn:  # it steps through the game by scripts of its own: a file to keep and send
        answer.headers["Content-Disposition"] = 'attachment; filename="game.html"'
    elif as_pdf:
        answer.headers["Content-Disposition"] = f'attachment; filename="turn-{query.turn}.pdf"'
    return answer


@endpoint(
    blueprint,
    "GET",
    "/games/<name>/replay",
    Access.WATCH,
    "A game for a page that plays it by itself",
    answer=ReplayAnswer,
    limited=True,
    costly=True,
)
def game_replay(name: str) -> Response:
    """Return a game's kit, its players and every entry of its record, as the state has them."""
    made = services().games.replay(name, language())
    if not made:
        raise ApiError(404, "no-replay", say("There is no such game, or it can’t be read."))
    return json_answer(made)


@command_endpoint(blueprint, "POST", "/games/<name>/delete", "Delete a game for good")
def game_delete(name: str, body: HeadBody) -> Response:
    """Delete the game as it was shown; refused where it has changed since, or is being played."""
    return outcome_answer(services().games.delete(name, body.head, acting_device().name))


@command_endpoint(blueprint, "POST", "/games/<name>/repair", "Save what can be read of a damaged game")
def game_repair(name: str) -> Response:
    """Put a journal in its place that holds what is whole; the damaged one is kept beside it."""
    return outcome_answer(services().games.repair(name, acting_device().name))
