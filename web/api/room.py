"""Sets what the screen for the room may show; that is done at the table."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import RoomAnswer, RoomBody
from web.api.outcomes import command_endpoint
from web.contract import Access, endpoint
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("room", __name__)


@endpoint(blueprint, "GET", "/room", Access.WATCH, "What the screen for the room may show", answer=RoomAnswer)
def room() -> Response:
    """Return every switch by its name."""
    return jsonify(dict(services().room.settings()))


@command_endpoint(blueprint, "POST", "/room", "Set what the screen for the room may show")
def set_room(body: RoomBody) -> Response:
    """Set the switches named and leave the others; every screen of the room follows at once."""
    outcome = services().room.put(body.model_dump(exclude_none=True))
    if not outcome.accepted:
        raise ApiError(503, outcome.code, outcome.words or say("This can’t be done now."))
    return jsonify(words="", result=dict(outcome.result))
