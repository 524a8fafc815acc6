"""Which legal turns come nearest to a board that none explains, and what each of them lacks.

The board as ruled on is taken for a very sharp picture of itself, and the game is asked for the turns that explain it
best, just as the judge asks (referee/judging/judge.py). Nothing of it is a ruling: it shows two people how far the
board is from one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.contract import Act, Game, Position, RequestError
from referee.report.drawing import changed_places
from referee.report.kind import report_kind
from referee.values.declaring import NOTHING_DECLARED, Declared

MOST_NEAREST = 3


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
    if set(text) & set("?~"):
        return ()
    try:
        return _legal(game, before, text, report_kind(game.kit).near(game, before, text, acts, declared), declared)
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
