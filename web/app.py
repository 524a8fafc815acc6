"""The page over one table: an app factory, and what every answer carries."""

from __future__ import annotations

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from referee.values.gameerror import GameError
from web import addons, docs, health, kinds, packed, page, problems
from web.api import (
    board,
    cameras,
    commands,
    copies,
    description,
    games,
    mat,
    phones,
    photographs,
    record,
    report,
    room,
    session,
    setup,
    stream,
    virtual,
    watch,
    words,
)
from web.auth.store import AuthStoreError
from web.compress import Compressed
from web.contract import LARGEST_BODY, LOCAL_HOSTS, check_endpoints
from web.languages import offer
from web.services import Services, services, store
from web.statecache import StateCache
from web.streams import StreamSlots
from web.tableparts import TableParts
from web.tableview import TableView

MAX_STREAMS = 64
"""Event streams at a time: each holds a thread of the server, and pages beyond it poll."""
HEARTBEAT_S = 5.0
"""Between two beats of a stream on which nothing happens; a dead listener is noticed at the next one."""
RESERVED_STREAMS = 4
"""Streams of these that are kept for paired devices."""

OPENER_POLICY = "Cross-Origin-Opener-Policy"
HEADERS = {
    # Everything the page uses is a file of ours; nothing from elsewhere, no frame around it, and nothing inline but
    # the import map of the table's page, named by its digest.
    # A blob is a picture that the page's own script has drawn.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "media-src 'self'; manifest-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    OPENER_POLICY: "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), serial=(), "
        "screen-wake-lock=(self), fullscreen=(self)"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create_app(view: TableView, parts: TableParts | None = None, **config: object) -> Flask:
    """Build the page over one table.

    config: Flask's settings, and ``MAX_STREAMS``, ``RESERVED_STREAMS``, ``HEARTBEAT_S``, ``OPEN_WATCHING`` (whether
    whoever opens the page may watch), ``LANGUAGE`` (the page's first), ``REACHED_AT`` (gives HOST:PORT under which
    other devices find the page, empty where none does; ``None``: wherever the asking one did), ``TRUST`` (the
    certificate authority that devices may trust, ``web.page.Trust``), ``MANUAL`` (the folder of the built manual).
    Only the hosts in ``TRUSTED_HOSTS`` are answered, so a foreign site can't point its own name at this machine.
    """
    app = Flask(__name__)
    app.config.update(
        TRUSTED_HOSTS=list(LOCAL_HOSTS),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROVIDE_AUTOMATIC_OPTIONS=False,
        MAX_STREAMS=MAX_STREAMS,
        RESERVED_STREAMS=RESERVED_STREAMS,
        HEARTBEAT_S=HEARTBEAT_S,
        OPEN_WATCHING=True,
        LANGUAGE="en",
        REACHED_AT=None,
        TRUST=None,
        MANUAL=docs.BUILT,
    )
    app.config.update(config)
    app.url_map.merge_slashes = False  # a different spelling is another address, which leads nowhere
    offered = parts or TableParts()
    room_states = StateCache(offered.room) if offered.room is not None else None
    slots = StreamSlots(app.config["MAX_STREAMS"], app.config["RESERVED_STREAMS"])
    store(app, Services(view, offered, slots, StateCache(view), room_states))
    offer(app)
    app.register_blueprint(page.blueprint)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(kinds.blueprint)
    app.register_blueprint(addons.blueprint)
    app.register_blueprint(packed.blueprint)
    for part in (
        watch, stream, session, commands, cameras, copies, phones, photographs, record, report, games, room, setup,
        mat, board, words, description, virtual,
    ):  # fmt: skip
        app.register_blueprint(part.blueprint, url_prefix="/api")
    for blueprint in addons.blueprints():
        app.register_blueprint(blueprint, url_prefix="/api")
    if offered.signs is not None:
        app.register_blueprint(health.blueprint)
    app.register_error_handler(problems.ApiError, problems.of_problem)
    app.register_error_handler(AuthStoreError, problems.of_auth_store)
    app.register_error_handler(HTTPException, problems.of_http)
    app.register_error_handler(GameError, problems.of_game)
    app.register_error_handler(Exception, problems.of_failure)
    app.after_request(_add_headers)
    app.after_request(Compressed().answer)
    check_endpoints(app)
    return app


def _add_headers(response: Response) -> Response:
    policy = HEADERS["Content-Security-Policy"]
    if "import_map" in g:
        policy = policy.replace("script-src 'self'", f"script-src 'self' {g.import_map}")
    if services().parts.virtual is not None:  # its page shows the tablet's page beside the board
        policy = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'") + "; frame-src 'self'"
        response.headers.setdefault("X-Frame-Options", "SAMEORIGIN")
    response.headers.setdefault("Content-Security-Policy", policy)
    for name, value in HEADERS.items():
        if name != OPENER_POLICY or _is_trusted():
            response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store" if _fleeting(response) else "no-cache")
    return response


def _is_trusted() -> bool:
    """Return whether browsers trust where the page comes from; elsewhere they warn of a policy that they ignore."""
    return request.is_secure or request.environ.get("HTTP_HOST", "").partition(":")[0] in LOCAL_HOSTS


def _fleeting(response: Response) -> bool:
    """Return whether nobody may keep an answer that says nothing of that itself.

    Only pages and their files may be kept.
    """
    return response.status_code >= 400 or request.path.startswith(("/api/", "/health", "/metrics"))
