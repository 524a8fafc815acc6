"""The page over one table: an app factory, and what every answer carries."""

from __future__ import annotations

from flask import Flask, Response

from web import page, state_api
from web.streams import StreamSlots
from web.tableview import TableView

MAX_STREAMS = 24
"""Event streams at a time: each holds a thread of the server, and pages beyond it poll."""

LOCAL_HOSTS = ("localhost", "127.0.0.1")

HEADERS = {
    # Everything the page uses is a file of ours; nothing inline, nothing from elsewhere, no frame around it.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def create_app(view: TableView, **config: object) -> Flask:
    """Build the page over one table. config: Flask's settings, and ``MAX_STREAMS``, ``HEARTBEAT_S``.

    Only the hosts in ``TRUSTED_HOSTS`` are answered, so a foreign site can't point its own name at this machine.
    """
    app = Flask(__name__)
    app.config.update(TRUSTED_HOSTS=list(LOCAL_HOSTS), MAX_STREAMS=MAX_STREAMS, HEARTBEAT_S=10.0)
    app.config.update(config)
    app.extensions["table"] = view
    app.extensions["streams"] = StreamSlots(app.config["MAX_STREAMS"])
    app.register_blueprint(page.blueprint)
    app.register_blueprint(state_api.blueprint, url_prefix="/api")
    app.after_request(_add_headers)
    return app


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-cache")
    return response
