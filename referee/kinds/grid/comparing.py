"""Compares a look with the expected board, field by field, and lists what must change on the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from referee.match.live import RestoreTask
from referee.values.belief import BoardBelief, ReferenceLook, Standing, corrected
from referee.values.board import Board, Field

SURE_NATS = 3.0
"""A field is seen to differ when what is expected there is e^3 = 20 times less likely than something else."""
SEEN_NATS = 1.0
"""It is seen to be right when what is expected leads everything else by this much."""
BACK_NATS = SURE_NATS
"""What was found to differ is seen to be put back when what is expected leads by this much."""
FRAME_NATS = 5.0
"""A board is kept as a frame only when what differs in it does so by this much, and nothing is in doubt."""


class FieldStatus(IntEnum):
    """Status of one field in a look, compared with the expected board."""

    WRONG = 0
    UNKNOWN = 1
    RIGHT = 2


@dataclass(frozen=True, eq=False)
class Comparison:
    """A look compared with a board, field by field.

    expected: that board. likeliest: what is likelier than anything else in each field. excess: (rows, cols) nats by
    which something else is likelier than what is expected, negative where what is expected leads.
    """

    expected: Board
    likeliest: Board
    excess: NDArray[np.float64]

    def at(self, place: Field, lead: float = SEEN_NATS) -> FieldStatus:
        """Return the status of one field. lead: by how much what is expected has to lead to be right."""
        excess = float(self.excess[place.row, place.col])
        if excess >= SURE_NATS:
            return FieldStatus.WRONG
        return FieldStatus.RIGHT if excess <= -lead else FieldStatus.UNKNOWN

    @property
    def wrong(self) -> tuple[Field, ...]:
        """Return the fields that surely differ."""
        return _fields(self.excess >= SURE_NATS)

    @property
    def standing(self) -> Standing | None:
        """Return the board as seen, ``None`` where any field is in doubt.

        Fields that nobody sees are taken as expected.
        """
        unknown = self.excess == 0.0
        if ((self.excess > -SEEN_NATS) & (self.excess < FRAME_NATS) & ~unknown).any():
            return None
        differs = self.excess >= FRAME_NATS
        heights = np.where(differs, self.likeliest.heights, self.expected.heights)
        flags = np.where(differs, self.likeliest.flags, self.expected.flags)
        board = Board(np.asarray(heights, np.int8), np.asarray(flags, np.int8), self.expected.letters)
        return Standing(board, unknown)


def compare(
    belief: BoardBelief,
    expected: Board,
    reference: ReferenceLook | None = None,
    untold: NDArray[np.bool_] | None = None,
) -> Comparison:
    """Compare a look with the board that should stand there.

    reference: an earlier look at a known board: what the eyes get wrong at this table is no change. untold: (rows,
    cols) fields whose stack the reading doesn't tell, as behind a tower: nobody knows that anything else stands
    there, however much likelier the little that is seen makes it.
    """
    if reference is not None:
        belief = corrected(belief, reference)
    excess = np.maximum(_excess(belief.heights, expected.heights), _excess(belief.flags, expected.flags))
    if untold is not None:
        excess = np.where(untold & (excess > -SEEN_NATS), 0.0, excess)
    return Comparison(expected, belief.likeliest, excess)


def _excess(scores: NDArray[np.float64], expected: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return how many nats the best other value leads the expected one by; 0 where nothing is known."""
    known = np.clip(expected.astype(np.intp), 0, scores.shape[2] - 1)[..., None]
    own = np.take_along_axis(scores, known, axis=2)[..., 0]
    others = scores.copy()
    np.put_along_axis(others, known, -np.inf, axis=2)
    return np.asarray(others.max(axis=2) - own, np.float64)


def tasks(observed: Board, wanted: Board, look: Comparison | None = None) -> tuple[RestoreTask, ...]:
    """Return the tasks that turn one board into another.

    look: a look compared with ``wanted``; it tells how far each task is done. Fields that it surely shows to be wrong
    are tasks too, whoever touched them.
    """
    differ = dict.fromkeys(_fields(_unlike(observed, wanted)))
    if look is not None:
        differ |= dict.fromkeys(look.wrong)
    return tuple(_task(place, observed, wanted, look) for place in sorted(differ))


def _task(place: Field, observed: Board, wanted: Board, look: Comparison | None) -> RestoreTask:
    stands = wanted.stands(place)
    sight = FieldStatus.UNKNOWN if look is None else look.at(place, BACK_NATS)
    if look is None:
        return RestoreTask(place, stands, observed.stands(place))
    if sight is FieldStatus.UNKNOWN:
        return RestoreTask(place, stands)
    done = sight is FieldStatus.RIGHT
    return RestoreTask(place, stands, stands if done else look.likeliest.stands(place), done)


def all_done(items: tuple[RestoreTask, ...], look: Comparison) -> bool:
    """Return whether a look shows the board as it should be: every task is done, and nothing else is surely wrong."""
    return all(task.done for task in items) and not look.wrong


def _unlike(one: Board, other: Board) -> NDArray[np.bool_]:
    return np.asarray((one.heights != other.heights) | (one.flags != other.flags), np.bool_)


def _fields(mask: NDArray[np.bool_]) -> tuple[Field, ...]:
    return tuple(Field(int(row), int(col)) for row, col in np.argwhere(mask))
