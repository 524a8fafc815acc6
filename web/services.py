"""The services that the page's views use: one frozen value an app, stored once and fetched typed.

A part that a table may lack is ``None`` in ``Services.parts``; where a view can't do without one, the property of
``Services`` returns the part or raises the ApiError that tells the reader.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TypeVar, cast

from flask import Flask, current_app

from referee.values.words import Words, say
from web.auth.guard import Authenticator
from web.limits import Limiter, Workbench
from web.problems import ApiError
from web.statecache import StateCache
from web.streams import StreamSlots
from web.tableparts import TableParts
from web.tableview import (
    BoardDesk,
    CheckpointMaker,
    EventLog,
    GameCopies,
    GamesDesk,
    MatTeacher,
    PhoneCameras,
    PhotographDesk,
    RoomDesk,
    SetupDesk,
    TableView,
    VirtualDesk,
)
from web.wholegame import WholeGame

TAKEN_AT_ONCE = 40
TAKEN_A_SECOND = 4.0
"""Records and checkpoints that one address may ask for in a second, since they are made for it."""
ACTING_AT_ONCE = 4
"""Commands that may wait for the table together: each holds a thread that watchers need, too."""

_KEY = "referee"
_NO_JOURNAL = say("This table keeps no journal.")
_NO_GAMES = say("No games are kept here.")
_NO_ROOM = say("This table has no screen for the room.")

Part = TypeVar("Part")
Stored = TypeVar("Stored")


@dataclass(frozen=True, slots=True)
class Services:
    """The table, the parts it offers, and what the app itself counts and caches.

    streams: places of event streams. acting: places of commands.
    """

    table: TableView
    parts: TableParts
    streams: StreamSlots
    states: StateCache
    room_states: StateCache | None
    whole_game: WholeGame = field(default_factory=WholeGame)
    limiter: Limiter = field(default_factory=lambda: Limiter(TAKEN_AT_ONCE, TAKEN_A_SECOND))
    workbench: Workbench = field(default_factory=Workbench)
    acting: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(ACTING_AT_ONCE))

    def states_for(self, room: bool) -> StateCache:
        """Return the table's states, or for the room those that it may see."""
        return _present(self.room_states, "no-room", _NO_ROOM) if room else self.states

    def added(self, kind: type[Part]) -> Part | None:
        """Return what an add-on offers its addresses; ``None`` where it offers this table nothing."""
        return cast(Part | None, self.parts.addons.get(kind))

    def of(self, kind: type[Part], code: str, why: Words) -> Part:
        """Return what an add-on offers its addresses. code, why: of the problem where it is not there."""
        return _present(self.added(kind), code, why)

    @property
    def auth(self) -> Authenticator:
        """Return who may act at this table."""
        return _present(self.parts.auth, "pairing", say("Only paired devices may do this."), status=401)

    @property
    def log(self) -> EventLog:
        """Return the events of the game."""
        return _present(self.parts.log, "no-journal", _NO_JOURNAL)

    @property
    def checkpoint(self) -> CheckpointMaker:
        """Return the maker of checkpoints."""
        return _present(self.parts.checkpoint, "no-journal", _NO_JOURNAL)

    @property
    def setup(self) -> SetupDesk:
        """Return the help for setting the table up."""
        why = say(
            "There are no cameras to set up here: this is a recorded game. "
            "At a table of your own, “referee run” brings this page."
        )
        return _present(self.parts.setup, "no-setup", why)

    @property
    def mat(self) -> MatTeacher:
        """Return what learns where things lie on a mat."""
        return _present(self.parts.mat, "no-mat", say("No camera looks at a mat here."))

    @property
    def copies(self) -> GameCopies:
        """Return the copies of the game."""
        return _present(self.parts.copies, "no-copies", say("This game needs nothing entered of its copy."))

    @property
    def phones(self) -> PhoneCameras:
        """Return the cameras that are phones."""
        found = self.parts.phones
        why = say(
            "No camera of this table is a phone. Who looks after the table adds one in the hand by: referee new "
            'TABLE --phone, or names a fixed one in its settings, as in cam0 = "phone:left" under [cameras].'
        )
        return _present(found if found is not None and found.places() else None, "no-phones", why)

    @property
    def photographs(self) -> PhotographDesk:
        """Return what takes photographs of the table."""
        why = say("No camera of this table is held in a hand: photographs are not looked at here.")
        return _present(self.parts.photographs, "no-photographs", why)

    @property
    def board(self) -> BoardDesk:
        """Return what learns the board where it has no printed frame."""
        why = say("This table has a printed frame: nobody need show where its board lies.")
        return _present(self.parts.board, "no-board", why)

    @property
    def virtual(self) -> VirtualDesk:
        """Return the table that exists in the computer."""
        why = say("There is no virtual table here: start referee demo --play.")
        return _present(self.parts.virtual, "no-virtual-table", why)

    @property
    def games(self) -> GamesDesk:
        """Return the games that were refereed here."""
        return _present(self.parts.games, "no-games", _NO_GAMES)

    @property
    def room(self) -> RoomDesk:
        """Return what the screen for the room may show."""
        return _present(self.parts.room, "no-room", _NO_ROOM)


def store(app: Flask, services: object) -> None:
    """Give an app the value its views work with."""
    app.extensions[_KEY] = services


def stored(app: Flask, kind: type[Stored]) -> Stored | None:
    """Return the value an app was given; ``None`` where it is not of this type."""
    found = app.extensions.get(_KEY)
    return found if isinstance(found, kind) else None


def services_of(app: Flask) -> Services:
    """Return what an app's views work with. Raises TypeError for an app over no table."""
    found = stored(app, Services)
    if found is None:
        raise TypeError(f"{app.name} serves no table")
    return found


def services() -> Services:
    """Return what the views of the app that answers work with."""
    return services_of(current_app)


def _present(part: Part | None, code: str, why: Words, status: int = 404) -> Part:
    if part is None:
        raise ApiError(status, code, why)
    return part
