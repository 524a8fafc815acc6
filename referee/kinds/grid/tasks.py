"""Choose the tasks of a rehearsal on a board of stacks: what cameras see badly, and what the game plays with. Pure.

Fields are drawn by how hard the table's geometry makes them: often hidden behind towers, or few pixels a level. What
is done with them is what play does: towers of every height there is room for, pieces of every colour, a single stone
behind a tower, fields laid bare. The same seed gives the same tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.addons.rehearsals.tasks import RehearsalTask
from referee.values.board import DIGITS, Board, Field
from referee.values.kit import Kit
from referee.values.words import Words, say

TALLEST = 6
"""Towers are built so high at most: three minutes are short, and higher ones are read as those are."""
FEWEST_STONES_SHARE = 0.5
"""With fewer stones on the board than so many a field, they come from the box."""
_PLAIN = 0.15
"""Weight of a field that no geometry makes hard, against 1 for the hardest."""
_FEW_PX = 12.0
"""Pixels a level from which on more of them make nothing easier."""
_SORTS = ("gather", "piece", "gather", "behind", "piece", "gather")
_REACH = 2
"""Fields away from which stones are gathered."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What is known of a table when tasks are chosen.

    kit: the game's. hidden: (rows, cols) share of usual positions in which towers hide a field. best_px: (rows, cols)
    pixels a level of the best camera. sees: gives for heights (rows, cols) which fields some camera sees. start: the
    board before the first task. playable: (rows, cols) fields that may be built on.
    """

    kit: Kit
    hidden: NDArray[np.float64]
    best_px: NDArray[np.float64]
    sees: Callable[[NDArray[np.int8]], NDArray[np.bool_]]
    start: Board
    playable: NDArray[np.bool_]

    @property
    def tallest(self) -> int:
        """Return how many levels a task may build at most."""
        return min(TALLEST, self.kit.tallest)

    @property
    def hard(self) -> NDArray[np.float64]:
        """Return how hard each field is, (rows, cols) from ``_PLAIN`` to about 2."""
        few = np.clip(1 - self.best_px / _FEW_PX, 0, 1)
        most = max(float(self.hidden.max()), 1e-6)
        return np.where(self.playable, _PLAIN + self.hidden / most + few, 0.0)


def as_it_stands(ground: Ground) -> RehearsalTask:
    """Return the first task: the board as the game begins, without pieces."""
    words = say("Set the stacks up as for a game, and take every piece off the board.")
    why = say("Everything that follows is counted from here.")
    return _task(words, why, ground.start, ())


def next_task(ground: Ground, board: Board, number: int, seed: int) -> RehearsalTask:
    """Return the task with a number, from 1, that changes a board."""
    rng = np.random.default_rng([seed, number])
    make: dict[str, Callable[[], RehearsalTask | None]] = {
        "tower": lambda: _tower(ground, board, number, rng),
        "piece": lambda: _piece(ground, board, number, rng),
        "behind": lambda: _behind(ground, board, rng),
        "gather": lambda: _gather(ground, board, rng),
    }
    sort = _SORTS[(number - 1) % len(_SORTS)]
    for each in (sort, "tower", *_SORTS):  # where there is no room for one, another is done
        if (made := make[each]()) is not None:
            return made
    return as_it_stands(ground)


def _tower(ground: Ground, board: Board, number: int, rng: np.random.Generator) -> RehearsalTask | None:
    """Pile a stack up on a field that is hard to see; heights go round from 2 to the highest.

    ``None`` where no field is free and low.
    """
    weight = ground.hard * (board.flags == 0) * (board.heights < ground.tallest)
    if not weight.any():
        return None
    at = _drawn(weight, rng)
    low = int(board.heights[at])
    wanted = max(low + 1, min(ground.tallest, 2 + number % max(1, ground.tallest - 1)))
    heights = board.heights.copy()
    given = _given(ground, board, at, wanted - low, rng)
    heights[at] = wanted
    for place in given:
        heights[place] -= 1
    if given:
        words = say("Make the stack on {at} {height} high: take from {places}.", at=at, height=wanted, places=given)
    else:
        words = say("Make the stack on {at} {height} high, with stones from the box.", at=at, height=wanted)
    return _task(words, _why(ground, at), _board(board, heights), (at, *given))


def _piece(ground: Ground, board: Board, number: int, rng: np.random.Generator) -> RehearsalTask | None:
    """Put two pieces on stacks that are hard to see, the rather the higher these are; every colour has its turn."""
    turn = 2 * sum(_SORTS[(before - 1) % len(_SORTS)] == "piece" for before in range(1, number))
    flags, put = board.flags.copy(), list[tuple[Field, Words]]()
    kinds = ground.kit.pieces
    for first in (turn, turn + 1):
        order = [(first + k) % len(kinds) for k in range(len(kinds))]
        kind = next((k for k in order if int((flags == k + 1).sum()) < kinds[k].most), None)
        weight = ground.hard * (flags == 0) * board.heights
        if kind is not None and weight.any():
            at = _drawn(weight, rng)
            flags[at] = kind + 1
            put.append((at, kinds[kind].name))
    if len(put) < 2:
        return None
    (at, piece), (other, second) = put
    words = say("Put a piece on {at}: {piece}. And one on {other}: {second}.",
                at=at, piece=piece, other=other, second=second)  # fmt: skip
    return _task(words, _why(ground, at), Board(board.heights, flags, board.letters), (at, other))


def _behind(ground: Ground, board: Board, rng: np.random.Generator) -> RehearsalTask | None:
    """Put one stone onto a low field near the highest tower, one that the tower then hides if there is any.

    ``None`` where no field near it is low and free.
    """
    tower = Field(*(int(k) for k in np.unravel_index(int(board.heights.argmax()), board.heights.shape)))
    near = np.zeros(board.heights.shape, np.bool_)
    near[max(0, tower.row - 2) : tower.row + 3, max(0, tower.col - 2) : tower.col + 3] = True
    near &= ground.playable & (board.flags == 0) & (board.heights + 1 < board.heights[tower])
    if not near.any():
        return None
    hidden = near & ~ground.sees(np.asarray(board.heights + near, np.int8))
    at = _drawn(np.where(hidden, 1.0, 0.0) if hidden.any() else np.where(near, ground.hard, 0.0), rng)
    given = _given(ground, board, at, 1, rng)
    heights = board.heights.copy()
    heights[at] += 1
    for place in given:
        heights[place] -= 1
    if given:
        words = say("Put one stone more on {at}, near the tower on {tower}: take it from {places}.",
                    at=at, tower=tower, places=given)  # fmt: skip
    else:
        words = say("Put one stone more on {at}, near the tower on {tower}, from the box.", at=at, tower=tower)
    return _task(words, say("Towers hide what stands behind them."), _board(board, heights), (at, *given))


def _gather(ground: Ground, board: Board, rng: np.random.Generator) -> RehearsalTask | None:
    """Pile up what stands around two fields on them: a few moves of a hand make towers and bare places around them.

    ``None`` where nothing around a field can be taken.
    """
    once = _gathered(ground, board, rng)
    if once is None:
        return None
    after, onto, taken = once
    twice = _gathered(ground, after, rng, {onto, *taken})
    if twice is None:
        words = say("Lay {places} bare: put all that stands there onto {onto}.", places=taken, onto=onto)
        return _task(words, _why(ground, onto), after, (onto, *taken))
    after, other, others = twice
    words = say(
        "Lay {places} bare: put all that stands there onto {onto}. Likewise {others} onto {other}.",
        places=taken, onto=onto, others=others, other=other,
    )  # fmt: skip
    return _task(words, _why(ground, onto), after, (onto, other, *taken, *others))


def _gathered(
    ground: Ground, board: Board, rng: np.random.Generator, but: Set[Field] = frozenset()
) -> tuple[Board, Field, tuple[Field, ...]] | None:
    """Return the board with what stands around a field piled up on it, that field, and those that are bare then.

    but: fields that stay as they are. ``None`` where nothing around a field can be taken.
    """
    free = (board.flags == 0) & (board.heights > 0) & ground.playable
    for at in but:
        free[at] = False
    weight = ground.hard * free * (board.heights < ground.tallest)
    if not weight.any():
        return None
    onto = _drawn(weight, rng)
    around = [Field(int(row), int(col)) for row, col in np.argwhere(free)]
    rng.shuffle(around)
    around.sort(key=lambda at: _apart(at, onto))
    heights, taken = board.heights.copy(), list[Field]()
    for at in around[1:]:
        if _apart(at, onto) <= _REACH and heights[onto] + heights[at] <= ground.tallest:
            heights[onto] += heights[at]
            heights[at] = 0
            taken.append(at)
    return (_board(board, heights), onto, tuple(sorted(taken))) if taken else None


def _apart(one: Field, other: Field) -> int:
    """Return how many steps a king at chess goes between two fields."""
    return max(abs(one.row - other.row), abs(one.col - other.col))


def _given(ground: Ground, board: Board, at: Field, count: int, rng: np.random.Generator) -> tuple[Field, ...]:
    """Return fields that give one stone each; none where the game begins with few, which lie in the box."""
    if int(ground.start.heights.sum()) < FEWEST_STONES_SHARE * int(ground.playable.sum()):
        return ()
    weight = ground.playable * (board.flags == 0) * (board.heights > 0) * 1.0
    weight[at] = 0.0
    if np.count_nonzero(weight) < count:
        return ()
    chosen = rng.choice(weight.size, count, replace=False, p=weight.ravel() / weight.sum())
    return tuple(sorted(Field(*(int(k) for k in np.unravel_index(int(one), weight.shape))) for one in chosen))


def _drawn(weight: NDArray[np.float64], rng: np.random.Generator) -> Field:
    one = int(rng.choice(weight.size, p=weight.ravel() / weight.sum()))
    return Field(*(int(k) for k in np.unravel_index(one, weight.shape)))


def _why(ground: Ground, at: Field) -> Words:
    hidden, px = float(ground.hidden[at]), float(ground.best_px[at])
    if hidden > float(np.median(ground.hidden)) and hidden > 0.02:
        return say("Towers often hide {at} from the cameras.", at=at)
    if px < _FEW_PX:
        return say("{at} is small in the cameras’ pictures.", at=at)
    return say("A field like most others.")


def _board(board: Board, heights: NDArray[np.int8]) -> Board:
    return Board(heights, board.flags, board.letters)


def _task(words: Words, why: Words, board: Board, fields: tuple[Field, ...]) -> RehearsalTask:
    letters = ("", *board.letters)
    drawing = tuple(
        tuple(DIGITS[h] + letters[p] for h, p in zip(hs, ps, strict=True))
        for hs, ps in zip(board.heights.tolist(), board.flags.tolist(), strict=True)
    )
    return RehearsalTask(words, why, board.text, fields, drawing)
