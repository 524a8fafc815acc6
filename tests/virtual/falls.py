"""Games at a virtual table in which a tower falls before, during or after a turn, and what the referee says of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from referee.games import package_named
from referee.games.contract import RequestError
from referee.match.arguments import Command
from referee.match.commands import Name, actions
from referee.match.events import Event, GameStarted, SetupAccepted, TurnRuled, Verdict, WhyUnsure
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from referee.opponents import Opponent, OpponentTurn, Strength
from referee.opponents.wholegame import new_position
from referee.session.adapter import adapter_of
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.readers import Reader, reader_of
from referee.session.said import CommandGiven, LookGiven, NothingCaptured, Report, ViewShown
from referee.values.board import Board, Field
from referee.virtual.folder import make_table
from referee.virtual.scene import TableScene
from referee.virtual.sight import DrawnSight
from referee.virtual.touching import virtual_kind

WHEN = ("before", "during", "after")
WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
MOST_ASKED = 3
MOST_VIEWS = 12


class Heard:
    """A driver that keeps the rulings."""

    def __init__(self) -> None:
        self.ruled: list[TurnRuled] = []

    def write(self, events: tuple[Event, ...]) -> None:
        self.ruled.extend(event for event in events if isinstance(event, TurnRuled))

    def keep(self, capture: Capture) -> Mapping[str, str]:
        return {}

    def attend(self, report: Report) -> None:
        """Ignore the report: nobody looks on."""


class FallTable:
    """A game under way at a virtual table, drawn when it is looked at. phone: seen by one in a hand."""

    def __init__(self, game: str, turns: int, seed: int, phone: bool = False) -> None:
        package = package_named(game)
        self.game, self.phone = package.game, phone
        self.table, self.reader = opened(game, phone)
        self.mind = Opponent(package, Strength.WEAK, seed)
        position: Any = new_position(package, 4)
        position = package.game.start_from_setup(position, self.mind.set_up(position))
        for _ in range(turns - 1):
            position = self.mind.turn(position).ruling.next
        state = step(begin(GameStarted(position)), SetupAccepted(""))
        self.session = Session(self.game, state, adapter_of(self.game, self.reader))
        self.heard, self.sight = Heard(), DrawnSight(self.table, self.game.kit)
        self.plays()  # from here on there is a look to compare with

    def plays(self) -> Verdict:
        """Play a legal turn and end it."""
        turn = self.turn()
        return self.ends(turn.observed.text, turn.declared)

    def turn(self) -> OpponentTurn:
        """Return the legal turn that is played next."""
        return self.mind.turn(self.session.state.position)

    def ends(self, lying: str, declared: Mapping[str, object] | None = None) -> Verdict:
        """End the turn with this on the table; every question is answered truthfully."""
        self.sight.show(TableScene(lying))
        if self.phone:
            self._press(Name.TURN_ENDED, {"declared": declared} if declared else {})
            self._shows()
        else:
            if declared:
                self._press(Name.DECLARE, {"declared": declared})
            capture = self.sight.fresh(0.0, 0)
            assert capture is not None
            self._receive(LookGiven(capture, "all"))
        for _ in range(MOST_ASKED):
            ruled = self.heard.ruled[-1]
            ask = None if ruled.unsure is None else ruled.unsure.ask
            if ruled.why is WhyUnsure.UNCHANGED:
                self._press(Name.TURN_OVER)
            elif ask is not None and ruled.why is not WhyUnsure.SWEPT:
                self._press(Name.TELL, {"field": ask.field.name, "stands": stands_on(self.board(lying), ask.field)})
            elif self.phone and ruled.verdict is Verdict.UNSURE and Name.LOOK_AGAIN in actions(self.session.state):
                if ruled.why is WhyUnsure.SWEPT:
                    break
                self._press(Name.LOOK_AGAIN)
            else:
                break
            if self.phone and self.session.state.phase is Phase.READING:
                self._shows()
            self._receive(NothingCaptured(0.0))
        return self.heard.ruled[-1].verdict

    def knocked(self, lying: str) -> str:
        """Return the tower with its highest column knocked over."""
        kind, kit = virtual_kind(self.game.kit), self.game.kit
        return kind.toppled(lying, self.table, kit, kind.tallest(lying, self.table, kit))

    def board(self, text: str) -> Board:
        found: Board = self.game.observation(text)
        return found

    def _shows(self) -> None:
        """Show the table with the phone from side to side, as long as the look is open."""
        for _ in range(MOST_VIEWS):
            after_s = self.session.wish(0.0).view_after_s
            if after_s is None or self.session.state.phase not in (Phase.READING, Phase.RULING):
                return
            self.sight.walk.follow(self.session.live.showing)
            view = self.sight.view(after_s or None)
            assert view is not None
            self._receive(ViewShown(view, time.monotonic()))

    def _press(self, name: Name, arguments: Mapping[str, object] | None = None) -> None:
        self._receive(CommandGiven(Command(name, arguments or {}, "all"), time.monotonic()))

    def _receive(self, said: Any) -> None:
        carry_out(self.session.receive(said), self.heard)


@cache
def opened(game: str, phone: bool = False) -> tuple[Any, Reader]:
    with TemporaryDirectory() as made:
        folder = Path(made) / "table"
        table = make_table(folder, game, phone)
        reader = reader_of(package_named(game).game, folder)
        assert reader is not None
        for camera in table.cameras:
            reader.lens(camera)
        return table, reader


def stands_on(board: Board, place: Field) -> str:
    flag = int(board.flags[place.row, place.col])
    return f"{board.heights[place.row, place.col]}{board.letters[flag - 1] if flag else ''}"


def tipped(board: Board, place: Field, chance: Random) -> Board:
    """Return the board once a tower, or its upper part, tipped over in one of eight directions.

    Each of its stones lies a field further than the one below, or has rolled by another; what stood there is buried.
    A stack that is higher than what stays of the tower stops what rolls or falls against it.
    """
    heights, flags = board.heights.copy(), board.flags.copy()
    fell = chance.randint(1, int(heights[place]) - 1)
    fell = min(fell, int(heights[place]) - min(int(board.heights[lies]) for lies in _beside(place, board)))
    stays = int(heights[place]) - fell
    ways = [way for way in WAYS if _reach(place, way, 1, stays, board) == 1]
    inside = [way for way in ways if _lies(place, way, _reach(place, way, fell + 1, stays, board), board) is not None]
    way = chance.choice(inside or ways)
    heights[place] -= fell
    for far in range(1, fell + 1):
        landed = _lies(place, way, _reach(place, way, far + chance.randint(0, 1), stays, board), board)
        if landed is not None:
            heights[landed] += 1
            flags[landed] = 0
    piece, flags[place] = int(flags[place]), 0
    landed = _lies(place, way, _reach(place, way, fell + 1, stays, board), board)
    if landed is not None and not flags[landed] and chance.random() < 0.5:
        flags[landed] = piece
    return Board(heights, flags, board.letters)


def towers(board: Board) -> list[Field]:
    """Return the fields with two stones or more that have a lower field beside them to fall over."""
    found = [Field(int(row), int(col)) for row, col in np.argwhere(board.heights > 1)]
    return [one for one in found if min(board.heights[lies] for lies in _beside(one, board)) < board.heights[one]]


def _beside(place: Field, board: Board) -> list[Field]:
    return [lies for way in WAYS if (lies := _lies(place, way, 1, board)) is not None]


def _reach(place: Field, way: tuple[int, int], far: int, stays: int, board: Board) -> int:
    """Return how far a stone comes that would come so far; beyond the board nothing stops it."""
    for passed in range(1, far + 1):
        lies = _lies(place, way, passed, board)
        if lies is not None and board.heights[lies] > stays:
            return passed - 1
    return far


def _lies(place: Field, way: tuple[int, int], far: int, board: Board) -> Field | None:
    row, col = place.row + way[0] * far, place.col + way[1] * far
    rows, columns = board.heights.shape
    return Field(row, col) if 0 <= row < rows and 0 <= col < columns else None


@dataclass(frozen=True, slots=True)
class DrawnFall:
    """A fall of any tower of two or more, drawn by a seed. lying, fallen: the board before and after it."""

    table: FallTable
    when: str
    tower: Field
    lying: Board
    fallen: Board
    declared: Mapping[str, object]

    @classmethod
    def of(cls, game: str, seed: int, turns: tuple[int, int], phone: bool = False) -> DrawnFall:
        """Play a game up to a fall."""
        chance = Random(seed)
        when, number = WHEN[seed % len(WHEN)], chance.randint(*turns)
        table = FallTable(game, number, seed, phone)
        while not towers(table.board(table.session.state.position.observed.text)):
            table.plays()
        position = table.session.state.position
        declared: Mapping[str, object] = {}
        lying = position.observed
        if when == "during":
            turn = table.turn()
            lying, declared = turn.observed, turn.declared
        elif when == "after":
            table.plays()
            lying = table.session.state.position.observed
        board = table.board(lying.text)
        place = chance.choice(towers(board))
        if chance.random() < 0.5:
            fallen = table.board(virtual_kind(table.game.kit).toppled(board.text, table.table, table.game.kit, place))
        else:
            fallen = tipped(board, place, chance)
        return cls(table, when, place, board, fallen, declared)

    def outcome(self) -> str:
        """End the turn and return what came of it.

        named: somebody was. asked: whether something fell. explained: legal, and a legal turn leads there. kept:
        legal with another board than lies there. unsure: anything else.
        """
        before, position = len(self.table.heard.ruled), self.table.session.state.position
        verdict = self.table.ends(self.fallen.text, self.declared)
        ruled = self.table.heard.ruled[before:]
        if any(one.verdict is Verdict.ILLEGAL or one.late is not None for one in ruled):
            return "named"
        if verdict is Verdict.LEGAL:
            return "explained" if self._is_legal(position) else "kept"
        return "asked" if ruled[-1].why is WhyUnsure.SWEPT else "unsure"

    def _is_legal(self, position: Any) -> bool:
        try:
            return bool(self.table.game.check(position, self.fallen, (), self.declared).legal)
        except RequestError:
            return False
