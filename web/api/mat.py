"""Teaches a mat: players show what its places mean, once, by taps in a camera's picture."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.api.models import AtQuery, OutcomeAnswer
from web.api.outcomes import told
from web.api.stills import still, still_contract
from web.api.tablemodels import CameraBody, MatAnswer, SizesBody, TapsBody
from web.contract import Access, Contract, declared
from web.languages import language
from web.services import services

blueprint = Blueprint("mat", __name__)
STATUSES = {"no-part": 404, "no-frame": 409, "disk": 503}
"""Of what may become of a command here."""

_DONE = (400, 401, 403, 404, 409, 415, 422, 503)


@declared(
    blueprint,
    "GET",
    "/mat",
    Contract(Access.WATCH, "What the cameras were shown of the mat", answer=MatAnswer, refusals=(401, 404)),
)
def mat() -> Response:
    """Return the cameras, the parts in the order in which they are asked for, and where each lies in the pictures."""
    return jsonify(services().mat.view(language()))


@declared(
    blueprint,
    "GET",
    "/mat/pictures/<camera>",
    still_contract("What a camera sees, nothing drawn on it"),
)
def mat_picture(camera: str, query: AtQuery) -> Response:
    """Return the newest picture of a camera."""
    return still(services().mat.picture(camera))


@declared(
    blueprint,
    "POST",
    "/mat/empty",
    Contract(
        Access.ACT,
        "Keep how the empty mat looks now",
        body=CameraBody,
        answer=OutcomeAnswer,
        refusals=_DONE,
        once=True,
    ),
)
def mat_empty(body: CameraBody) -> Response:
    """Photograph the empty mat. Nothing may lie on it."""
    return told(services().mat.photograph(body.camera), STATUSES)


@declared(
    blueprint,
    "POST",
    "/mat/sizes",
    Contract(Access.ACT, "Keep sizes of pieces", body=SizesBody, answer=OutcomeAnswer, refusals=_DONE, once=True),
)
def mat_sizes(body: SizesBody) -> Response:
    """Set the sizes of pieces, in mm, by the ids of the view."""
    return told(services().mat.measure(body.sizes), STATUSES)


@declared(
    blueprint,
    "POST",
    "/mat/parts/<part>",
    Contract(Access.ACT, "Show a part of the mat", body=TapsBody, answer=OutcomeAnswer, refusals=_DONE, once=True),
)
def mat_part(part: str, body: TapsBody) -> Response:
    """Taps in a camera's picture, in order; none: what was shown is forgotten."""
    return told(services().mat.show(part, body.camera, body.taps), STATUSES)
