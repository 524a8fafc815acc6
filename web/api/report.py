"""Serves reports on turns of the game that is played now, as a page or a PDF to be taken away."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.values.words import say
from web.contract import Access, Contract, declared
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("report", __name__)


def _report_as(media: str, form: str) -> Contract:
    words = f"All that is known of a turn, {form}"
    return Contract(Access.WATCH, words, media=media, refusals=(401, 404, 429, 503), limited=True, costly=True)


@declared(blueprint, "GET", "/turns/<int:turn>/report.html", _report_as("text/html", "as a page of its own"))
def turn_page(turn: int) -> Response:
    """Return the report as one HTML file, pictures included. Making it takes seconds."""
    return _report(turn, as_pdf=False)


@declared(blueprint, "GET", "/turns/<int:turn>/report.pdf", _report_as("application/pdf", "as PDF"))
def turn_pdf(turn: int) -> Response:
    """Return the report as PDF pages. Making it takes seconds."""
    return _report(turn, as_pdf=True)


def _report(turn: int, as_pdf: bool) -> Response:
    maker = services().parts.reports
    made = maker.turn(turn, language(), as_pdf) if maker is not None else b""
    if not made:
        raise ApiError(404, "no-report", say("There is no report on this turn: nothing was ruled on it."))
    answer = Response(made, mimetype="application/pdf" if as_pdf else "text/html")
    # A file to keep and send: shown in this page's place it would run under this page's policy.
    answer.headers["Content-Disposition"] = f'attachment; filename="turn-{turn}.{"pdf" if as_pdf else "html"}"'
    return answer
