"""Answers with single pictures of cameras."""

from __future__ import annotations

from flask import Response

from referee.values.words import say
from web.api.models import AtQuery
from web.contract import Access, Contract
from web.problems import ApiError


def still_contract(summary: str) -> Contract:
    """Return what an address of such pictures promises."""
    return Contract(Access.WATCH, summary, query=AtQuery, media="image/jpeg", refusals=(401, 404))


def still(jpeg: bytes | None) -> Response:
    """Answer with a camera's JPEG picture. Raises ApiError where there is none."""
    if jpeg is None:
        raise ApiError(404, "no-picture", say("There is no picture of this camera now."))
    return Response(jpeg, mimetype="image/jpeg")
