"""Build what was seen of a board in the game of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.contract import RuleId, Ruling, Seat, Violation
from referee.games.terra_turrium.colours import LETTERS, Colour
from referee.games.terra_turrium.kit import KIT
from referee.values.belief import BoardBelief, Prior
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.words import verbatim

FOUR = frozenset(Colour)


@dataclass(frozen=True)
class Spot:
    """Position of the tiny game."""

    board: Board
    to_move: Colour = Colour.RED
    turn: int = 1
    winners: tuple[Colour, ...] = ()
    finished: bool = False

    @property
    def observed(self) -> Board:
        return self.board

    def to_json(self) -> dict[str, object]:
        return {"board": self.board.text, "turn": self.turn}


class OneCube:
    """A turn moves exactly one cube from one field to another; flags stay."""

    name = "one-cube"
    title = "One cube"
    kit = KIT

    def form(self, position: Spot) -> Form | None:
        return None

    def player(self, word: object) -> Colour:
        return Colour.from_word(word)

    def observation(self, text: object) -> Board:
        return Board.parse(text, 2, 3, LETTERS)

    def position(self, data: object) -> Spot:
        return Spot(Board.parse(data, 2, 3, LETTERS))

    def setup_differences(self, position: Spot, observed: Board) -> tuple[Violation, ...]:
        return ()

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        change = observed.heights.astype(int) - position.board.heights
        moved = sorted(change[change != 0].tolist()) == [-1, 1]
        flags = (observed.flags == position.board.flags).all()
        broken = ([] if moved else ["cube.one"]) + ([] if flags else ["flag.stays"])
        violations = tuple(Violation(RuleId(rule), (), verbatim(rule)) for rule in broken)
        after = replace(position, board=observed, turn=position.turn + 1) if not broken else None
        return Ruling(not broken, violations, (), (), None, after)

    def accepted(self, position: Spot, observed: Board, declared: Declared = NOTHING_DECLARED) -> Spot:
        return replace(position, board=observed, turn=position.turn + 1)

    def corrected(self, position: Spot, changes: Mapping[str, object]) -> Spot:
        return replace(position, board=self.observation(changes["board"]))

    def seats(self, position: Spot) -> tuple[Seat, ...]:
        return ()

    def prior_after(self, position: Spot) -> Prior:
        return Prior(FOUR, 6, previous=position.board)


class Costly(OneCube):
    """The game of one cube, whose rules look at many states for each board."""

    def __init__(self, states: int = 50_000) -> None:
        self.states, self.asked = states, 0

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        self.asked += 1
        return replace(super().check(position, observed, frames, declared), states=self.states)


GAME = OneCube()


START = Spot(Board.parse("111/211r", 2, 3, LETTERS))


def seen(text: str, nats: float = 10.0, doubts: dict[str, dict[int, float]] | None = None) -> BoardBelief:
    """Return a belief sure of a board but for the fields in doubt: field name to nats of each height."""
    board = Board.parse(text, 2, 3, LETTERS)
    heights, flags = np.zeros((2, 3, 6)), np.zeros((2, 3, 5))
    np.put_along_axis(heights, board.heights[..., None].astype(int), nats, 2)
    np.put_along_axis(flags, board.flags[..., None].astype(int), nats, 2)
    for name, values in (doubts or {}).items():
        field = Field.from_name(name)
        heights[field.row, field.col] = [values.get(h, 0.0) for h in range(6)]
    return BoardBelief(heights, flags, "rygb")
