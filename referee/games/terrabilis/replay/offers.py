"""Find changes of one declaration that make everything agree: offered before anything is called wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.declared.acts import (
    Choose,
    Declared,
    Discard,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    TurnCase,
)
from referee.games.terrabilis.declared.reading import LEVELS, PRIZES
from referee.games.terrabilis.replay.whole import replay

MOST_TRIED = 2000
"""Changed turns replayed before the search for offers is content with those found."""

_OTHER = {"green": "yellow", "yellow": "green", "energy": "money", "money": "energy"}


@dataclass(frozen=True, slots=True)
class ChangeOffer:
    """One declaration changed: which act, counted from 0, and the whole act as it would have to be."""

    act: int
    instead: Declared


def offers(case: TurnCase) -> tuple[tuple[ChangeOffer, ...], bool]:
    """Return all changes of one declaration with which the turn is legal, and whether all were tried."""
    found: list[ChangeOffer] = []
    for tried, offer in enumerate(_changes(case)):
        if tried >= MOST_TRIED:
            return tuple(found), False
        acts = (*case.acts[: offer.act], offer.instead, *case.acts[offer.act + 1 :])
        if replay(replace(case, acts=acts)).agrees:
            found.append(offer)
    return tuple(found), True


def _changes(case: TurnCase) -> Iterator[ChangeOffer]:
    for index, act in enumerate(case.acts):
        for instead in _instead(act, case.copy):
            yield ChangeOffer(index, instead)


def _instead(act: Declared, copy: GameCopy) -> Iterator[Declared]:
    """Yield all that might have been declared instead."""
    match act:
        case Choose():
            yield replace(act, what=_OTHER[act.what])
        case Join():
            yield replace(act, joins=not act.joins)
        case PourOrder():
            ordered = _orders(act.counters.count("g"), act.counters.count("y"))
            yield from (replace(act, counters=order) for order in ordered if order != act.counters)
        case Quiz() if act.right:
            prizes = ((level, prize) for level in LEVELS for prize in PRIZES)
            changed = (replace(act, level=level, prize=prize) for level, prize in prizes)
            yield from (quiz for quiz in changed if quiz != act)
        case _:
            yield from _other_cards(act, copy)


def _other_cards(act: Declared, copy: GameCopy) -> Iterator[Declared]:
    match act:
        case HazardDrawn():
            yield from (replace(act, hazard=hazard) for hazard in copy.hazard_cards if hazard != act.hazard)
        case Install() | Discard():
            kind = copy.cards[act.card].kind
            same = (card.id for card in copy.infrastructures if card.kind == kind and card.id != act.card)
            yield from (replace(act, card=card) for card in same)


def _orders(green: int, yellow: int) -> Iterator[str]:
    """Yield all orders of so many counters."""
    if not green or not yellow:
        yield "g" * green + "y" * yellow
        return
    for rest in _orders(green - 1, yellow):
        yield "g" + rest
    for rest in _orders(green, yellow - 1):
        yield "y" + rest
