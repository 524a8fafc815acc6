"""From a belief and the rules to a verdict: the referee rules on what was seen, with the benefit of the doubt.

A belief is no board. The likeliest boards are listed, best first, and the engine rules on each. The turn is legal
when the best legal board is clearly likelier than every illegal one; it is illegal only when every legal board is far
less likely than the best illegal one and the boards that come near it break the same rules. Between the two the
referee is unsure and names the fields on which it depends.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Game, Position, Ruling
from referee.values.belief import BoardBelief, Memory, Prior, Standing, corrected, log_probabilities, posterior
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared

P = TypeVar("P", bound=Position)

ACCUSE_NATS = 5.0
"""An illegal board must be e^5 = 150 times likelier than every legal one before anybody is accused."""
ACQUIT_NATS = 2.0
"""A legal board must be e^2 = 7 times likelier than every illegal one before the turn stands without a look."""
MAX_BOARDS = 64
"""Boards put to the engine at most; when more come near the best one, nobody is accused."""
MAX_LISTED = 3000
"""Boards listed at most while looking for those."""
MOST_UNSEEN = 0.3
"""With a larger share of fields out of sight nobody is accused: too much may have happened there."""
MOST_FOLLOWING = 6
"""Positions after a turn that are kept in mind at most."""
LEGAL_REACH_NATS = 6.0
"""Once a legal board leads, others are looked at only this far below it."""
MOST_DOUBTS = 6
"""Fields named at most when the players are asked to look and no single field decides."""
_CUBE_NATS = 5.0
"""Each cube more or less than before costs this much: cubes are neither made nor lost, mostly."""
_FLAG_NATS = 4.0
"""Each flag beyond what a colour owns."""
_COMING_NATS, _GOING_NATS = 1.0, 0.5
"""Each flag of a colour that came onto the board (from hand) or left it (captured)."""
_ILLEGAL_NATS = 2.5
"""Players mostly play by the rules: an illegal board starts this far behind."""
_SLACK_NATS = 8.0
"""Whole-board priors may move a board up by about this much; listing goes on so far below the best."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The referee's word on a turn.

    kind: ``legal``, ``illegal`` or ``unsure``. observed: text of the board it rests on (the likeliest, when unsure).
    ruling: the engine's ruling on that board; ``None`` when unsure. doubts: the fields to look at, when unsure.
    score: natural-log plausibility of that board, to compare verdicts on one belief from different positions.
    may_follow: the positions after the legal turns that may have been played, each with its score, best first.
    """

    kind: Literal["legal", "illegal", "unsure"]
    observed: str
    ruling: Ruling | None
    doubts: tuple[Field, ...] = ()
    score: float = 0.0
    may_follow: tuple[tuple[Position, float], ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A board with its ruling. apparent: what the fields say, each with its own history and no other; score: with
    what is known of boards as a whole and of players."""

    score: float
    board: Board
    ruling: Ruling
    apparent: float

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(v.rule for v in self.ruling.violations)


def adjudicate(
    game: Game[P],
    position: P,
    belief: BoardBelief,
    memory: Memory | None = None,
    frames: Sequence[Standing] = (),
    declared: Declared = NOTHING_DECLARED,
) -> Judgement:
    """Rule on the turn that led from the position to what the belief saw.

    ``memory`` is an earlier look at this table, if there is one: what the eyes got wrong then is not held against
    anybody now. ``frames`` are boards that surely stood still during the turn, oldest first.
    """
    if memory is not None:
        belief = corrected(belief, memory)
    sighting = game.sighting(position)
    boards = _near_boards(posterior(belief, sighting), sighting)
    found = _ruled(game, position, boards, sighting, frames, declared)
    best = found[0]
    legal = next((c for c in found if c.ruling.legal), None)
    illegal = next((c for c in found if not c.ruling.legal), None)
    floor = best.score - LEGAL_REACH_NATS
    near = tuple((c.ruling.next, c.score) for c in found if c.ruling.next is not None and c.score > floor)
    near = near[:MOST_FOLLOWING]
    if legal is best and (illegal is None or best.score - illegal.score >= ACQUIT_NATS) and not _apparent(found):
        return Judgement("legal", best.board.text, best.ruling, (), best.score, near)
    overlooked = len(boards) >= MAX_BOARDS or _unseen_share(belief) > MOST_UNSEEN
    if illegal is best and (legal is None or best.score - legal.score >= ACCUSE_NATS) and not overlooked:
        said = _certain(found)
        rivals = [c for c in found if not said.rules <= c.rules and best.score - c.score < ACQUIT_NATS]
        if not rivals and said.ruling.complete:
            return Judgement("illegal", said.board.text, said.ruling, (), best.score, near)
    return Judgement("unsure", best.board.text, None, _doubts(found) or _least_seen(belief), best.score, near)


def _apparent(found: list[_Candidate]) -> bool:
    """Whether the fields by themselves would do to accuse: an illegal board leads the best one by so much.

    Two cubes that vanished in plain sight may lie on stacks no camera sees; that cubes are not lost makes this the
    likeliest then. It saves from an accusation, but it is no acquittal: somebody has to look.
    """
    return any(not one.ruling.legal and one.apparent - found[0].apparent >= ACCUSE_NATS for one in found)


def _least_seen(belief: BoardBelief) -> tuple[Field, ...]:
    """The few fields of which the pictures say least: what to show when no single field decides."""
    ranked = np.sort(belief.heights, axis=2)
    lead = ranked[..., -1] - ranked[..., -2]
    order = np.argsort(lead, axis=None)[:MOST_DOUBTS]
    return tuple(sorted(Field(*(int(k) for k in np.unravel_index(place, lead.shape))) for place in order))


def _unseen_share(belief: BoardBelief) -> float:
    """Share of the fields of which the pictures say next to nothing: no height leads the next by more than a nat."""
    ranked = np.sort(belief.heights, axis=2)
    return float((ranked[..., -1] - ranked[..., -2] < 1.0).mean())


def _certain(found: list[_Candidate]) -> _Candidate:
    """The board to accuse on: of those near the best one that break some of its rules and no other, the one that
    breaks the fewest. A rule is called broken only if every board near the best one breaks it."""
    best = found[0]
    lesser = [c for c in found if best.score - c.score < ACCUSE_NATS and not c.ruling.legal and c.rules <= best.rules]
    return min(lesser, key=lambda c: (len(c.rules), -c.score))


def _near_boards(belief: BoardBelief, sighting: Prior) -> list[tuple[float, Board]]:
    """The boards that could matter, best first: at least one, at most ``MAX_BOARDS``."""
    listed: list[tuple[float, Board]] = []
    first = 0.0
    for score, board in likeliest_boards(belief):
        first = first if listed else score
        if len(listed) >= MAX_LISTED or score < first - ACCUSE_NATS - _SLACK_NATS:
            break
        listed.append((score + _whole_board(board, sighting), board))
    listed.sort(key=lambda item: -item[0])
    floor = listed[0][0] - ACCUSE_NATS - _ILLEGAL_NATS
    return [item for item in listed[:MAX_BOARDS] if item[0] >= floor]


def _ruled(
    game: Game[P],
    position: P,
    boards: list[tuple[float, Board]],
    sighting: Prior,
    frames: Sequence[Standing],
    declared: Declared,
) -> list[_Candidate]:
    """The boards with their rulings, best first; once a legal one leads, only those near it."""
    found: list[_Candidate] = []
    for score, board in boards:
        if found and found[0].ruling.legal and score < found[0].score - LEGAL_REACH_NATS:
            break
        seen = [f.board for f in frames if f.fits(position.observed, board)]
        ruling = game.check(position, board, seen, declared)
        apparent = score - _whole_board(board, sighting)
        found.append(_Candidate(score if ruling.legal else score - _ILLEGAL_NATS, board, ruling, apparent))
    return sorted(found, key=lambda c: -c.score)


def _whole_board(board: Board, sighting: Prior) -> float:
    """Log-prior of a board as a whole: cubes are neither made nor lost, a colour has no more flags than it owns."""
    score = 0.0
    before = sighting.previous
    for colour in range(1, len(board.letters) + 1):
        now = int((board.flags == colour).sum())
        score -= _FLAG_NATS * max(0, now - sighting.flags_each)
        if before is not None:
            change = now - int((before.flags == colour).sum())
            score -= _COMING_NATS * max(0, change) + _GOING_NATS * max(0, -change)
    if before is not None:
        score -= _CUBE_NATS * min(3, abs(int(board.heights.sum()) - int(before.heights.sum())))
    return score


def _doubts(found: list[_Candidate]) -> tuple[Field, ...]:
    """The fields in which the boards near the best one differ from it and change the ruling."""
    best = found[0]
    fields: set[Field] = set()
    for other in found[1:]:
        if best.score - other.score < ACCUSE_NATS and other.rules != best.rules:
            fields |= differing_fields(best.board, other.board)
    return tuple(sorted(fields))


def differing_fields(one: Board, other: Board) -> set[Field]:
    """The fields in which two boards differ."""
    differ = (one.heights != other.heights) | (one.flags != other.flags)
    return {Field(int(row), int(col)) for row, col in np.argwhere(differ)}


def likeliest_boards(belief: BoardBelief) -> Iterator[tuple[float, Board]]:
    """Yield boards by falling log-probability, fields taken as independent, starting with the likeliest.

    Each board is a set of deviations from the likeliest one; sets are grown by the usual successor rule (append the
    next deviation, or replace the last one by its successor), so none is listed twice.
    Source: E. L. Lawler, A procedure for computing the K best solutions, Management Science 18 (1972).
    """
    costs, changes = _deviations(belief, ACCUSE_NATS + _SLACK_NATS)
    heights = belief.heights.argmax(axis=2).astype(np.int8)
    flags = belief.flags.argmax(axis=2).astype(np.int8)
    base = float(
        log_probabilities(belief.heights).max(axis=2).sum() + log_probabilities(belief.flags).max(axis=2).sum()
    )
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    while heap:
        cost, chosen = heapq.heappop(heap)
        last = chosen[-1] if chosen else -1
        # Only the last deviation can touch a field twice: such a set is no board and grows no further.
        clash = any(changes[k][:3] == changes[last][:3] for k in chosen[:-1])
        if not clash:
            yield base - cost, _changed(heights, flags, belief.letters, [changes[k] for k in chosen])
        if last + 1 < len(costs):
            if not clash:
                heapq.heappush(heap, (cost + costs[last + 1], (*chosen, last + 1)))
            if chosen:
                heapq.heappush(heap, (cost - costs[last] + costs[last + 1], (*chosen[:-1], last + 1)))


def _deviations(belief: BoardBelief, reach: float) -> tuple[list[float], list[tuple[int, int, int, int]]]:
    """Every other value of every field within reach, by rising cost: costs (nats) and (what, row, col, value)."""
    rows = []
    for what, scores in enumerate((belief.heights, belief.flags)):
        cost = scores.max(axis=2, keepdims=True) - scores
        best = scores.argmax(axis=2)
        for row, col, value in np.argwhere(cost < reach):
            if value != best[row, col]:
                rows.append((float(cost[row, col, value]), (what, int(row), int(col), int(value))))
    rows.sort()
    return [cost for cost, _ in rows], [change for _, change in rows]


def _changed(
    heights: NDArray[np.int8], flags: NDArray[np.int8], letters: str, changes: list[tuple[int, int, int, int]]
) -> Board:
    grids = heights.copy(), flags.copy()
    for what, row, col, value in changes:
        grids[what][row, col] = value
    return Board(*grids, letters)
