"""Serves a virtual table, where the referee was started with one: what lies there, and hands that change it."""

from __future__ import annotations

import threading

from flask import Blueprint, Response, jsonify

from referee.values.words import Words
from web.api.tablemodels import AfterVersionQuery, FaultBody, HandBody, ShowBody, VirtualAnswer
from web.contract import Access, acting_device, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("virtual", __name__)

_WAITING = threading.BoundedSemaphore(6)
"""Limit of clients that wait for news, as each holds a thread of the server; the others are answered at once."""


@endpoint(blueprint, "GET", "/virtual", Access.WATCH, "What lies on the virtual table", answer=VirtualAnswer)
def virtual(query: AfterVersionQuery) -> Response:
    """Return the table as it is, once it is another than the version that is known, or after a while."""
    desk = services().virtual
    if query.after and _WAITING.acquire(blocking=False):
        try:
            desk.wait(query.after, query.wait_s)
        finally:
            _WAITING.release()
    return jsonify(desk.view(language()))


@endpoint(
    blueprint, "POST", "/virtual/acts", Access.ACT, "What a hand does at the virtual table", status=204, once=True
)
def hand(body: HandBody) -> Response:
    """Move a hand: it comes, carries the act out, and stays a moment for more."""
    _refuse(services().virtual.act(body.model_dump(exclude_none=True)))
    return Response(status=204)


@endpoint(blueprint, "POST", "/virtual/faults", Access.ACT, "What befalls the virtual table", status=204, once=True)
def fault(body: FaultBody) -> Response:
    """Cause a fault: bump or unplug a camera, dim the light, put a cup down, knock a tower over."""
    _refuse(services().virtual.fault(body.name, body.camera, body.field, body.light))
    return Response(status=204)


@endpoint(blueprint, "POST", "/virtual/phone", Access.ACT, "A phone shows the virtual table", status=204)
def phone(body: ShowBody) -> Response:
    """Hold the phone at a side of the board, walk around with it, or put it away."""
    _refuse(services().virtual.show(body.azimuth_deg, body.elevation_deg, body.walk))
    return Response(status=204)


@endpoint(
    blueprint,
    "POST",
    "/virtual/button",
    Access.ACT,
    "The button box of the virtual table is pressed",
    status=204,
    once=True,
)
def pressed() -> Response:
    """Press the button of the box, whatever that means now."""
    services().virtual.press(acting_device().name)
    return Response(status=204)


def _refuse(why: Words | None) -> None:
    if why is not None:
        raise ApiError(409, "hands", why)
