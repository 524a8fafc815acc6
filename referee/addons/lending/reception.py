"""The reception of a hall where tables are lent: its page for visitors who have no table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Protocol

from flask import Blueprint, Flask, Response, current_app, jsonify, make_response, render_template, request
from pydantic import BaseModel, ConfigDict, Field
from werkzeug.exceptions import HTTPException

from referee.values.words import Words, say, say_n
from web.auth.guard import require_own_origin
from web.contract import LARGEST_BODY, Access, endpoint
from web.formpages import add_headers, seen_other
from web.languages import language, offer
from web.problems import ApiError, of_failure, of_http, of_problem
from web.services import store, stored

COOKIE = "referee-visitor"
ANSWERED_HERE = ("/hall", "/wait", "/sit", "/leave", "/health")
"""Addresses that are the reception's also for a visitor who has a table."""
NOT_LENT = ("/api/codes", "/api/pair", "/api/devices")
"""Addresses that a lent table does not have: those for other devices."""
LOOKS_EVERY_S = 8
LAID_S = 1

blueprint = Blueprint("reception", __name__, template_folder="templates")


class Leaving(Enum):
    """Reasons why a visitor has no table any more."""

    LEFT = say("You gave the table back, and everything of it was deleted.")
    LINE = say("You were away from this page for long, so others came before you: ask for a table again.")
    IDLE = say("Nobody played at your table for a while, so it was cleared and everything of it was deleted.")
    OVER = say("Your time at the table was over, so it was cleared and everything of it was deleted.")
    LARGE = say(
        "Your table took more memory than a table may have, so it was cleared and everything of it was deleted."
    )
    BROKEN = say("Your table broke down, which is our fault. Everything of it was deleted; please take another.")


@dataclass(frozen=True, slots=True)
class VisitorStanding:
    """A visitor's state. asked: for a table; laid: it can be played at; place: in line, from 1, where one waits.

    wait_s: at most so long, from now. left: why there is no table any more.
    """

    asked: bool = False
    laid: bool = False
    place: int = 0
    wait_s: float = 0.0
    left: Leaving | None = None


class NoTableError(Exception):
    """No table is lent to this visitor; words for people say why."""

    def __init__(self, words: Words) -> None:
        super().__init__(str(words))
        self.words = words


class LendsTables(Protocol):
    """Lends tables. Safe to call from several threads."""

    def ask(self, token: str, address: str, game: str, language: str) -> str:
        """Ask for a table: the visitor's token. Raises NoTableError."""

    def standing(self, token: str) -> VisitorStanding:
        """Return how a visitor stands."""

    def leave(self, token: str) -> None:
        """Give the table back."""

    def counts(self) -> tuple[int, int]:
        """Return how many tables are lent, and how many people wait."""


@dataclass(frozen=True, slots=True)
class _Lending:
    """Values that the reception's pages use. minutes: how long a table is lent."""

    hall: LendsTables
    games: tuple[tuple[str, str], ...]
    minutes: int


class SitQuery(BaseModel):
    """A wish for a table."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    game: Annotated[str, Field(max_length=40)]


def create_reception(
    hall: LendsTables, games: Sequence[tuple[str, str]], minutes: int, hosts: Sequence[str]
) -> Flask:
    """Make the reception's app.

    games: name and title of those there are tables for. minutes: a table is lent for. hosts: the names it answers to.
    """
    app = Flask("web")
    app.config.update(
        TRUSTED_HOSTS=hosts, MAX_CONTENT_LENGTH=LARGEST_BODY, PROVIDE_AUTOMATIC_OPTIONS=False, LANGUAGE="en"
    )
    store(app, _Lending(hall, tuple(games), minutes))
    offer(app)
    app.register_blueprint(blueprint)
    app.register_error_handler(ApiError, of_problem)
    app.register_error_handler(HTTPException, _elsewhere)
    app.register_error_handler(Exception, of_failure)
    app.after_request(add_headers)
    return app


@endpoint(blueprint, "GET", "/hall", Access.PUBLIC, "Tables to play at", media="text/html")
def hall() -> Response:
    """Return the page with a table to ask for, or to give back; it says why there is none any more."""
    stands = _lending().hall.standing(_token())
    if stands.asked and not stands.laid:
        return seen_other("/wait")
    return _page(stands, stands.left.value if stands.left is not None else None)


@endpoint(blueprint, "GET", "/wait", Access.PUBLIC, "A place in line", media="text/html", status=503, refusals=(303,))
def wait() -> Response:
    """Return the visitor's place in line, or that the table is being laid; once it is, send the visitor there."""
    stands = _lending().hall.standing(_token())
    if stands.laid:
        return seen_other("/virtual")
    return _page(stands, None) if stands.asked else seen_other("/hall")


@endpoint(blueprint, "POST", "/sit", Access.PUBLIC, "Ask for a table", status=303, refusals=(403,))
def sit(query: SitQuery) -> Response:
    """Give the visitor a table, or a place in line."""
    require_own_origin(request)
    if query.game not in dict(_lending().games):
        raise ApiError(400, "game", say("There are no tables for this game."))
    try:
        token = _lending().hall.ask(_token(), request.remote_addr or "", query.game, language())
    except NoTableError as refused:
        return _page(VisitorStanding(), refused.words, 429)
    answer = seen_other("/wait")
    answer.set_cookie(cookie_name(request.is_secure), token, path="/", secure=request.is_secure, httponly=True,
                      samesite="Lax")  # fmt: skip
    return answer


@endpoint(blueprint, "POST", "/leave", Access.PUBLIC, "Give the table back", status=303, refusals=(403,))
def leave() -> Response:
    """Clear the visitor's table."""
    require_own_origin(request)
    _lending().hall.leave(_token())
    return seen_other("/hall")


@endpoint(blueprint, "GET", "/health", Access.PUBLIC, "How many tables are lent")
def health() -> Response:
    """Return how many tables are lent, and how many people wait for one."""
    lent, waiting = _lending().hall.counts()
    return jsonify(status="ok", lent=lent, waiting=waiting)


def cookie_name(secure: bool) -> str:
    """Return the name of the visitor's cookie.

    Browsers take one of the longer name over HTTPS alone, for one host.
    """
    return f"__Host-{COOKIE}" if secure else COOKIE


def _lending() -> _Lending:
    found = stored(current_app, _Lending)
    assert found is not None
    return found


def _token() -> str:
    return request.cookies.get(cookie_name(request.is_secure), "")


def _page(stands: VisitorStanding, told: Words | None, status: int = 200) -> Response:
    spoken = language()
    lending = _lending()
    wait = max(1, math.ceil(stands.wait_s / 60))
    answer = make_response(
        render_template(
            "reception.html",
            language=spoken,
            place=say("You are number {place} in line.", place=stands.place).text(spoken),
            games=lending.games,
            stands=stands,
            told=told.text(spoken) if told is not None else "",
            lent=say_n(
                "The table is yours for {n} minute.", "The table is yours for {n} minutes.", lending.minutes
            ).text(spoken),
            wait=say_n(
                "One is free in {n} minute at the latest.", "One is free in {n} minutes at the latest.", wait
            ).text(spoken),
            refresh=LOOKS_EVERY_S if stands.place else LAID_S if stands.asked else 0,
            say=lambda text, **values: Words(text, tuple(sorted(values.items()))).text(spoken),
        ),
        503 if stands.place else status,
    )
    if stands.place:
        answer.headers["Retry-After"] = str(LOOKS_EVERY_S)
    return answer


def _elsewhere(error: HTTPException) -> Response:
    """Answer at an address of a table that is not, or no longer, there."""
    if error.code not in (404, 405):
        return of_http(error)
    if request.path.startswith("/api/"):
        if _lending().hall.standing(_token()).laid:
            return ApiError(403, "not-lent", say("At a table that is lent, one browser alone plays.")).response()
        return ApiError(410, "no-table", say("This table was cleared: load the page again.")).response()
    return seen_other("/hall") if request.method == "GET" else of_http(error)
