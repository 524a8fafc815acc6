"""The pages of an arbiter's desk: an app over the tables of a hall. Whoever opens it pairs first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Protocol

from flask import Blueprint, Flask, Response, jsonify, render_template, request
from markupsafe import escape
from pydantic import Field, JsonValue
from werkzeug.exceptions import HTTPException

from referee.values.words import say
from web import addons, kinds, problems
from web.api import session, stream, watch, words
from web.api.shapes import AnswerModel, BodyModel, QueryModel
from web.app import HEADERS, HEARTBEAT_S
from web.auth.guard import Authenticator
from web.auth.store import AuthStoreError
from web.compress import Compressed
from web.contract import LARGEST_BODY, LOCAL_HOSTS, Access, acting_device, check_endpoints, endpoint
from web.languages import language, offer
from web.problems import ApiError
from web.services import Services, services, store
from web.statecache import StateCache
from web.streams import StreamSlots
from web.tableparts import TableParts
from web.tableview import Outcome, TableView

MAX_STREAMS = 24
"""Pages that are open at the desk at a time."""
POLICY = f"{HEADERS['Content-Security-Policy']}; frame-src 'self'"
"""The desk shows reports in a frame."""
REPORT_POLICY = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""A report comes from a table: it is shown without scripts, and reaches nothing."""
_NO_TABLE = say("The hall has no such table.")
_STATUS = {"no-table": 404, "nothing": 404, "busy": 503, "offline": 503, "no-answer": 504}
"""Statuses of orders that were not carried out; of the others 409."""

pages = Blueprint("deskpages", __name__, template_folder="../templates")
blueprint = Blueprint("desk", __name__)


class HallDesk(Protocol):
    """The tables of a hall, at an arbiter's desk. Every method may be called from many threads at once."""

    def table(self, table: str, language: str) -> Mapping[str, object] | None:
        """Return everything of one table, as JSON-able values; ``None`` for one that is not known."""

    def order(
        self, table: str, does: Mapping[str, object], seen: tuple[str, int, str], by: str, language: str
    ) -> Outcome:
        """Order something at a table and wait for its answer; seen: game, event and hash that the arbiter saw."""

    def ask_code(self, table: str, by: str) -> Outcome:
        """Have a table's page ask the people there to show its code."""

    def trust(self, table: str, code: str, by: str) -> Outcome:
        """Have a table trust the desk, with the code that it shows."""

    def report(self, table: str, turn: int, language: str, by: str) -> bytes | Outcome:
        """Return the report on a turn as a page, or why there is none."""


@dataclass(frozen=True, slots=True)
class AtDesk:
    """What the desk's addresses work with."""

    hall: HallDesk


class HallTableAnswer(AnswerModel):
    """One table."""

    id: str
    name: str


class OrderBody(BodyModel):
    """An arbiter's order. game, event, head: as the table stood when it was decided on."""

    game: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    event: Annotated[int, Field(ge=0, lt=2**53)]
    head: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    does: Annotated[dict[str, JsonValue], Field(max_length=10, description="as docs/reference/hall-topics.md says")]


class OrderAnswer(AnswerModel):
    """Numbers of the events that the table wrote for an order."""

    events: tuple[int, ...] = ()


class TableCodeBody(BodyModel):
    """The code that a table shows."""

    code: Annotated[str, Field(min_length=1, max_length=40)]


class ReportQuery(QueryModel):
    """A turn on which a report is wanted."""

    turn: Annotated[int, Field(ge=0, lt=2**53)]


def create_desk(view: TableView, desk: HallDesk, auth: Authenticator, **config: object) -> Flask:
    """Build the desk's app. config: as ``web.app.create_app`` takes it."""
    app = hall_app(view, TableParts(auth=auth, addons={AtDesk: AtDesk(desk)}), POLICY, OPEN_WATCHING=False, **config)
    app.register_blueprint(pages)
    for part in (session.blueprint, blueprint):
        app.register_blueprint(part, url_prefix="/api")
    check_endpoints(app)
    return app


def hall_app(view: TableView, parts: TableParts, policy: str, **config: object) -> Flask:
    """Build what the desk's app and the spectators' have in common. policy: of the content of their pages."""
    app = Flask("web")
    app.config.update(
        TRUSTED_HOSTS=list(LOCAL_HOSTS),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PROVIDE_AUTOMATIC_OPTIONS=False,
        MAX_STREAMS=MAX_STREAMS,
        RESERVED_STREAMS=0,
        HEARTBEAT_S=HEARTBEAT_S,
        LANGUAGE="en",
        OPEN_WATCHING=True,
        REACHED_AT=None,
    )
    app.config.update(config)
    app.url_map.merge_slashes = False
    slots = StreamSlots(app.config["MAX_STREAMS"], app.config["RESERVED_STREAMS"])
    states = StateCache(view)
    store(app, Services(view, parts, slots, states, states))
    offer(app)
    app.register_blueprint(kinds.blueprint)
    app.register_blueprint(addons.blueprint)
    for part in (watch.blueprint, stream.blueprint, words.blueprint):
        app.register_blueprint(part, url_prefix="/api")
    app.register_error_handler(ApiError, problems.of_problem)
    app.register_error_handler(AuthStoreError, problems.of_auth_store)
    app.register_error_handler(HTTPException, problems.of_http)
    app.register_error_handler(Exception, problems.of_failure)

    def add_headers(response: Response) -> Response:
        for name, value in {**HEADERS, "Content-Security-Policy": policy}.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-cache" if response.status_code < 400 else "no-store")
        return response

    app.after_request(add_headers)
    app.after_request(Compressed().answer)
    return app


@endpoint(pages, "GET", "/", Access.PUBLIC, "The arbiter's desk", media="text/html")
def desk_page() -> str:
    """Return the desk's page."""
    return render_template(
        "desk.html", widgets=kinds.parts(kinds.WIDGET), sheets=kinds.parts(kinds.BOARD, kinds.TABLET)
    )


@endpoint(blueprint, "GET", "/tables/<table>", Access.WATCH, "One table", answer=HallTableAnswer)
def table(table: str) -> Response:
    """Return everything of one table."""
    found = _hall().table(table, language())
    if found is None:
        raise ApiError(404, "no-table", _NO_TABLE)
    return jsonify(found)


@endpoint(
    blueprint,
    "POST",
    "/tables/<table>/orders",
    Access.ACT,
    "Order something at a table",
    answer=OrderAnswer,
    refusals=(404, 409, 504),
    once=True,
)
def order(table: str, body: OrderBody) -> Response:
    """Order something, and return once the table has answered."""
    seen = (body.game, body.event, body.head)
    outcome = _hall().order(table, body.does, seen, acting_device().name, language())
    return jsonify(_done(outcome).result)


@endpoint(
    blueprint,
    "POST",
    "/tables/<table>/code",
    Access.ACT,
    "Have a table's page ask for its code",
    answer=AnswerModel,
    refusals=(404,),
    once=True,
)
def ask_code(table: str) -> Response:
    """Ask the people at a table to show its code."""
    return jsonify(_done(_hall().ask_code(table, acting_device().name)).result)


@endpoint(
    blueprint,
    "POST",
    "/tables/<table>/trust",
    Access.ACT,
    "Have a table trust this desk",
    answer=AnswerModel,
    refusals=(404, 409, 504),
    once=True,
)
def trust(table: str, body: TableCodeBody) -> Response:
    """Prove to a table that somebody has typed its code here."""
    return jsonify(_done(_hall().trust(table, body.code, acting_device().name)).result)


@endpoint(
    blueprint,
    "GET",
    "/tables/<table>/report",
    Access.WATCH,
    "The report on a turn, fetched from the table",
    media="text/html",
    refusals=(404, 409, 504),
    costly=True,
)
def report(table: str, query: ReportQuery) -> Response:
    """Return the report, for a frame that runs no script and reaches nothing."""
    found = _hall().report(table, query.turn, language(), services().auth.device(request).name)
    if isinstance(found, Outcome):
        words = found.words.text(language()) if found.words is not None else ""
        page = f"<!doctype html><html lang={language()}><title>{escape(words)}</title><p>{escape(words)}</p></html>"
        answer = Response(page, _STATUS.get(found.code, 409), mimetype="text/html")
    else:
        answer = Response(found, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = REPORT_POLICY
    answer.headers["X-Frame-Options"] = "SAMEORIGIN"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _hall() -> HallDesk:
    return services().of(AtDesk, "no-hall", say("This is no hall of tables.")).hall


def _done(outcome: Outcome) -> Outcome:
    if not outcome.accepted:
        words = outcome.words or say("The order was not carried out.")
        raise ApiError(_STATUS.get(outcome.code, 409), outcome.code, words)
    return outcome
