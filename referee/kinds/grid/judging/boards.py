"""Weigh boards, for games that don't search their turns: put the likeliest boards to the rules, one by one.

Every field is taken to stay as it was, mostly; a field that changed counts as an act. Whole boards are weighed by
what every such game keeps: stones are neither made nor lost, mostly, and a colour has no more pieces than it owns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappush, heappushpop
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.games.answers import UNNAMED, Effort, Reconstruction, Weighed
from referee.games.bestfirst import deviations
from referee.games.contract import AnyGame, Game, Position, RequestError, Ruling
from referee.values.belief import FLAG_CHANGE_NATS, BoardBelief, Prior, log_probabilities, posterior
from referee.values.board import Board
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.kit import Kit

P = TypeVar("P", bound=Position)

MOST_LISTED = 3000
"""Boards listed at most while looking for those that come near."""
_CUBE_NATS = 5.0
"""Each cube more or less than before costs this much: cubes are neither made nor lost, mostly."""
_FLAG_NATS = 4.0
"""Each flag beyond what a colour owns."""
_COMING_NATS, _GOING_NATS = 1.0, 0.5
"""Each flag of a colour that came onto the board (from hand) or left it (captured)."""
_MOST_PAID = 0.5
"""Share of a breach's cost that a board has paid at most whose stones or pieces don't come out even."""
_VANISHED_NATS = FLAG_CHANGE_NATS
"""Each piece that a breach leaves nowhere, as the field it came to would have cost: a hand that moved a piece against
the rules is one act, and is no less likely than one that took it away."""
_SLACK_NATS = 8.0
"""Amount by which whole-board priors may move a board up; listing goes on so far below the best."""
MOST_REMEMBERED = 512
"""Rulings remembered: a look is weighed again with each answer, and as it was before each fall that is thought of."""
MOST_CUT = 4
"""After so many searches cut short no other board is put to the rules: nothing clear will come of it."""


def weigh_boards(
    game: Game[P], position: P, seen: BoardBelief, effort: Effort, declared: Declared = NOTHING_DECLARED
) -> Weighed:
    """Weigh the likeliest boards after a turn from the position (as ``WeighsTurns.weigh``).

    Boards for which no states, no tests or no clear searches are left are overlooked.
    """
    prior = game.prior_after(position)
    whole = _WholeBoard(prior, game.kit)
    boards = _near_boards(posterior(seen, prior), whole, effort)
    found: list[Reconstruction] = []
    best, overlooked, cut, states = -float("inf"), -float("inf"), 0, 0
    for number, (score, board) in enumerate(boards):
        if score < max(best - effort.near_nats, effort.floor):  # nor can any after it come near: a breach only costs
            break
        if number == effort.most_boards or states >= effort.most_states or cut == MOST_CUT:
            overlooked = score
            break
        if _swept(board, prior):
            found.append(Reconstruction(board, frozenset({UNNAMED}), score - effort.breach_nats, False))
            continue
        try:
            ruling = _ruling(_Turn(game, position, board, declared, repr(sorted(declared.items()))))
        except RequestError:  # no turn can lead to such a board, or none that goes with what was declared
            continue
        rules = frozenset(violation.rule for violation in ruling.violations)
        if not ruling.legal and not rules:  # the search was cut short before it found out which
            rules = frozenset({UNNAMED})
        breach = effort.breach_nats * len(rules)
        # A board that is odd as a whole has paid for part of the breach already: no more than its oddness cost.
        score -= breach - min(_MOST_PAID * breach, -whole.score(board))
        score -= _VANISHED_NATS * whole.vanished(board) if rules else 0.0
        found.append(Reconstruction(board, rules, score, ruling.complete))
        cut, states = cut + (not ruling.complete), states + ruling.states
        best = max(best, score)
    if not found:  # nobody is accused of what can't be
        score, board = boards[0]
        return Weighed((Reconstruction(board, frozenset({UNNAMED}), score, False),), score, states)
    found.sort(key=lambda one: -one.score)
    near = tuple(one for one in found if one.score > found[0].score - effort.near_nats)
    return Weighed(near, overlooked, states)


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """A turn that is put to the rules; the same as another from the same position, not one that only looks alike."""

    game: AnyGame
    position: Position
    board: Board
    declared: Declared
    said: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Turn) and self._key == other._key and self.board == other.board

    def __hash__(self) -> int:
        return hash((self._key, self.board))

    @property
    def _key(self) -> tuple[int, int, str]:
        return id(self.game), id(self.position), self.said


@lru_cache(MOST_REMEMBERED)
def _ruling(turn: _Turn) -> Ruling:
    return turn.game.check(turn.position, turn.board, (), turn.declared)


def _swept(board: Board, prior: Prior) -> bool:
    """Return whether more fields differ than a turn of the game can change: rules are not searched for then."""
    if prior.habits is None or not prior.habits.most_fields or prior.previous is None:
        return False
    before = prior.previous
    changed = (board.heights != before.heights) | (board.flags != before.flags)
    return int(changed.sum()) > prior.habits.most_fields


def _near_boards(belief: BoardBelief, whole: _WholeBoard, effort: Effort) -> list[tuple[float, Board]]:
    """Return the boards that could matter with their log-priors, best first, at least one.

    As no board is likelier as a whole than by its fields, listing ends where none can come among those put to the
    rules any more, nor be the likeliest of those that are not.
    """
    listed: list[tuple[float, Board]] = []
    best: list[float] = []
    first = 0.0
    for score, board in islice(
        likeliest_boards(belief, effort.near_nats + effort.breach_nats + _SLACK_NATS), MOST_LISTED
    ):
        first = first if listed else score
        if score < first - effort.near_nats - _SLACK_NATS or (len(best) > effort.most_boards and score < best[0]):
            break
        item = score + whole.score(board), board
        listed.append(item)
        (heappush if len(best) <= effort.most_boards else heappushpop)(best, item[0])
    listed.sort(key=lambda item: -item[0])
    floor = listed[0][0] - effort.near_nats - effort.breach_nats
    return [item for item in listed if item[0] >= floor]


class _WholeBoard:
    """The log-prior of boards as wholes: as many stones and pieces of a kind as there can be."""

    def __init__(self, prior: Prior, kit: Kit) -> None:
        most = [prior.flags_each, *(min(prior.flags_each, piece.most) for piece in kit.pieces)]
        before = prior.previous
        self._most, self._before = np.array(most), before
        self._pieces = None if before is None else self._counted(before)
        self._usual = () if before is None else tuple(prior.cubes or {int(before.heights.sum())})
        self._still = prior.habits.still_nats if prior.habits is not None else 0.0

    def score(self, board: Board) -> float:
        """Return the log-prior of a board, 0 at most, in nats."""
        now = self._counted(board)
        score = -_FLAG_NATS * float(np.maximum(0, now - self._most)[1:].sum())
        if self._before is None or self._pieces is None:
            return score
        change = (now - self._pieces)[1:]
        coming, all_of_it = float(np.maximum(0, change).sum()), float(change.sum())
        score -= _COMING_NATS * coming + _GOING_NATS * (coming - all_of_it)
        stones = int(board.heights.sum())
        score -= _CUBE_NATS * min(3, min(abs(stones - count) for count in self._usual))
        return score - self._still if self._still and board == self._before else score

    def vanished(self, board: Board) -> int:
        """Return how many pieces are fewer on a board than before the turn."""
        return 0 if self._pieces is None else int(np.maximum(0, self._pieces - self._counted(board))[1:].sum())

    def _counted(self, board: Board) -> NDArray[np.intp]:
        """Return how many pieces stand there of each code, from 0 for none."""
        return np.bincount(board.flags.ravel(), minlength=len(self._most))


def likeliest_boards(belief: BoardBelief, reach: float) -> Iterator[tuple[float, Board]]:
    """Yield boards by falling log-probability, fields taken as independent, starting with the likeliest.

    Values of a field that are less likely than its best by more than ``reach`` are left out.
    """
    scores = log_probabilities(belief.heights), log_probabilities(belief.flags)
    ways = _ways(belief, reach)
    heights = belief.heights.argmax(axis=2).astype(np.int8)
    flags = belief.flags.argmax(axis=2).astype(np.int8)
    base = float(sum(part.max(axis=2).sum() for part in scores))
    for cost, chosen in deviations([way[0] for way in ways], [way[1][:3] for way in ways]):
        yield base - cost, _changed(heights, flags, belief.letters, [ways[n][1] for n in chosen])


def _ways(belief: BoardBelief, reach: float) -> list[tuple[float, tuple[int, int, int, int]]]:
    """List every other value of every field within reach, by rising cost: nats and (what, row, col, value)."""
    rows = []
    for what, scores in enumerate((belief.heights, belief.flags)):
        cost = scores.max(axis=2, keepdims=True) - scores
        best = scores.argmax(axis=2)
        for row, col, value in np.argwhere(cost < reach):
            if value != best[row, col]:
                rows.append((float(cost[row, col, value]), (what, int(row), int(col), int(value))))
    return sorted(rows)


def _changed(
    heights: NDArray[np.int8], flags: NDArray[np.int8], letters: str, changes: list[tuple[int, int, int, int]]
) -> Board:
    grids = heights.copy(), flags.copy()
    for what, row, col, value in changes:
        grids[what][row, col] = value
    return Board(*grids, letters)
