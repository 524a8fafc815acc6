"""Counters that a card gives and the Zone does not hold: whatever rule made the take may explain the Zone seen."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.terrabilis.ruleset import in_order
from referee.games.terrabilis.verdict import judge
from tests.games.terrabilis.positions import case, position, roll, ruled, sets_of

TAKING = [roll(1, 1), {"draw": "social"}, {"install": "park"}]  # the park takes three green ones
YELLOW_TAKEN = {"zone": {"green": 0, "yellow": 2}}
ZONE_EXCUSES = [["zone.seen"], ["entry.exact"], ["zone.take"], ["develop.impact"]]


def on_develop(money: int, **zone: int) -> dict[str, Any]:
    return position({"red": {"pawn": 8, "money": money}}, zone=zone)


@pytest.mark.parametrize("green", [0, 1, 3, 5])
def test_a_take_explains_the_zone_however_much_of_it_lay_there(green: int) -> None:
    answer = ruled(on_develop(20000, green=green, yellow=4), TAKING, zone={"green": 0, "yellow": 2})
    assert sets_of(answer) == ZONE_EXCUSES


@pytest.mark.parametrize("green", [0, 1, 3, 5])
def test_a_price_not_covered_stands_beside_each_of_them(green: int) -> None:
    answer = ruled(on_develop(1000, green=green, yellow=4), TAKING, **YELLOW_TAKEN)
    assert sets_of(answer) == [[*rules, "pay.cover"] for rules in ZONE_EXCUSES]


def test_a_hazard_that_takes_nothing_explains_the_zone_as_well() -> None:
    drawn = case(position(zone={"yellow": 4}), [roll(1, 1), {"hazard": "harvest"}], **YELLOW_TAKEN)
    sets = [in_order(lifted) for lifted in judge(drawn, insisted=True).sets]
    assert sets == [("zone.seen",), ("entry.exact",), ("zone.take",), ("hazard.card",)]


def test_nothing_taken_explains_no_count() -> None:
    """No account changed, so only the count itself explains a difference of it."""
    answer = ruled(on_develop(20000), [*TAKING, {"count": {"green": 15}}])
    assert sets_of(answer) == [["ledger.count"]]
