"""Single pictures of cameras as answers: never kept by anybody, for the next one is newer."""

from __future__ import annotations

from flask import Response

from referee.values.words import say
from web.problems import ApiError


def still(jpeg: bytes | None) -> Response:
    """A camera's JPEG picture. Raises ApiError where there is none."""
    if jpeg is None:
        raise ApiError(404, "no-picture", say("There is no picture of this camera now."))
    answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer
