"""The table's state: once as JSON, or as a stream of server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Blueprint, Response, current_app, jsonify

from web.streams import StreamSlots
from web.tableview import TableView

blueprint = Blueprint("api", __name__)

RETRY_MS = 2000


@blueprint.get("/state")
def state() -> Response:
    """The table's newest state."""
    view: TableView = current_app.extensions["table"]
    answer = jsonify(view.snapshot())
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/events")
def events() -> Response:
    """Every new state as it comes, and a heartbeat while nothing does. 503 when too many are listening."""
    slots: StreamSlots = current_app.extensions["streams"]
    give_back = slots.take()
    if give_back is None:
        answer = jsonify(error="too many pages are listening: ask for /api/state now and then instead")
        answer.headers["Retry-After"] = "30"
        answer.status_code = 503
        return answer
    view: TableView = current_app.extensions["table"]
    stream = Response(_stream(view, current_app.config["HEARTBEAT_S"]), mimetype="text/event-stream")
    stream.headers["Cache-Control"] = "no-store"
    stream.headers["X-Accel-Buffering"] = "no"
    # Also when the client went away before the first byte was asked for.
    stream.call_on_close(give_back)
    return stream


def _stream(view: TableView, heartbeat_s: float) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\n\n"
    sent = None
    while True:
        newest = view.snapshot()
        version = newest["version"]
        if version != sent:
            yield f"id: {version}\nevent: state\ndata: {json.dumps(newest)}\n\n"
            sent = version
        else:
            # A heartbeat is an event, not a comment: the page must see it to know that it still hears us.
            yield "event: beat\ndata: {}\n\n"
        if not view.wait(int(str(version)), heartbeat_s):
            return
