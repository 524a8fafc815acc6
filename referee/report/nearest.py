"""Which legal turns come nearest to a board that none explains, and what each of them lacks.

The board as ruled on is taken for a very sharp picture of itself, and the game is asked for the turns that explain it
best, just as the judge asks (referee/judging/judge.py). Nothing of it is a ruling: it shows two people how far the
board is from one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from referee.games.contract import Act, Game, Position, RequestError
from referee.games.weighing import Effort
from referee.judging.judge import weigh
from referee.report.drawing import EMPTY, cells_of, changed_places, tower_text
from referee.values.belief import BoardBelief
from referee.values.board import Board
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.kit import Kit

MOST_NEAREST = 3
MOST_ACTS = 6
"""Of a turn's acts so many are tried without each other."""
_LEVEL_NATS, _PIECE_NATS = 1.2, 2.0
"""A level more or less, and another piece, on one field: so that a turn some fields away is still found."""
_LEVELS = 10
"""Heights that are told apart at least; a higher stack has as many more."""
_EFFORT = Effort(breach_nats=5.0, near_nats=16.0, most_tests=200, most_states=12_000)


@dataclass(frozen=True, slots=True)
class NearTurn:
    """A legal turn. acts: what it is; lacks: fields with what would stand there and what stands there instead."""

    acts: tuple[Act, ...]
    lacks: tuple[tuple[str, str, str], ...]


def nearest_turns(
    game: Game[Any],
    before: Position,
    text: str,
    acts: Sequence[Act] = (),
    declared: Declared = NOTHING_DECLARED,
) -> tuple[NearTurn, ...]:
    """The legal turns nearest to a text, the nearest first; none where something of it can't be told.

    acts: those that explain the text though they break a rule. A tower is tried with some of them left undone; a
    ledger's turns have no nearest.
    """
    kit = game.kit
    like = before.observed
    if set(text) & set("?~"):
        return ()
    try:
        if isinstance(like, Board):
            texts: Iterable[str] = _boards(game, before, like.like(text), declared)
        else:
            texts = _towers(before, text, acts, kit) if kit.kind == "tower" else ()
        return _legal(game, before, text, texts, declared)
    except RequestError:
        return ()


def _legal(
    game: Game[Any], before: Position, text: str, texts: Iterable[str], declared: Declared
) -> tuple[NearTurn, ...]:
    """Those of some texts to which a legal turn leads, the nearest first."""
    found = []
    for near in dict.fromkeys(texts):
        ruling = game.check(before, game.observation(near), (), declared) if near != text else None
        if ruling is not None and ruling.legal:
            found.append(NearTurn(ruling.acts, changed_places(near, text, before.observed, game.kit)))
    return tuple(sorted(found, key=lambda near: len(near.lacks))[:MOST_NEAREST])


def _boards(game: Game[Any], before: Position, seen: Board, declared: Declared) -> list[str]:
    weighed = weigh(game, before, _sharp(seen), _EFFORT, declared)
    return [one.board.text for one in weighed.explanations if not one.rules]


def _towers(before: Position, text: str, acts: Sequence[Act], kit: Kit) -> Iterable[str]:
    """The tower with some of the turn's acts left undone."""
    was = dict(cells_of(before.observed.text, kit))
    for left in range(1, len(acts) + 1):
        for undone in combinations(acts[:MOST_ACTS], left):
            cells = dict(cells_of(text, kit))
            for place in (place for act in undone for place in act.fields):
                cells[place.name] = was.get(place.name, EMPTY)
            yield tower_text(cells, kit)


def _sharp(board: Board) -> BoardBelief:
    """The belief of somebody who sees a board and takes every other for less likely, field by field."""
    rows, columns = board.heights.shape
    levels = np.arange(max(_LEVELS, int(board.heights.max()) + 3))
    heights = -_LEVEL_NATS * np.abs(levels[None, None, :] - board.heights[..., None])
    pieces = np.where(np.arange(len(board.letters) + 1)[None, None, :] == board.flags[..., None], 0.0, -_PIECE_NATS)
    return BoardBelief(heights.reshape(rows, columns, -1), pieces, board.letters)
