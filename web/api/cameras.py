"""Serves what the cameras see, one picture at a time: no stream that never ends."""

from __future__ import annotations

from flask import Blueprint, Response

from web.api.models import AtQuery
from web.api.stills import still
from web.contract import Access, endpoint
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
