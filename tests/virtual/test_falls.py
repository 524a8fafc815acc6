"""Towers that fall at the virtual table, before, during and after turns: nobody is named for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from referee.games import package_named
from referee.match.arguments import Command
from referee.match.events import Event, GameStarted, SetupAccepted, TurnRuled, Verdict, WhyUnsure
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from referee.opponents import Opponent, Strength
from referee.opponents.wholegame import new_position
from referee.session.adapter import adapter_of
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.readers import Reader, reader_of
from referee.session.said import CommandGiven, LookGiven, NothingCaptured, Report
from referee.values.board import Board, Field
from referee.view.board import is_swept
from referee.virtual.folder import make_table
from referee.virtual.scene import TableScene
from referee.virtual.sight import DrawnSight
from referee.virtual.touching import virtual_kind

WHEN = ("before", "during", "after")
FALLS = [(game, number) for game in ("terra-turrium", "torres") for number in range(10)]
FEW = [("terra-turrium", 7), ("torres", 3), ("torres", 5)]
TURNS: Mapping[str, Callable[[int], int]] = {"terra-turrium": lambda n: 4 + n, "torres": lambda n: 22 + n}
"""The turn in which a tower falls: by then some are two high or more."""
MOST_ASKED = 3


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


class Fall:
    """A game under way at a virtual table, drawn when it is looked at."""

    def __init__(self, game: str, turns: int, seed: int) -> None:
        package = package_named(game)
        self.game, self.table, self.reader = package.game, *opened(game)
        self.mind = Opponent(package, Strength.WEAK, seed)
        position: Any = new_position(package, 4)
        position = package.game.start_from_setup(position, self.mind.set_up(position))
        for _ in range(turns - 1):
            position = self.mind.turn(position).ruling.next
        state = step(begin(GameStarted(position)), SetupAccepted(""))
        self.session = Session(self.game, state, lambda at: adapter_of(self.game, self.reader, at))
        self.heard, self.sight = Heard(), DrawnSight(self.table, self.game.kit)
        assert self.plays() is Verdict.LEGAL  # from here on there is a look to compare with

    def plays(self) -> Verdict:
        """Play a legal turn and end it."""
        turn = self.mind.turn(self.session.state.position)
        if turn.declared:
            self._receive(CommandGiven(Command("declare", {"declared": turn.declared}, "all"), 0.0))
        return self.ends(turn.observed.text)

    def ends(self, lying: str) -> Verdict:
        """End the turn with this on the table; every question is answered truthfully."""
        self.sight.show(TableScene(lying))
        capture = self.sight.fresh(0.0, 0)
        assert capture is not None
        self._receive(LookGiven(capture, "all"))
        for _ in range(MOST_ASKED):
            ruled = self.heard.ruled[-1]
            ask = None if ruled.unsure is None else ruled.unsure.ask
            if ruled.why is WhyUnsure.UNCHANGED:
                self._receive(CommandGiven(Command("turn_over", {}, "all"), 0.0))
            elif ask is not None and ruled.why is not WhyUnsure.SWEPT:
                stands = {"field": ask.field.name, "stands": stands_on(self.board(lying), ask.field)}
                self._receive(CommandGiven(Command("tell", stands, "all"), 0.0))
            else:
                break
            self._receive(NothingCaptured(0.0))
        return self.heard.ruled[-1].verdict

    def knocked(self, lying: str) -> str:
        """Return the tower with its highest column knocked over."""
        kind, kit = virtual_kind(self.game.kit), self.game.kit
        return kind.toppled(lying, self.table, kit, kind.tallest(lying, self.table, kit))

    def board(self, text: str) -> Board:
        found: Board = self.game.observation(text)
        return found

    def _receive(self, said: Any) -> None:
        carry_out(self.session.receive(said), self.heard)


@cache
def opened(game: str) -> tuple[Any, Reader]:
    with TemporaryDirectory() as made:
        folder = Path(made) / "table"
        table = make_table(folder, game)
        reader = reader_of(package_named(game).game, folder)
        assert reader is not None
        for camera in table.cameras:
            reader.lens(camera)
        return table, reader


def stands_on(board: Board, place: Field) -> str:
    flag = int(board.flags[place.row, place.col])
    return f"{board.heights[place.row, place.col]}{board.letters[flag - 1] if flag else ''}"


def fall(game: str, number: int) -> Fall:
    """Knock a tower over and end the turn."""
    when, table = WHEN[number % 3], Fall(game, TURNS[game](number), number)
    position = table.session.state.position
    lying = position.observed.text
    if when == "during":
        lying = table.mind.turn(position).observed.text
    elif when == "after":
        assert table.plays() is Verdict.LEGAL
        lying = table.session.state.position.observed.text
    assert table.board(lying).heights.max() > 1
    table.ends(table.knocked(lying))
    return table


@pytest.mark.long
@pytest.mark.parametrize(("game", "number"), FALLS if os.environ.get("ALL_SCRIPTS") else FEW)
def test_a_tower_that_fell_names_nobody(game: str, number: int) -> None:
    nobody_named(fall(game, number))


def nobody_named(table: Fall) -> None:
    last = table.heard.ruled[-1]
    named = last.ruling.violations if last.ruling is not None else ()
    assert not named, [one.message for one in named]
    assert all(one.verdict is not Verdict.ILLEGAL for one in table.heard.ruled)
    assert last.late is None
    if last.verdict is Verdict.UNSURE:
        assert last.why is WhyUnsure.SWEPT, last
        assert is_swept(table.session.state)


@pytest.mark.long
def test_after_a_fall_the_turn_goes_on_once_all_stands_again() -> None:
    table = fall("terra-turrium", 8)
    nobody_named(table)
    assert table.session.state.phase is Phase.UNSURE
    before = table.session.state.position.observed.text
    assert table.ends(before) in (Verdict.UNSURE, Verdict.LEGAL)
    assert not is_swept(table.session.state)
