"""Takes pictures from phones as cameras, one at a time, and lists the cameras they may be."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from referee.values.words import say
from web.api.models import FrameQuery, PhonesAnswer
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("phones", __name__)

MOST_JPEG = 1_500_000
"""Greatest picture taken, bytes."""


@endpoint(blueprint, "GET", "/phones", Access.WATCH, "The cameras that phones may be", answer=PhonesAnswer)
def phones() -> Response:
    """List the cameras that phones may be, each with its phone, and whether it sends pictures now."""
    found = [
        {
            "camera": place.camera,
            "phone": place.phone,
            "sending": place.sending,
            "size": place.size,
            "held": place.held,
            "bare": place.bare,
            "lens": place.lens.text(language()) if place.lens else "",
        }
        for place in services().phones.places()
    ]
    return jsonify(phones=found)


@endpoint(
    blueprint,
    "POST",
    "/phones/<camera>/frames",
    Access.ACT,
    "A picture that a phone has taken",
    takes=("image/jpeg", MOST_JPEG),
    status=204,
)
def frame(camera: str, query: FrameQuery) -> Response:
    """Take a picture in, or refuse it while the one before is on its way: the phone then leaves this one out."""
    taken = services().phones.offer(camera, request.get_data(cache=False), query.age_ms / 1000)
    if taken is None:
        raise ApiError(404, "no-camera", say("{camera} is no camera that a phone may be.", camera=camera[:40]))
    if not taken:
        words = say("This picture came before the last one was taken in: leave it out.")
        raise ApiError(503, "too-fast", words, {"Retry-After": "1"})
    return Response(status=204)
