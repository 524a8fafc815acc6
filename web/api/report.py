"""Serves reports on turns of the game that is played now, as a page or a PDF to be taken away."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.values.turnform import TurnForm
from referee.values.words import say
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("report", __name__)


@endpoint(
    blueprint,
    "GET",
    "/turns/<int:turn>/report.html",
    Access.WATCH,
    "All that is known of a turn, as a page of its own",
    media="text/html",
    limited=True,
    costly=True,
)
def turn_page(turn: int) -> Response:
    """Return the report as one HTML file, pictures included. Making it takes seconds."""
    return _file(turn, TurnForm.PAGE, "text/html", "html")


@endpoint(
    blueprint,
    "GET",
    "/turns/<int:turn>/report.pdf",
    Access.WATCH,
    "All that is known of a turn, as PDF",
    media="application/pdf",
    limited=True,
    costly=True,
)
def turn_pdf(turn: int) -> Response:
    """Return the report as PDF pages. Making it takes seconds."""
    return _file(turn, TurnForm.PAPER, "application/pdf", "pdf")


@endpoint(
    blueprint,
    "GET",
    "/turns/<int:turn>/share.html",
    Access.WATCH,
    "A turn as a page fit to be shown to others",
    media="text/html",
    limited=True,
    costly=True,
)
def turn_shared(turn: int) -> Response:
    """Return what happened in a turn as one HTML file: boards, rule, notation, pictures of the board; no names."""
    return _file(turn, TurnForm.SHARED, "text/html", "html")


@endpoint(
    blueprint,
    "GET",
    "/turns/<int:turn>/share.gif",
    Access.WATCH,
    "The boards before and after a turn as a moving picture",
    media="image/gif",
    limited=True,
    costly=True,
)
def turn_film(turn: int) -> Response:
    """Return a GIF. A game whose board is told in words has none."""
    return _file(turn, TurnForm.FILM, "image/gif", "gif")


def _file(turn: int, form: TurnForm, media: str, ending: str) -> Response:
    maker = services().parts.reports
    made = maker.turn(turn, language(), form) if maker is not None else b""
    if not made:
        raise ApiError(404, "no-report", say("There is no report on this turn: nothing was ruled on it."))
    answer = Response(made, mimetype=media)
    # A file to keep and send: shown in this page's place it would run under this page's policy.
    answer.headers["Content-Disposition"] = f'attachment; filename="turn-{turn}.{ending}"'
    return answer
