"""The kinds of game the live table knows, by what they observe (``Kit.kind``): each with its own onlooker.

A kind is added by a class that does what ``Onlooker`` asks, and a line in ``_ONLOOKERS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.daemon.grids import GridOnlooker
from referee.daemon.ledgers import LedgerOnlooker
from referee.daemon.mats import MatOnlooker
from referee.daemon.onlooker import Onlooker
from referee.daemon.outcomes import Judge
from referee.daemon.towers import TowerOnlooker
from referee.match.events import AnyGame
from referee.match.state import TableState
from referee.values.kit import Kind

Eyes = Any
"""Reads pictures of one kind: BoardReader for a grid, TowerEyes for a tower, MatEyes or ``None`` for a ledger."""


def onlooker_of(game: AnyGame, eyes: Eyes, judge: Judge, state: TableState) -> Onlooker:
    """The onlooker of a game, by the kind of thing it observes. judge: weighs the turns on a grid."""
    return _ONLOOKERS[game.kit.kind](game, eyes, judge, state)


_ONLOOKERS: Mapping[Kind, Callable[[AnyGame, Eyes, Judge, TableState], Onlooker]] = {
    "grid": GridOnlooker,
    "tower": lambda game, eyes, judge, state: TowerOnlooker(game, eyes, state),
    "ledger": lambda game, eyes, judge, state: (
        LedgerOnlooker(game) if eyes is None else MatOnlooker(game, eyes, state)
    ),
}
