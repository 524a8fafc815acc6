"""The page's contract with the table: its newest state, what happened, its pictures, and a way to command it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from referee.values.turnform import TurnForm
from referee.values.words import Words


class TableView(Protocol):
    """A table to look at. Every method may be called from many threads at once."""

    def snapshot(self, language: str = "en") -> Mapping[str, object]:
        """Return the newest state in a language, as JSON-able values; its whole number ``version`` changes with it.

        The words of one version may differ between languages, nothing else does.
        """

    def wait(self, version: int, timeout: float) -> bool:
        """Wait until the state is another than ``version``, at most ``timeout`` seconds.

        Returns False once the table is closing, when nobody should wait any longer.
        """


@dataclass(frozen=True)
class Happening:
    """One event of the game's journal, ready for others to read. at: ISO 8601 in UTC."""

    number: int
    kind: str
    at: str
    data: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """Return the event as the API gives it."""
        return {"number": self.number, "kind": self.kind, "at": self.at, "data": self.data}

    @cached_property
    def encoded(self) -> bytes:
        """Return the event as JSON in UTF-8, made once however many listen."""
        return json.dumps(self.to_json(), ensure_ascii=False).encode()


class EventLog(Protocol):
    """The events of a game, in order, from 1. Every method may be called from many threads at once."""

    @property
    def game(self) -> str:
        """Return the name of the journal, letters and digits: another one after a new game has begun."""

    @property
    def last(self) -> int:
        """Return the number of the newest event, 0 before the first."""

    def after(self, number: int, limit: int) -> Sequence[Happening]:
        """Return the events that follow the one with that number, oldest first, at most ``limit``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a command.

    words: why not, or what there is to say; code: why not, for programs; result: what the sender is told.
    """

    accepted: bool
    words: Words | None = None
    code: str = "refused"
    result: Mapping[str, object] = field(default_factory=dict)


class TableCommands(Protocol):
    """A table that can be told something by the players. Every method may be called from many threads at once."""

    def names(self) -> Sequence[str]:
        """List the commands."""

    def command(
        self, name: str, arguments: Mapping[str, object], who: str, seen: int | None = None, player: str = ""
    ) -> Outcome:
        """Do what a player asked for, or say why not; returns once it is written down.

        who: the name of the device it came from, as the journal shall keep it. player: the word of the one player
        whose own that device is, so that it acts for nobody else; empty for a device of the table. seen: number of
        the newest event the sender knew of, so that nobody decides on something that is already over. Arguments come
        from the network: they are JSON-able and nothing more is known of them.
        """


class Pictures(Protocol):
    """The pictures behind the rulings, by the name their content gives them."""

    def picture(self, content: str) -> bytes | None:
        """Return the picture with this content id (its SHA-256, 64 hexadecimal digits), or ``None``."""


class CheckpointMaker(Protocol):
    """Makes signed notes of how far the journal has come."""

    def text(self) -> str:
        """Return a checkpoint of the journal as it stands, a few short lines."""


class CameraLooks(Protocol):
    """The cameras' pictures. Every method may be called from many threads at once."""

    def look(self, camera: str) -> bytes | None:
        """Return a JPEG of a camera's newest picture with the fields drawn on it; ``None`` without one."""


@dataclass(frozen=True, slots=True)
class PhonePlace:
    """A camera whose pictures a phone sends. sending: whether some have come lately. size: (width, height) wanted.

    lens: what is to be done so that its lens is known, ``None`` for nothing. held: whether it is held in a hand.
    bare: whether the board has no printed frame, so that photographs are looked at, and no live pictures.
    """

    camera: str
    phone: str
    sending: bool
    size: tuple[int, int] | None = None
    lens: Words | None = None
    held: bool = False
    bare: bool = False


class PhoneCameras(Protocol):
    """The cameras that are phones. Every method may be called from many threads at once."""

    def places(self) -> Sequence[PhonePlace]:
        """List the cameras phones may be."""

    def offer(self, camera: str, jpeg: bytes, age_s: float) -> bool | None:
        """Take a picture; ``False`` when it comes too fast, ``None`` where no such camera is a phone."""


@dataclass(frozen=True, slots=True)
class TakenNote:
    """What a device says of when a photograph was taken.

    age_s: of its file when it began to be sent. clock_s: the device's clock then, seconds since 1970; ahead_s: of
    UTC, where it stands.
    """

    age_s: float = 0.0
    clock_s: float = 0.0
    ahead_s: float = 0.0


class PhotographState(StrEnum):
    """What became of a photograph."""

    LOOKED_AT = "looked at"
    """It is still on its way."""
    VIEW = "view"
    """It shows a side of the board that was not shown before."""
    WRONG = "wrong"
    """It is left out; the words say why, and what to do."""
    UNNEEDED = "unneeded"


@dataclass(frozen=True, slots=True)
class PhotographTold:
    """What became of a photograph by its number, and what whoever took it is told."""

    number: int
    state: PhotographState
    words: Words | None


class PhotographDesk(Protocol):
    """Takes photographs of the table one by one. Every method may be called from many threads at once."""

    def offer(self, content: bytes, taken: TakenNote, began_s: float) -> int | None:
        """Take a file in. Return its number, ``None`` where so many wait that it is to be sent later.

        began_s: when it began to be sent, monotonic seconds.
        """

    def told(self) -> Sequence[PhotographTold]:
        """Say what became of the newest photographs, the oldest first."""


class RoomDesk(TableView, Protocol):
    """The table as the screen for the room may show it, and what that is."""

    def settings(self) -> Mapping[str, object]:
        """Return what the room may see, switch by switch."""

    def put(self, settings: Mapping[str, object]) -> Outcome:
        """Set the switches that are named, or say why not."""


class SetupDesk(Protocol):
    """Helps people set a table up. Every method may be called from many threads at once."""

    def view(self, language: str = "en") -> Mapping[str, object]:
        """Return the cameras with their lights, the steps and the newest certificate, as JSON-able values."""

    def picture(self, camera: str) -> bytes | None:
        """Return a JPEG of what a camera sees with the grid on it; ``None`` for none, or no such camera."""

    def certificate(self) -> Mapping[str, object] | None:
        """Return the table's newest certificate as its file has it, ``None`` where there is none."""

    def check(self, by: str) -> Outcome:
        """Begin a check of the table, or say why not."""


class MatTeacher(Protocol):
    """Learns where on a mat what lies. Every method may be called from many threads at once."""

    def view(self, language: str) -> Mapping[str, object]:
        """Return the cameras, what is to be shown and what was, as JSON-able values."""

    def picture(self, camera: str) -> bytes | None:
        """Return a JPEG of what a camera sees; ``None`` for none, or no such camera."""

    def photograph(self, camera: str) -> Outcome:
        """Keep how the empty mat looks now."""

    def measure(self, sizes: Mapping[str, float]) -> Outcome:
        """Keep sizes in mm, as the view names them."""

    def show(self, part: str, camera: str, taps: Sequence[Sequence[float]]) -> Outcome:
        """Take in taps, as shares of the picture's width and height; without any the part is forgotten."""


class BoardDesk(Protocol):
    """Learns a board without a printed frame. Every method may be called from many threads at once."""

    def view(self, language: str) -> Mapping[str, object]:
        """Return how far that has come, and which photograph's corners are to be touched, as JSON-able values."""

    def picture(self, number: int) -> bytes | None:
        """Return that photograph as JPEG; ``None`` where another is asked about, or none."""

    def touch(self, number: int, corners: Mapping[str, Sequence[float]]) -> Outcome:
        """Take in where its corners are, as shares of its width and height."""

    def leave(self, number: int) -> Outcome:
        """Ask for another photograph instead."""

    def forget(self) -> Outcome:
        """Let the board be learnt anew."""


class GameCopies(Protocol):
    """Enters what is printed on a copy of the game. Every method may be called from many threads at once."""

    def names(self) -> list[dict[str, object]]:
        """List the copies, each with ``id`` and ``name``."""

    def view(self, name: str, language: str) -> Mapping[str, object] | None:
        """Return a copy's form as JSON-able values; ``None`` for no such copy."""

    def text(self, name: str) -> str | None:
        """Return a copy's file; ``None`` for no such copy."""

    def begin(self, called: str) -> Outcome:
        """Begin a copy; its ``id`` is in the result."""

    def take_in(self, data: object) -> Outcome:
        """Take in a copy's file, or say what is wrong with it; its ``id`` is in the result."""

    def put(self, name: str, part: str, row: str, values: Mapping[str, object] | None) -> Outcome:
        """Enter one row: an empty one makes a new row, no values take it out; its ``row`` is in the result."""

    def picture(self, name: str, part: str, row: str) -> bytes | None:
        """Return the picture of a part, JPEG; ``None`` where there is none."""

    def keep_picture(self, name: str, part: str, row: str, jpeg: bytes) -> Outcome:
        """Keep the picture of a part."""

    def drop_picture(self, name: str, part: str, row: str) -> Outcome:
        """Remove the picture of a part."""

    def drop(self, name: str) -> Outcome:
        """Delete a copy with its pictures."""


class RecordWriter(Protocol):
    """Writes the game down for people to keep. It may be called from many threads at once."""

    def text(self) -> str:
        """Return the record of the game that is played now, in its notation; empty where the game has none."""


class ReportMaker(Protocol):
    """Makes reports on turns of the game that is played now. It may be called from many threads at once."""

    def turn(self, turn: int, language: str, form: TurnForm) -> bytes:
        """Return a turn as a file; empty where nothing was ruled on it, or nothing of it is drawn."""


class GamesDesk(Protocol):
    """The games that were refereed here. Every method may be called from many threads at once."""

    def games(
        self, text: str, disputed: bool | None, result: str = "", language: str = "en"
    ) -> Sequence[Mapping[str, object]]:
        """List the games that are looked for, the newest first, as JSON-able values.

        result: a winner's name or colour, or one of draw, abandoned, agreement, rules, running; empty for any.
        """

    def record(self, name: str) -> bytes:
        """Return a game's record in its notation; empty where there is no such game, or it has none."""

    def report(self, name: str, turn: int, language: str = "en", as_pdf: bool = False) -> bytes:
        """Return one turn of a game as a page or PDF, or, for turn 0, the whole game as a page; empty for neither."""

    def replay(self, name: str, language: str = "en") -> bytes:
        """Return what a page needs to play a game by itself, as JSON; empty where there is none."""

    def delete(self, name: str, head: str, by: str) -> Outcome:
        """Delete a game whose newest event has that hash, or say why not."""

    def repair(self, name: str, by: str) -> Outcome:
        """Repair a game, or say why not."""


class VirtualDesk(Protocol):
    """A table that exists in the computer. Every method may be called from many threads at once."""

    def view(self, language: str) -> Mapping[str, object]:
        """Return what lies there, and what it is played with, as JSON-able values; ``version`` changes with it."""

    def wait(self, version: int, timeout_s: float) -> bool:
        """Wait until it is another version; whether it is."""

    def act(self, act: Mapping[str, object]) -> Words | None:
        """Have a hand do something; why it can't, ``None`` once it is done."""

    def fault(self, name: str, camera: str, field: str, light: float) -> Words | None:
        """Have something befall it; why it can't, ``None`` once it is done."""

    def show(self, azimuth_deg: float | None, elevation_deg: float | None, walk: bool) -> Words | None:
        """Hold a phone at a side of the board, walk around with it, or put it away; why it can't."""

    def press(self, by: str) -> None:
        """Press the button box."""
