"""Ask whether a low tower fell: where its stones put back leave a turn that broke nothing, nobody is accused yet.

Hands can do what a fall does: take a stone and build it a field away. So somebody is asked, and who says that the
lower stack stands so says that nothing fell (docs/decisions/0040).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import TurnEvidence
from referee.kinds.grid.judging.swept import TAKEN_BY_HAND
from referee.match.decision import Ask
from referee.match.standing import board_of
from referee.values.board import Board, Field
from referee.values.declaring import Declared
from referee.values.words import say

ROLLED, ROLLED_PIECE = 1, 2
"""Of n stones that tip over the edge of what stays, the highest lies n fields away and may roll by so many more; what
stood on top of them lies a field further."""
MOST_UNDONE, MOST_TRIED = 200, 24
"""Boards with a tower put up again that are listed, and put to the rules, at most."""


def fall_asked(game: AnyGame, position: Position, after: Iterable[Board], seen: TurnEvidence) -> Ask | None:
    """Return the question whether a tower fell, ``None`` where none can have or somebody has said that none did.

    after: boards that may stand there now.
    """
    for board in dict.fromkeys(after):
        place = _may_have_fallen(game, position, board, seen.declared)
        if place is not None and place not in seen.known:
            why = say("{at} may have fallen: did something fall?", at=place)
            return Ask(place, why, (stand(board, place),))
    return None


def _may_have_fallen(game: AnyGame, position: Position, after: Board, declared: Declared) -> Field | None:
    """Return the stack that, put up again, leaves the board of before, a legal turn or a part of one."""
    before, prior = board_of(position), game.prior_after(position)
    most = prior.habits.most_fields if prior.habits is not None else 0
    undone = dict[Board, Field]()
    for place, board in islice(_undone(before, after), MOST_UNDONE):
        undone.setdefault(board, place)
    if before in undone:
        return undone[before]
    fitting = (
        board
        for board in undone
        if (not prior.cubes or int(board.heights.sum()) in prior.cubes) and not 0 < most < _changed(before, board)
    )
    return next((undone[b] for b in islice(fitting, MOST_TRIED) if _is_legal(game, position, b, declared)), None)


def _changed(before: Board, after: Board) -> int:
    return int(((before.heights != after.heights) | (before.flags != after.flags)).sum())


def _is_legal(game: AnyGame, position: Position, board: Board, declared: Declared) -> bool:
    try:
        return game.check(position, board, (), declared).legal
    except RequestError:
        return False


def _undone(before: Board, after: Board) -> Iterator[tuple[Field, Board]]:
    """Yield boards with one tower put up again, and its field; the stones that lie nearest first."""
    rises = after.heights.astype(np.int64) - before.heights
    # The lowest stone of a tower stays where it is.
    for place in _fields((rises < 0) & (after.heights > 0)):
        lost = int(-rises[place])
        stones = [site for site in _within_reach(place, lost + ROLLED, rises > 0) for _ in range(int(rises[site]))]
        for taken in dict.fromkeys(combinations(stones, lost)):
            heights = after.heights.copy()
            heights[place] = before.heights[place]
            for site in taken:
                heights[site] -= 1
            for flags in _pieces_back(place, taken, before, after):
                for board in _without_hands(before, Board(heights, flags, after.letters)):
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
        for piece in dict.fromkeys((int(before.flags[place]), *missing)):
            if not piece or flags[place]:
                continue
            on_top = flags.copy()
            on_top[place] = piece
            yield on_top
            for site in _within_reach(place, len(taken) + ROLLED_PIECE, (flags == piece) & (before.flags != piece)):
                moved = on_top.copy()
                moved[site] = before.flags[site] if site in taken else 0
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
