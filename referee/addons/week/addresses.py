"""Serve how the cameras did of late."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, jsonify
from pydantic import Field

from referee.addons.week.watch import CameraWatch
from web.api.shapes import AnswerModel, QueryModel
from web.contract import Access, endpoint
from web.languages import language
from web.services import services

blueprint = Blueprint("week", __name__)


class HoursQuery(QueryModel):
    """How far back."""

    hours: Annotated[int, Field(ge=1, le=168, description="hours before now, a week at most")] = 24


class CameraHealthAnswer(AnswerModel):
    """How the cameras did. Times in ms of Unix time."""

    since_ms: int | None = None
    until_ms: int | None = None
    cameras: Annotated[
        list[dict[str, Any]],
        Field(
            description="name; lines: id, name, words, values at equal steps, null where nothing was measured; "
            "events, the newest first: at_ms, what, tone (good, warning, bad), words"
        ),
    ]


@endpoint(blueprint, "GET", "/camera-health", Access.WATCH, "How the cameras did of late", answer=CameraHealthAnswer)
def camera_health(query: HoursQuery) -> Response:
    """Return each camera's lines over some hours, and what befell it; no camera where nothing is kept."""
    watch = services().added(CameraWatch)
    return jsonify({"cameras": []} if watch is None else watch.view(query.hours, language()))
