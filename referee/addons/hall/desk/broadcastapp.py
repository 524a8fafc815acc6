"""What everybody may see of a hall: a wall with all tables, one table for spectators, an overlay for a film of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from flask import Blueprint, Flask, Response, render_template

from referee.addons.hall.desk.deskapp import hall_app
from referee.values.words import say
from web import kinds
from web.api.models import MessageAnswer, StateAnswer, StateQuery, StreamQuery
from web.api.stream import answer_stream
from web.api.watch import answer_state
from web.app import HEADERS
from web.contract import STREAM, Access, check_endpoints, endpoint
from web.problems import ApiError
from web.services import services
from web.statecache import StateCache
from web.tableparts import TableParts
from web.tableview import TableView

_NO_TABLE = say("There is no such table here.")

blueprint = Blueprint("broadcast", __name__, template_folder="../templates")


class HallScreens(Protocol):
    """The tables of a hall, for spectators. May be called from many threads at once."""

    def table(self, table: str) -> TableView | None:
        """Return one table as everybody may see it, ``None`` for one that is not known."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the spectators' addresses work with. states: of the tables, by id."""

    screens: HallScreens
    states: dict[str, StateCache] = field(default_factory=dict)


def create_broadcast(wall: TableView, screens: HallScreens, **config: object) -> Flask:
    """Build the spectators' app: nothing can be done there. config: as ``web.app.create_app`` takes it."""
    app = hall_app(wall, TableParts(addons={Shown: Shown(screens)}), HEADERS["Content-Security-Policy"], **config)
    app.register_blueprint(blueprint)
    check_endpoints(app)
    return app


@endpoint(blueprint, "GET", "/wall", Access.PUBLIC, "All tables on one wall", media="text/html")
def wall() -> str:
    """Return the page with all boards, one of them large."""
    return _wall()


def _wall() -> str:
    return render_template(
        "wall.html", widgets=kinds.parts(kinds.WIDGET), sheets=kinds.parts(kinds.BOARD, kinds.TABLET)
    )


@endpoint(blueprint, "GET", "/", Access.PUBLIC, "All tables on one wall", media="text/html")
def first() -> str:
    """Return the wall for whoever has typed no more than the address."""
    return _wall()


@endpoint(blueprint, "GET", "/table/<table>", Access.PUBLIC, "One table for spectators", media="text/html")
def one(table: str) -> str:
    """Return the page of one table, as the screen for the room shows it."""
    return _watched(table)


@endpoint(
    blueprint, "GET", "/overlay/<table>", Access.PUBLIC, "An overlay for a film of one table", media="text/html"
)
def overlay(table: str) -> str:
    """Return what is laid over a film: see-through where nothing is told."""
    return _watched(table)


def _watched(table: str) -> str:
    _states(table)
    return render_template(
        "watch.html",
        base=f"/table/{table}",
        widgets=kinds.parts(kinds.WIDGET),
        sheets=kinds.parts(kinds.BOARD, kinds.ROOM),
    )


@endpoint(
    blueprint,
    "GET",
    "/table/<table>/api/state",
    Access.WATCH,
    "One table as it stands",
    answer=StateAnswer,
    refusals=(304,),
)
def state(table: str, query: StateQuery) -> Response:
    """Return one table's newest state."""
    return answer_state(_states(table)[1])


@endpoint(
    blueprint,
    "GET",
    "/table/<table>/api/stream",
    Access.WATCH,
    "The states of one table as they come (server-sent events)",
    answer=MessageAnswer,
    media=STREAM,
)
def stream(table: str, query: StreamQuery) -> Response:
    """Open a stream of one table's states."""
    view, states = _states(table)
    return answer_stream(query, view, states, None)


def _states(table: str) -> tuple[TableView, StateCache]:
    shown = services().of(Shown, "no-hall", say("This is no hall of tables."))
    view = shown.screens.table(table)
    if view is None:
        raise ApiError(404, "no-table", _NO_TABLE)
    return view, shown.states.setdefault(table, StateCache(view))
