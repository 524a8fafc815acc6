"""The printed data of the players' own copy of a game: entered once, part by part, and shared as a file."""

from __future__ import annotations

import base64
import binascii

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import AtQuery
from web.api.outcomes import command_endpoint, outcome_answer
from web.api.tablemodels import CopiesAnswer, CopyAnswer, CopyFileBody, CopyNameBody, PictureBody, RowBody
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("copies", __name__)
STATUSES = {"no-copy": 404, "no-part": 404, "no-picture": 404, "disk": 503}
"""HTTP statuses of a command's outcomes here."""

LARGEST_FILE = 1_000_000
LARGEST_PICTURE = 900_000


@endpoint(blueprint, "GET", "/copies", Access.WATCH, "Copies entered here", answer=CopiesAnswer)
def copies() -> Response:
    """List the copies, each with the id of its file and its name; null where the game needs nothing entered."""
    kept = services().parts.copies
    return jsonify(copies=None if kept is None else kept.names())


@command_endpoint(blueprint, "POST", "/copies", "Begin a copy")
def new_copy(body: CopyNameBody) -> Response:
    """Begin a copy of which only the name is known."""
    return outcome_answer(services().copies.begin(body.name), STATUSES)


@command_endpoint(blueprint, "POST", "/copy-files", "Take in a copy's file", largest=LARGEST_FILE)
def take_in(body: CopyFileBody) -> Response:
    """Take in a copy that somebody else entered; 409 says which of its values can't be used."""
    return outcome_answer(services().copies.take_in(body.data), STATUSES)


@endpoint(blueprint, "GET", "/copies/<name>", Access.WATCH, "A copy's form", answer=CopyAnswer)
def copy(name: str) -> Response:
    """Return a copy's parts with their rows, what is missing and what is hardly right."""
    view = services().copies.view(name, language())
    if view is None:
        raise _no_copy()
    return jsonify(view)


@endpoint(blueprint, "GET", "/copies/<name>/file", Access.WATCH, "A copy's file, to share")
def copy_file(name: str) -> Response:
    """Return a copy as JSON, as games and ``referee check`` take it."""
    text = services().copies.text(name)
    if text is None:
        raise _no_copy()
    answer = Response(text, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="copy-{name}.json"'
    return answer


@command_endpoint(blueprint, "POST", "/copies/<name>/<part>/<row>", "Enter a row of a copy")
def put_row(name: str, part: str, row: str, body: RowBody) -> Response:
    """Put one row in place of another; ``+`` makes a new one, values of null take it out."""
    return outcome_answer(services().copies.put(name, part, "" if row == "+" else row, body.values), STATUSES)


@endpoint(
    blueprint,
    "GET",
    "/copies/<name>/<part>/<row>/picture",
    Access.WATCH,
    "The picture of a part of a copy",
    media="image/jpeg",
)
def copy_picture(name: str, part: str, row: str, query: AtQuery) -> Response:
    """Return the picture that somebody took of the card."""
    found = services().copies.picture(name, part, row)
    if found is None:
        raise ApiError(404, "no-picture", say("There is no such picture."))
    return Response(found, mimetype="image/jpeg")


@command_endpoint(
    blueprint,
    "POST",
    "/copies/<name>/<part>/<row>/picture",
    "Keep a picture of a part of a copy",
    largest=LARGEST_PICTURE,
)
def put_picture(name: str, part: str, row: str, body: PictureBody) -> Response:
    """Keep a JPEG of the card, beside which its values are typed."""
    try:
        jpeg = base64.b64decode(body.picture, validate=True)
    except (binascii.Error, ValueError):
        raise ApiError(409, "picture", say("This is no JPEG picture.")) from None
    return outcome_answer(services().copies.keep_picture(name, part, row, jpeg), STATUSES)


@command_endpoint(blueprint, "DELETE", "/copies/<name>/<part>/<row>/picture", "Remove a picture of a part of a copy")
def remove_picture(name: str, part: str, row: str) -> Response:
    """Delete the picture of a card; the values typed beside it stay."""
    return outcome_answer(services().copies.drop_picture(name, part, row), STATUSES)


@command_endpoint(blueprint, "DELETE", "/copies/<name>", "Delete a copy")
def remove_copy(name: str) -> Response:
    """Delete a copy with all its pictures; games that are or were played with it keep its values."""
    return outcome_answer(services().copies.drop(name), STATUSES)


def _no_copy() -> ApiError:
    return ApiError(404, "no-copy", say("There is no such copy."))
