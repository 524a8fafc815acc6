"""Serves the manual under /docs: the folder of static files that ``make docs`` builds, where it is there."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, send_from_directory

from referee.values.words import Words
from web.contract import Access, endpoint
from web.languages import language

blueprint = Blueprint("docs", __name__)

BUILT = Path(__file__).with_name("manual")
"""Folder into which ``make docs`` puts the manual; the wheel and the .deb bring it along."""
FIRST = "index.html"
POLICY = (
    # Stricter than the page's, but for the theme's icons: they are data: pictures in its style sheet.
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@endpoint(blueprint, "GET", "/docs", Access.PUBLIC, "The manual", media="text/html", status=302, refusals=(404,))
def manual() -> Response:
    """Lead to the manual's first page; where the manual is missing, say how to build it."""
    if (_folder() / FIRST).is_file():
        return make_response(redirect(f"/docs/{FIRST}"))
    spoken = language()
    page = render_template("manual.html", language=spoken, say=lambda text: Words(text, ()).text(spoken))
    return make_response(page, 404)


@endpoint(blueprint, "GET", "/docs/", Access.PUBLIC, "The manual", media="text/html", status=302, refusals=(404,))
def manual_folder() -> Response:
    """Answer as without the slash."""
    answer: Response = manual()
    return answer


@endpoint(blueprint, "GET", "/docs/<path:name>", Access.PUBLIC, "A file of the manual", media="*/*", refusals=(404,))
def manual_file(name: str) -> Response:
    """Return a file of the folder, never one outside; a missing manual's pages say how to build it."""
    if name.endswith(".html") and not (_folder() / FIRST).is_file():
        missing: Response = manual()
        return missing
    answer = send_from_directory(_folder(), name)
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


def _folder() -> Path:
    folder: Path = current_app.config["MANUAL"]
    return folder
