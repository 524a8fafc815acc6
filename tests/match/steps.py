"""Journals of the game of single steps in which earlier turns are put right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from referee.match.commands import Command, decide
from referee.match.events import (
    Event,
    GameStarted,
    LookTaken,
    SetupAccepted,
    TurnAccepted,
    TurnRuled,
    event_from_json,
)
from referee.match.phases import Phase
from referee.match.state import EntryStatus, TableState
from referee.match.transitions import begin, step
from referee.session.by_hand import ruled_by_hand
from referee.values.board import Board, Field
from tests.match.fakes import StepGame, start
from tests.match.rulings import reading

GAME = StepGame()
FIELDS = tuple(Field(row, col) for row in range(2) for col in range(2))
B2, A2, B1, A1 = Field(1, 1), Field(1, 0), Field(0, 1), Field(0, 0)


def higher(board: Board, *places: Field) -> Board:
    """Return a board with a stone more on each of some fields."""
    for place in places:
        height, flag = int(board.heights[place.row, place.col]), int(board.flags[place.row, place.col])
        board = board.with_field(place, height + 1, flag)
    return board


class Journal:
    """A game whose events are kept, and told by JSON as they are kept."""

    def __init__(self, game: StepGame = GAME) -> None:
        self.game = game
        self.events: list[Event] = [GameStarted(start()), SetupAccepted("")]
        self.state = reduce(step, self.events[1:], begin(self.events[0]))

    def happen(self, *events: Event) -> None:
        for event in events:
            data = json.loads(json.dumps(event.to_json()))
            self.events.append(event_from_json(event.kind, data, self.game))
            self.state = step(self.state, self.events[-1])

    def read(self, board: Board) -> None:
        """Rule on a reading of a board."""
        seen = replace(reading(), text=board.text, belief="seen")
        self.happen(LookTaken(self.state.look + 1), seen)
        self.happen(self.judge(self.state))

    def goes_on(self, board: Board) -> None:
        """Rule on a board; where it is no legal turn everybody lets it stand."""
        self.read(board)
        if self.state.phase is Phase.VIOLATION:
            self.happen(TurnAccepted("all", self.game.accepted(self.state.position, board)))

    def put_right(self, entry: int, board: Board) -> None:
        self.happen(*self.decide(entry=entry, board=board.text))

    def judge(self, state: TableState) -> TurnRuled:
        """Rule by the rules on what people told, or on the text of the reading."""
        assert state.phase is Phase.RULING
        text = state.turn.end.board
        if text is None:
            assert state.reading is not None
            text = state.reading.text
        return ruled_by_hand(self.game, state.position, text, state.turn.declared)

    def decide(self, **arguments: object) -> tuple[Event, ...]:
        return decide(Command("put_right", arguments, "Tablet"), self.state, self.game, self.judge)

    @property
    def fates(self) -> list[EntryStatus]:
        return [entry.fate for entry in self.state.history]


def played(boards: Sequence[Board]) -> Journal:
    game = Journal()
    for board in boards:
        game.goes_on(board)
    return game


def boards(*places: Field) -> list[Board]:
    """Return the boards after turns that put a stone each on some fields."""
    found = [start().board]
    for place in places:
        found.append(higher(found[-1], place))
    return found[1:]
