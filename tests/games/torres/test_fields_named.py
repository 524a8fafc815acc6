"""Which fields a violation of the turns ruled on by hand names: those where it shows, and no others."""

from __future__ import annotations

import pytest

from tests.games.torres.handcases import CASES
from tests.games.torres.tables import check

NAMED = {
    "a knight placed and one higher": "build.occupied=A2",
    "a block far from any castle": "build.new=C7",
    "a castle too high": "build.height=A8",
    "two castles joined": "build.join=G8",
    "built on a foreign knight": "build.occupied=D4",
    "built on an own knight, no time to step aside": "build.occupied=A1",
    "four blocks": "build.supply=A2+B1+C1",
    "four blocks from a stack of two": "build.supply=A2+B1+C1",
    "two levels up": "knight.climb=A1+A2",
    "two levels up, card held": "card.declared=A1+A2",
    "a leap of three": "knight.climb=A1+A2",
    "through the doors": "ap.budget=A1+B2+C2",
    "through the doors, up": "knight.door=A1+C1",
    "over a piece": "knight.blocked=D4",
    "a jump over the king": "card.declared=C4+E4+E5",
    "a step of two fields": "ap.budget=A1+A2+A3",
    "a knight far away from all": "ap.budget=B1+C1+D1+E1+F1+G1+H2",
    "a knight higher than its own": "ap.budget=A1+B1",
    "a knight is gone": "knight.supply=A1",
    "a seventh knight": "knight.supply=G1",
    "the king moved": "king.still=F8+H8",
    "the king gone": "king.still=H8",
    "a block gone": "blocks.fixed=A2",
    "two blocks gone": "blocks.fixed=A2+H1",
    "two blocks gone and one more laid": "blocks.fixed=A2+H1",
    "a foreign knight moved": "turn.order=D4+D5",
    "a foreign knight gone": "knight.own=D4",
    "a foreign knight of another colour": "knight.own=D4",
    "six points": "build.occupied=A2",
    "no card held": "card.held=",
    "a card bought in the same turn": "card.fresh=",
    "a kind played out": "card.held=",
    "a kind played out by the player": "card.held=",
    "three cards bought": "card.buy=",
    "a card bought in the master game": "card.buy=",
    "two cards played": "build.new=C7 ap.budget=A1+A2+C7",
    "a block shifted from under a knight": "card.shift=A1+C7",
    "a castle split by a shift": "card.declared=E4 blocks.fixed=D4",
    "fewer than six castles by a shift": "card.shift=A3+A8",
    "a block too high by a shift": "card.shift=A2+F8",
    "castles joined by a shift": "card.shift=A2+G8",
    "a diagonal step too high": "knight.climb=A1+B2",
    "a block from an empty reserve": "card.declared=A2",
    "a block under a knight, no supply": "build.supply=A1",
    "a block under nobody": "card.under=C7",
    "a knight placed anew in the open": "knight.place=A1+H5",
    "a card act has its price": "ap.budget=A1+D2",
    "the wrong player": "turn.order=A2+D4+D5",
}
"""The rules broken, as they are named, each with its fields."""


def test_every_turn_that_is_not_legal_is_here() -> None:
    assert set(NAMED) == {name for name, (_, expected) in CASES.items() if not isinstance(expected, int)}


@pytest.mark.parametrize("name", NAMED)
def test_a_violation_names_just_its_fields(name: str) -> None:
    turn, _ = CASES[name]
    found = [
        f"{each.rule}={'+'.join(sorted(field.name for field in each.fields))}" for each in check(**turn).violations
    ]
    assert found == NAMED[name].split(" ")
