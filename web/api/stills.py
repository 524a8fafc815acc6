"""Answers with single pictures of cameras."""

from __future__ import annotations

from flask import Response

from referee.values.words import say
from web.problems import ApiError


def still(jpeg: bytes | None) -> Response:
    """Answer with a camera's JPEG picture. Raises ApiError where there is none."""
    if jpeg is None:
        raise ApiError(404, "no-picture", say("There is no picture of this camera now."))
    return Response(jpeg, mimetype="image/jpeg")
