"""A table with a grid game whose eyes are told what they see: board text, ``?`` where nothing can be told."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on, start_journal
from referee.games import package_named
from referee.games.contract import Game, Position
from referee.games.package import GamePackage
from referee.match.clock import Clock
from referee.match.events import AnyGame, GameStarted
from referee.match.phases import Phase
from referee.opponents import Opponent, Strength
from referee.values.belief import BoardBelief, Prior
from referee.values.board import Board, Field
from referee.values.kit import Kit
from referee.values.partial import UNKNOWN, PartialBoard
from referee.view import table_view
from tests.match.fakes import FakeSight, Pictures
from tests.match.loops import QuickJournal, told
from vision.reading import CameraView, Reading
from web.tableview import Outcome

LEVELS = 12

TERRA, TORRES = package_named("terra-turrium"), package_named("torres")
SEATS = {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"}
CHOICES: dict[str, dict[str, object]] = {
    "terra-turrium": {"edition": "kosmos-1990", "seats": SEATS},
    "torres": {"edition": "fr-1999", "players": ["red", "blue", "green"]},
}


def new(package: GamePackage, **said: object) -> Any:
    return package.game.new_game(CHOICES[package.game.name] | said)


def set_up(package: GamePackage, seed: int = 1, **said: object) -> Board:
    """Set a board up as people do."""
    laid: Board = Opponent(package, Strength.MIDDLE, seed).set_up(new(package, **said))
    return laid


def flags_of(board: Board, letter: str) -> list[Field]:
    return [Field(*map(int, at)) for at in np.argwhere(board.flags == board.letters.index(letter) + 1)]


class ToldEyes:
    """Reads a "picture" that holds a partial board text, and is sure of what it tells."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def read(self, pictures: Pictures, expect: Prior | None = None, *, since: Any = None) -> Reading:
        text, (rows, columns) = pictures["cam0"].tobytes().decode(), (self._kit.rows, self._kit.columns)
        lost = text == "lost"
        seen = PartialBoard.parse(
            "/".join(["?~" * columns] * rows) if lost else text, rows, columns, self._kit.letters
        )
        heights = np.where(np.arange(LEVELS) == seen.heights[..., None], 0.0, -20.0)
        pieces = np.where(np.arange(1 + len(self._kit.letters)) == seen.pieces[..., None], 0.0, -20.0)
        return Reading(
            belief=BoardBelief(heights, pieces, self._kit.letters),
            text=seen.text,
            confidence=np.full((rows, columns), 0.99),
            stones={},
            clear=True,
            blocked=(),
            cameras=dict.fromkeys(("cam0", "cam1"), CameraView(0 if lost else 8, None if lost else 0.3)),
            duration_ms=1.0,
        )


def hidden(board: Board, places: Iterable[str]) -> str:
    """Return the text of a board on which nothing can be told of some fields."""
    heights, pieces = board.heights.copy(), board.flags.copy()
    for place in map(Field.from_name, places):
        heights[place.row, place.col] = pieces[place.row, place.col] = UNKNOWN
    return PartialBoard(heights, pieces, board.letters).text


class ToldTable:
    """A loop at a table where a game begins."""

    def __init__(self, path: Path, game: Game[Any], start: Position, clock: Clock | None = None) -> None:
        self.game: AnyGame = game
        self.journal, self.desk, self.board = QuickJournal(path), CommandQueue(), ViewPublisher()
        self.sight, self.now_s = FakeSight(), 100.0
        self.loop = self._on(start_journal(self.journal, GameStarted(start, "test", clock=clock)))

    def _on(self, session: GameJournal) -> TurnLoop:
        eyes, publish = ToldEyes(self.game.kit), self.board.publish
        return TurnLoop(
            self.game, TableSight(self.sight, eyes), session, self.desk, publish, clock=lambda: self.now_s
        )

    def taken_up(self) -> None:
        """Kill the referee and start it again."""
        state = carried_on(self.journal, self.game)
        assert state is not None
        self.loop = self._on(GameJournal(self.journal, state))

    def shows(self, text: str, rounds: int = 1) -> None:
        """Show a board from now on, and give the referee time to look at it."""
        self.sight.board = text
        for _ in range(rounds):
            self.now_s += 0.3
            self.loop.round()

    def tell(self, name: str, **arguments: object) -> Outcome:
        """Give a command, and time for a look."""
        outcome = told(self.loop, self.desk, name, **arguments)
        self.now_s += 0.3
        self.loop.round()
        return outcome

    def answers(self, laid: Board) -> None:
        """Tell truthfully what was asked, as long as something is."""
        while self.phase is Phase.SET_UP and self.loop.state.unanswered:
            place = self.loop.state.unanswered[0]
            assert self.tell("tell", field=place.name, stands=laid.stands(place)).accepted

    @property
    def phase(self) -> Phase:
        return self.loop.state.phase

    @property
    def view(self) -> dict[str, Any]:
        return table_view(self.game, self.loop.state, self.loop.live)
