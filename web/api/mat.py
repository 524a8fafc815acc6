"""Teaches a mat: players show what its places mean, once, by taps in a camera's picture."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.api.models import AtQuery
from web.api.outcomes import command_endpoint, outcome_answer
from web.api.stills import still
from web.api.tablemodels import CameraBody, MatAnswer, SizesBody, TapsBody
from web.contract import Access, endpoint
from web.languages import language
from web.services import services

blueprint = Blueprint("mat", __name__)
STATUSES = {"no-part": 404, "no-frame": 409, "disk": 503}
"""HTTP statuses of a command's outcomes here."""


@endpoint(blueprint, "GET", "/mat", Access.WATCH, "What the cameras were shown of the mat", answer=MatAnswer)
def mat() -> Response:
    """Return the cameras, the parts in the order in which they are asked for, and where each lies in the pictures."""
    return jsonify(services().mat.view(language()))


@endpoint(
    blueprint,
    "GET",
    "/mat/pictures/<camera>",
    Access.WATCH,
    "What a camera sees, nothing drawn on it",
    media="image/jpeg",
)
def mat_picture(camera: str, query: AtQuery) -> Response:
    """Return the newest picture of a camera."""
    return still(services().mat.picture(camera))


@command_endpoint(blueprint, "POST", "/mat/empty", "Keep how the empty mat looks now")
def mat_empty(body: CameraBody) -> Response:
    """Photograph the empty mat. Nothing may lie on it."""
    return outcome_answer(services().mat.photograph(body.camera), STATUSES)


@command_endpoint(blueprint, "POST", "/mat/sizes", "Keep sizes of pieces")
def mat_sizes(body: SizesBody) -> Response:
    """Set the sizes of pieces, in mm, by the ids of the view."""
    return outcome_answer(services().mat.measure(body.sizes), STATUSES)


@command_endpoint(blueprint, "POST", "/mat/parts/<part>", "Show a part of the mat")
def mat_part(part: str, body: TapsBody) -> Response:
    """Set a part by taps in a camera's picture, in order; no taps: forget what was shown."""
    return outcome_answer(services().mat.show(part, body.camera, body.taps), STATUSES)
