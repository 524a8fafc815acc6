"""Serves what the cameras see, one picture at a time: no stream that never ends."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.api.models import AtQuery, CameraHealthAnswer, HoursQuery
from web.api.stills import still
from web.contract import Access, endpoint
from web.languages import language
from web.services import services

blueprint = Blueprint("cameras", __name__)


@endpoint(
    blueprint,
    "GET",
    "/cameras/<name>",
    Access.WATCH,
    "What a camera sees now, the fields drawn on it",
    media="image/jpeg",
)
def camera(name: str, query: AtQuery) -> Response:
    """Return the newest picture of the camera with that name."""
    looks = services().parts.looks
    found = looks.look(name) if looks is not None else None
    return still(found)


@endpoint(blueprint, "GET", "/camera-health", Access.WATCH, "How the cameras did of late", answer=CameraHealthAnswer)
def camera_health(query: HoursQuery) -> Response:
    """Return each camera's lines over some hours, and what befell it; no camera where nothing is kept."""
    parts = services().parts
    untimed = parts.untimed()
    cameras = {"cameras": []} if parts.health is None else parts.health.view(query.hours, language())
    return jsonify({**cameras, "timestamps": None if untimed is None else untimed.text(language())})
