"""Turns that break a rule, worked out by hand: the smallest sets of rules, the preferred one first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.terrabilis.broken import BROKEN, ON_DEVELOP
from tests.games.terrabilis.positions import position, roll, ruled, sets_of


@pytest.mark.parametrize("name", BROKEN)
def test_a_turn_that_breaks_a_rule(name: str) -> None:
    before, acts, seen, wanted = BROKEN[name]
    answer = ruled(before, acts, **seen)
    assert answer["legal"] is False
    assert sets_of(answer) == wanted
    assert answer["next"] is None
    assert all(violation["message"] and "rule" not in violation["message"][:9] for violation in answer["violations"])


def offer(act: int, **instead: Any) -> dict[str, Any]:
    return {"act": act, "instead": instead}


OFFERS: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any], list[dict[str, Any]]]] = {
    "the other counter": (
        position(),
        [roll(3, 3), {"choose": "green", "by": "blue"}],
        {"zone": {"green": 1, "yellow": 2}},
        [offer(1, choose="yellow", by="blue")],
    ),
    "the other way of paying": (
        position(),
        [roll(4, 4), {"choose": "energy"}, {"count": {"energy": 10}}],
        {},
        [offer(1, choose="money")],
    ),
    "another order": (
        position(zone={"green": 9}),
        [roll(3, 3), {"order": "gy"}, {"choose": "green", "by": "blue"}],
        {"zone": {"green": 2, "yellow": 0}},
        [offer(1, order="yg")],
    ),
    "another prize": (
        position(),
        [roll(1, 3), {"quiz": "normal", "right": True, "prize": "money"}, {"count": {"money": 25000}}],
        {},
        [offer(1, quiz="expert", right=True, prize="money")],
    ),
    "another hazard": (
        position(),
        [roll(1, 1), {"hazard": "plague"}],
        {"zone": {"green": 2, "yellow": 0}},
        [offer(1, hazard="storm"), offer(1, hazard="riddle")],
    ),
    "another card of the kind": (
        ON_DEVELOP,
        [roll(1, 1), {"draw": "social"}, {"install": "wind"}],
        {"zone": {"green": 4, "yellow": 1}},
        [offer(2, install="coal")],
    ),
    "not joining": (
        position(),
        [roll(1, 2), {"join": True}, {"count": {"money": 20000}}],
        {},
        [offer(1, join=False)],
    ),
    "joining": (
        position(),
        [roll(1, 2), {"join": False, "by": "blue"}, {"count": {"money": 10000}, "by": "blue"}],
        {},
        [offer(1, join=True, by="blue")],
    ),
}


@pytest.mark.parametrize("name", OFFERS)
def test_one_changed_declaration_is_offered_first(name: str) -> None:
    before, acts, seen, wanted = OFFERS[name]
    answer = ruled(before, acts, **seen)
    assert answer["legal"] is None
    assert (answer["violations"], answer["alternatives"], answer["next"]) == ([], [], None)
    assert answer["offers"] == wanted
    for change in wanted:
        put_right = [*acts[: change["act"]], change["instead"], *acts[change["act"] + 1 :]]
        assert ruled(before, put_right, **seen)["legal"] is True


def test_nothing_is_offered_where_an_act_cannot_be_made() -> None:
    before = position({"red": {"pawn": 8, "money": 4000}})
    answer = ruled(before, [roll(1, 1), {"draw": "social"}, {"install": "mill"}], zone={"green": 0, "yellow": 0})
    assert answer["legal"] is False
    assert "pay.cover" in sets_of(answer)[0]
