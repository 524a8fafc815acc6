"""Serves what the cameras see, one picture at a time: no stream that never ends."""

from __future__ import annotations

from flask import Blueprint, Response

from web.api.models import AtQuery
from web.api.stills import still, still_contract
from web.contract import declared
from web.services import services

blueprint = Blueprint("cameras", __name__)


@declared(
    blueprint,
    "GET",
    "/cameras/<name>",
    still_contract("What a camera sees now, the fields drawn on it"),
)
def camera(name: str, query: AtQuery) -> Response:
    """Return the newest picture of the camera with that name."""
    looks = services().parts.looks
    found = looks.look(name) if looks is not None else None
    return still(found)
