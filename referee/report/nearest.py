"""Finds the legal turns that come nearest to a board that none explains, and what each of them lacks.

The board as ruled on is taken for a very sharp picture of itself, and the game is asked for the turns that explain it
best, just as the judge asks (referee/kinds/grid/judging/judge.py). Nothing of it is a ruling: it shows two people how
far the board is from one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.games.contract import Act, AnyGame, Position, RequestError
from referee.report.drawing import changed_places
from referee.report.kind import report_kind
from referee.values.declaring import NOTHING_DECLARED, Declared

MOST_NEAREST = 3


@dataclass(frozen=True, slots=True)
class NearTurn:
    """A legal turn.

    acts: what it is; lacks: fields with what would stand there and what stands there instead. left: its acts but
    those that it undoes.
    """

    acts: tuple[Act, ...]
    lacks: tuple[tuple[str, str, str], ...]
    left: tuple[Act, ...]

    def shared(self, seen: Counter[str]) -> int:
        """Return how many of these acts the turn leaves."""
        return (seen & Counter(act.text for act in self.left)).total()


def nearest_turns(
    game: AnyGame,
    before: Position,
    text: str,
    acts: Sequence[Act] = (),
    declared: Declared = NOTHING_DECLARED,
) -> tuple[NearTurn, ...]:
    """Return the legal turns nearest to a text, the nearest first; none where a part of the text is unknown.

    acts: those that explain the text though they break a rule: the more of them a turn shares, the likelier it was
    meant; what a turn does and undoes nobody meant, and a turn that shares nothing is none of the nearest. A tower is
    tried with some of them left undone; a ledger's turns have no nearest.
    """
    if set(text) & set("?~"):
        return ()
    try:
        texts = report_kind(game.kit).near(game, before, text, acts, declared)
        found = _legal(game, before, text, texts, declared)
    except RequestError:
        return ()
    stood = before.observed
    seen = Counter(act.text for act in _left(acts, _places(changed_places(text, stood.text, stood, game.kit))))
    if seen:
        found = [near for near in found if near.shared(seen)]
    found.sort(key=lambda near: (-near.shared(seen), len(near.acts) - len(near.left), len(near.lacks)))
    return tuple(found[:MOST_NEAREST])


def _legal(game: AnyGame, before: Position, text: str, texts: Iterable[str], declared: Declared) -> list[NearTurn]:
    """Return the texts to which a legal turn leads, as near turns."""
    found = []
    for near in dict.fromkeys(texts):
        ruling = game.check(before, game.observation(near), (), declared) if near != text else None
        if ruling is not None and ruling.legal:
            lacks = changed_places(near, text, before.observed, game.kit)
            changed = _places(changed_places(near, before.observed.text, before.observed, game.kit))
            found.append(NearTurn(ruling.acts, lacks, tuple(_left(ruling.acts, changed))))
    return found


def _places(changed: Iterable[tuple[str, str, str]]) -> frozenset[str]:
    return frozenset(place for place, _, _ in changed)


def _left(acts: Sequence[Act], changed: frozenset[str]) -> list[Act]:
    """Return the acts that changed at least one of these fields, and those without fields."""
    return [act for act in acts if not act.fields or not changed.isdisjoint(field.name for field in act.fields)]
