"""Takes photographs of the table from devices, and says of each what became of it."""

from __future__ import annotations

import time

from flask import Blueprint, Response, jsonify, request

from referee.values.words import say
from web.api.models import PhotographQuery, PhotographsAnswer, PhotographTakenAnswer
from web.bodies import BEGAN_S
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services
from web.tableview import TakenNote

blueprint = Blueprint("photographs", __name__)

MOST_BYTES = 30_000_000
"""Greatest file taken: of 50 megapixels, as a phone writes it."""


@endpoint(
    blueprint, "GET", "/photographs", Access.WATCH, "What became of the newest photographs", answer=PhotographsAnswer
)
def photographs() -> Response:
    """Say of each whether it is a view, or why not and what to do."""
    found = [
        {"id": one.number, "state": one.state.value, "words": one.words.text(language()) if one.words else ""}
        for one in services().photographs.told()
    ]
    return jsonify(photographs=found)


@endpoint(
    blueprint,
    "POST",
    "/photographs",
    Access.ACT,
    "A photograph of the table",
    answer=PhotographTakenAnswer,
    takes=("application/octet-stream", MOST_BYTES),
    status=202,
)
def photograph(query: PhotographQuery) -> tuple[Response, int]:
    """Take a file in, of whatever kind the device's camera writes; it is looked at as soon as its turn comes."""
    desk = services().photographs
    taken = TakenNote(query.age_ms / 1000, query.clock_ms / 1000, query.ahead_min * 60)
    began_s = float(request.environ.get(f"HTTP_{BEGAN_S}", time.monotonic()))
    number = desk.offer(request.get_data(cache=False), taken, began_s)
    if number is None:
        words = say("The pictures before this one are still being looked at.")
        raise ApiError(503, "too-fast", words, {"Retry-After": "1"})
    return jsonify(id=number), 202
