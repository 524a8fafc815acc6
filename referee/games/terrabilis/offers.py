"""Changes of one declaration that make everything agree: they are offered before anything is called wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.games.terrabilis.acts import Case, Choose, Declared, Discard, HazardDrawn, Install, Join, Order, Quiz
from referee.games.terrabilis.declared import LEVELS, PRIZES, act_json
from referee.games.terrabilis.gamecopy import GameCopy
from referee.games.terrabilis.replay import replay

MOST_TRIED = 2000
"""Changed turns replayed before the search for offers is content with those found."""

_OTHER = {"green": "yellow", "yellow": "green", "energy": "money", "money": "energy"}


@dataclass(frozen=True, slots=True)
class Offer:
    """One declaration changed: which act, counted from 0, and the whole act as it would have to be."""

    act: int
    instead: Declared

    def to_json(self) -> dict[str, object]:
        """The offer as formats write it."""
        return {"act": self.act, "instead": act_json(self.instead)}


def offers(case: Case) -> tuple[tuple[Offer, ...], bool]:
    """All changes of one declaration with which the turn is legal, and whether all were tried."""
    found = []
    for tried, offer in enumerate(_changes(case)):
        if tried >= MOST_TRIED:
            return tuple(found), False
        acts = (*case.acts[: offer.act], offer.instead, *case.acts[offer.act + 1 :])
        if replay(replace(case, acts=acts)).agrees:
            found.append(offer)
    return tuple(found), True


def _changes(case: Case) -> Iterator[Offer]:
    for index, act in enumerate(case.acts):
        for instead in _instead(act, case.copy):
            yield Offer(index, instead)


def _instead(act: Declared, copy: GameCopy) -> Iterator[Declared]:
    match act:
        case Choose():
            yield replace(act, what=_OTHER[act.what])
        case Join():
            yield replace(act, joins=not act.joins)
        case Order():
            for order in _orders(act.counters.count("g"), act.counters.count("y")):
                if order != act.counters:
                    yield replace(act, counters=order)
        case Quiz() if act.right:
            for level in LEVELS:
                for prize in PRIZES:
                    if (level, prize) != (act.level, act.prize):
                        yield replace(act, level=level, prize=prize)
        case HazardDrawn():
            for hazard in copy.hazard_cards:
                if hazard != act.hazard:
                    yield replace(act, hazard=hazard)
        case Install() | Discard():
            kind = copy.cards[act.card].kind
            for card in copy.infrastructures:
                if card.kind == kind and card.id != act.card:
                    yield replace(act, card=card.id)


def _orders(green: int, yellow: int) -> Iterator[str]:
    """All orders of so many counters."""
    if not green or not yellow:
        yield "g" * green + "y" * yellow
        return
    for rest in _orders(green - 1, yellow):
        yield "g" + rest
    for rest in _orders(green, yellow - 1):
        yield "y" + rest
