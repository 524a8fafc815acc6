"""Ask whether a low tower fell: where its stones put back leave a turn that broke nothing, nobody is accused yet.

Hands can do what a fall does: take a stone and build it a field away. So somebody is asked, and who says that the
lower stack stands so says that nothing fell (docs/decisions/0040). Where a field is hidden, the tower may have stood
there or its stones may lie there: the look is weighed again as it was before such a fall (docs/decisions/0067).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import TurnEvidence
from referee.kinds.grid.judging.legality import Legality
from referee.kinds.grid.judging.swept import TAKEN_BY_HAND
from referee.kinds.grid.judging.weights import ACCUSE_NATS
from referee.match.decision import Ask
from referee.match.standing import board_of
from referee.values.belief import BoardBelief
from referee.values.board import Board, Field
from referee.values.words import say

ROLLED, ROLLED_PIECE = 1, 2
"""Of n stones that tip over the edge of what stays, the highest lies n fields away and may roll by so many more; what
stood on top of them lies a field further."""
BY_HAND = 1
"""A stone that hands had taken makes a fall of the others as odd as if one of them lay so many fields too far."""
MOST_UNDONE, MOST_TRIED, MOST_WEIGHED = 600, 96, 8
"""Boards with a tower put up again that are listed, and put to the rules, and looks weighed again, at most."""
MOST_GROWN = 2
"""Stones that a turn put on a tower before it fell, at most."""

STONE_NATS, TOWER_NATS = 2.8, 3.4
"""A fall of which a part is hidden must explain so much more: a stone that nobody sees lies on one of some 16 fields,
and a tower that nobody sees is one of some 30."""

Weigh = Callable[[BoardBelief], float]
"""Returns by how many nats legal turns explain a look better than breaches explain the one that was taken."""


def fall_asked(
    game: AnyGame, position: Position, lies: Board, seen: TurnEvidence, grounds: BoardBelief, weigh: Weigh, stay: bool
) -> Ask | None:
    """Return the question whether a tower fell, ``None`` where none can have or somebody has said that none did.

    lies: what is thought to stand there now. grounds: what the turn is judged by. stay: in this game stones stay on
    their stacks. One that fell off where it was just put lies where hands may have built it, one that fell where the
    turn took one lies as if that had stayed: these are thought of only where somebody can be asked.
    """
    if seen.known.keys() >= set(lies.fields):
        return None
    hidden = _hidden(grounds.heights)
    boards = tuple(dict.fromkeys((lies, _as_sure(lies, grounds), grounds.likeliest)))
    asks, rules = seen.people is not None, Legality(game, position, seen.declared)
    before = board_of(position)
    kept = (before.flags != 0) & (grounds.likeliest.flags == before.flags) & ~_hidden(grounds.flags)
    for board in boards:
        place = _may_have_fallen(rules, board, kept, stay, asks)
        if place is not None and place not in seen.stood:
            return _asked(board, place)
    for fall in islice(_falls(before, boards, hidden, kept), MOST_WEIGHED) if hidden.any() else ():
        if fall.place not in seen.stood and weigh(_as_before(fall, before, grounds)) >= fall.least_nats(asks):
            return _asked(boards[0], fall.place)
    return None


def _asked(board: Board, place: Field) -> Ask:
    why = say("{at} may have fallen: did something fall?", at=place)
    return Ask(place, why, (stand(board, place),))


@dataclass(frozen=True, slots=True)
class _Fall:
    """A fall that is thought of. lost: stones of its tower; 0 where nobody sees it. landed: where stones are seen."""

    place: Field
    lost: int
    landed: tuple[Field, ...]

    def least_nats(self, asks: bool) -> float:
        """Return by how much it must explain the pictures better than a breach does.

        asks: somebody can say whether it fell. Where nobody can, a stone that nobody sees costs as much as a tower.
        """
        unseen = self.lost - len(self.landed)
        if unseen and asks and self.lost:
            return STONE_NATS * unseen
        return TOWER_NATS + STONE_NATS if unseen else 0.0


def _hidden(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the fields (rows, columns) on which what stands is not sure enough to accuse anybody."""
    ranked = np.sort(scores, axis=2)
    return np.asarray(ranked[..., -1] - ranked[..., -2] < ACCUSE_NATS, np.bool_)


def _as_sure(lies: Board, grounds: BoardBelief) -> Board:
    """Return a board with what is seen on all fields that are not hidden."""
    shown = grounds.likeliest
    heights = np.where(_hidden(grounds.heights), lies.heights, shown.heights)
    return Board(heights, np.where(_hidden(grounds.flags), lies.flags, shown.flags), lies.letters)


def _falls(
    before: Board, after: Iterable[Board], hidden: NDArray[np.bool_], kept: NDArray[np.bool_]
) -> Iterator[_Fall]:
    """Yield the falls that fit what is seen: those of which most is seen first.

    Of a tower that is seen, stones may lie where nobody sees them; of one that is hidden some stone is seen. Which
    hidden one it was makes no difference to the pictures but for the piece that stood on it, so of those with the
    same piece only the nearest is thought of. kept: as in ``_undone``.
    """
    found = dict[tuple[int, int, _Fall], None]()
    for board in after:
        rises = board.heights.astype(np.int64) - before.heights
        stones = [site for site in _fields((rises > 0) & ~hidden & ~kept) for _ in range(int(rises[site]))]
        for place in _fields((rises < 0) & (board.heights > 0) & ~hidden):
            lost = int(-rises[place])
            near = [site for site in stones if _away(place, site, before) <= lost + ROLLED]
            dark = any(_away(place, site, before) <= lost + ROLLED for site in _fields(hidden))
            for unseen in range(lost + 1 if dark else 1):
                for landed in combinations(near, lost - unseen):
                    if _one_way(place, landed):
                        far = sum(_away(place, site, before) for site in landed)
                        found[unseen, far, _Fall(place, lost, landed)] = None
        for count in range(1, min(TAKEN_BY_HAND, len(stones)) + 1):
            towers = _fields(hidden & (before.heights >= count))
            for landed in dict.fromkeys(combinations(stones, count)):
                near_by = [at for at in towers if all(_away(at, site, before) <= count + ROLLED for site in landed)]
                fits = sorted((sum(_away(at, site, before) for site in landed), at) for at in near_by)
                nearest = {int(before.flags[at]): (far, at) for far, at in reversed(fits) if _one_way(at, landed)}
                for far, place in nearest.values():
                    found[count, far, _Fall(place, 0, landed)] = None
    yield from (fall for _, _, fall in sorted(found, key=lambda item: item[:2]))


def _one_way(place: Field, landed: Sequence[Field]) -> bool:
    """Return whether stones lie on one side of a tower: it tips over one edge."""
    ways = [(site.row - place.row, site.col - place.col) for site in landed]
    return all(one[0] * other[0] + one[1] * other[1] > 0 for one, other in combinations(ways, 2))


def _away(place: Field, site: Field, before: Board) -> int:
    """Return how many fields away a site is; pieces that stand in between are fields that stones passed."""
    down, right = site.row - place.row, site.col - place.col
    far = max(abs(down), abs(right))
    if 0 not in (down, right) and abs(down) != abs(right):
        return far
    between = [(place.row + down * step // far, place.col + right * step // far) for step in range(1, far)]
    return far - sum(bool(before.flags[at]) for at in between)


def _as_before(fall: _Fall, before: Board, grounds: BoardBelief) -> BoardBelief:
    """Return a look as it was before a fall; what a fallen stone buried, or stood on the tower, nobody sees."""
    heights, flags = grounds.heights.copy(), grounds.flags.copy()
    least = float(heights.min())
    for site, count in Counter(fall.landed).items():
        heights[site] = np.concatenate([heights[site][count:], np.full(count, least)])
        flags[site] = 0.0
    if fall.lost:
        scores = heights[fall.place]
        heights[fall.place] = np.concatenate([np.full(fall.lost + 1, least), scores[1 : len(scores) - fall.lost]])
        flags[fall.place] = 0.0
    piece = int(before.flags[fall.place])
    came = (grounds.flags.argmax(axis=2) == piece) & (before.flags != piece)
    for site in _within_reach(fall.place, max(fall.lost, len(fall.landed)) + ROLLED_PIECE, came) if piece else ():
        flags[site] = 0.0
    return BoardBelief(heights, flags, grounds.letters)


def _may_have_fallen(rules: Legality, after: Board, kept: NDArray[np.bool_], stay: bool, asks: bool) -> Field | None:
    """Return the stack that, put up again, leaves the board of before, a legal turn or a part of one."""
    before, prior = board_of(rules.position), rules.game.prior_after(rules.position)
    most = prior.habits.most_fields if prior.habits is not None else 0
    anywhere = (stay and asks) or _is_missing(before, after)
    for grown in range((MOST_GROWN if asks else 1) + 1):
        undone = dict[Board, Field]()
        for place, board in islice(_undone(before, after, kept, grown, anywhere, asks), MOST_UNDONE):
            undone.setdefault(board, place)
        if before in undone:
            return undone[before]
        fitting = (
            board
            for board in undone
            if (not prior.cubes or int(board.heights.sum()) in prior.cubes) and not 0 < most < _changed(before, board)
        )
        for board in islice(fitting, MOST_TRIED):
            if rules.may_be(board):
                return undone[board]
    return None


def _is_missing(before: Board, after: Board) -> bool:
    """Return whether a piece of any kind is fewer on a board than before."""
    return any(
        (after.flags == code).sum() < (before.flags == code).sum() for code in range(1, len(before.letters) + 1)
    )


def _changed(before: Board, after: Board) -> int:
    return int(((before.heights != after.heights) | (before.flags != after.flags)).sum())


def _undone(
    before: Board, after: Board, kept: NDArray[np.bool_], grown: int, anywhere: bool, asks: bool
) -> Iterator[tuple[Field, Board]]:
    """Yield boards with one tower put up again, and its field: the plainest falls first.

    In a plain fall the k-th stone lies k fields away: n of them n (n + 1) / 2 fields in all.

    kept: (rows, columns), the fields on which the piece of before surely stands: no stone that falls there lifts it.
    grown: how many stones higher than before the tower was when it fell. anywhere: also of towers that are no lower.
    asks: besides, its stone may lie where the turn had taken one, of a tower that stands the piece may be gone, and
    hands may have taken some of its stones before the others fell.
    """
    if asks and not grown:
        yield from _knocked_off(before, after)
    rises = after.heights.astype(np.int64) - before.heights
    rolled = ROLLED if not grown or (asks and _is_missing(before, after)) else 0
    falls = list[tuple[int, Field, tuple[Field, ...]]]()
    # The lowest stone of a tower stays where it is.
    for place in _fields((rises < (grown if anywhere else 0)) & (after.heights > 0)):
        lost = grown - int(rises[place])
        came = (rises > 0) & ~kept
        if grown:  # that is seldom, so nothing seldom is thought of besides: no stone fell upwards
            came &= after.heights <= after.heights[place] + lost
        far = {site: _away(place, site, before) for site in _fields(came) if site != place}
        stones = [site for site in far if far[site] <= lost + rolled for _ in range(int(rises[site]))]
        for fell in range(1 if asks and not grown else lost, lost + 1):
            ways = (taken for taken in set(combinations(stones, fell)) if not grown or _one_way(place, taken))
            by_hand, plain = BY_HAND * (lost - fell), fell * (fell + 1) // 2
            falls += [(by_hand + abs(sum(far[at] for at in taken) - plain), place, taken) for taken in ways]
        if grown and asks and rises[place] == -1:
            low = (rises == 0) & (after.heights > 0) & (after.heights <= after.heights[place] + 1) & ~kept
            falls += [(0, place, (site,)) for site in _within_reach(place, 1, low)]
    for _, place, taken in sorted(falls):
        heights = after.heights.copy()
        heights[place] += len(taken)
        for site in taken:
            heights[site] -= 1
        for flags in _pieces_back(place, taken, before, after):
            for board in _without_hands(before, Board(heights, flags, after.letters)):
                yield place, board


def _knocked_off(before: Board, after: Board) -> Iterator[tuple[Field, Board]]:
    """Yield boards with a piece that is off the board back where it stood, and its field.

    Nothing stands there now: a piece that another took the place of was not knocked over.
    """
    for code in range(1, len(before.letters) + 1):
        if (after.flags == code).sum() < (before.flags == code).sum():
            for place in _fields((before.flags == code) & (after.flags == 0)):
                flags = after.flags.copy()
                flags[place] = code
                for board in _without_hands(before, Board(after.heights, flags, after.letters)):
                    yield place, board


def _within_reach(place: Field, reach: int, wanted: NDArray[np.bool_]) -> list[Field]:
    """Return the wanted fields at most so many fields away, the nearest first."""
    far = {site: max(abs(site.row - place.row), abs(site.col - place.col)) for site in _fields(wanted)}
    return sorted((site for site in far if far[site] <= reach), key=lambda site: far[site])


def _pieces_back(place: Field, taken: tuple[Field, ...], before: Board, after: Board) -> Iterator[NDArray[np.int8]]:
    """Yield the pieces as they may have stood: those that stones buried, and the one on top of the tower.

    Either may have come there in this turn: it took another's place, or its like is missing elsewhere.
    """
    codes = range(1, len(after.letters) + 1)
    missing = [code for code in codes if (after.flags == code).sum() < (before.flags == code).sum()]
    buried = after.flags.copy()
    for site in taken:
        buried[site] = buried[site] or before.flags[site]
    boards = [after.flags, *([buried] if (buried != after.flags).any() else [])]
    for site, code in product(dict.fromkeys(taken), sorted(codes, key=lambda code: code not in missing)):
        if not after.flags[site] and code != before.flags[site] and (before.flags[site] or code in missing):
            came = buried.copy()
            came[site] = code
            boards.append(came)
    for flags in boards:
        yield flags
        if flags[place]:
            continue
        known = dict.fromkeys((int(before.flags[place]), *missing))
        near = _within_reach(place, len(taken) + 1, flags != 0)
        for piece in filter(None, known):
            on_top = flags.copy()
            on_top[place] = piece
            yield on_top
        for site in _within_reach(place, len(taken) + ROLLED_PIECE, (flags != 0) & (flags != before.flags)):
            # Where nothing else says that it fell, it lies beyond the stones, on their side, and hasn't rolled.
            if flags[site] not in known and not (site in near and _one_way(place, (*taken, site))):
                continue
            moved = flags.copy()
            moved[place], moved[site] = flags[site], before.flags[site] if site in taken else 0
            yield moved


def _without_hands(before: Board, board: Board) -> Iterator[Board]:
    """Yield a board with the stones that hands may hold put back where they came from: a turn may be under way.

    More than hands take in a turn are not held by any.
    """
    gone = int(before.heights.sum(dtype=np.int64) - board.heights.sum(dtype=np.int64))
    if gone > TAKEN_BY_HAND:
        return
    lower = before.heights.astype(np.int64) - board.heights
    levels = [site for site in _fields(lower > 0) for _ in range(int(lower[site]))]
    for back in dict.fromkeys(combinations(levels, max(0, gone))):
        heights = board.heights.copy()
        for site in back:
            heights[site] += 1
        yield Board(heights, board.flags, board.letters)


def _fields(wanted: NDArray[np.bool_]) -> list[Field]:
    return [Field(int(row), int(col)) for row, col in np.argwhere(wanted)]
