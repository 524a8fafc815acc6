"""Legal turns worked out by hand, rule by rule: what the ledger says afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.terrabilis.positions import position, roll, ruled

DRAW = {"draw": "social"}
Lines = dict[str, dict[str, Any]]
BOTH_OWE: Lines = {
    "red": {"pawn": 12, "money": 22000, "member": True, "installed": ["shop"], "loans": [{"lap": 2}]},
    "blue": {"money": 0, "loans": [{"lap": 2}]},
}
"""Red wins with the loan repaid, blue is out when its own falls due."""

AFTER: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = {
    # name: position, acts, what the next position must hold (dotted keys)
    "install pays and pours": (
        position({"red": {"pawn": 8}}),
        [roll(1, 1), DRAW, {"install": "mill"}],
        {
            "red.money": 15000,
            "red.energy": 8,
            "red.green": 11,
            "red.poured": 1,
            "zone.green": 1,
            "red.installed": ["mill"],
        },
    ),
    "an energy infrastructure brings ten units": (
        position({"red": {"pawn": 8, "energy": 0}}),
        [roll(1, 1), DRAW, {"install": "wind"}],
        {"red.money": 11000, "red.energy": 10, "red.green": 11, "red.hand": 3},
    ),
    "what is missing in the Zone is not owed": (
        position({"red": {"pawn": 8}}, zone={"green": 2, "yellow": 1}),
        [roll(1, 1), DRAW, {"install": "park"}],
        {"red.green": 14, "red.poured": -2, "zone.green": 0, "zone.yellow": 1},
    ),
    "taken before poured": (
        position({"red": {"pawn": 8}}, zone={"green": 7, "yellow": 3}),
        [roll(1, 1), DRAW, {"install": "school"}],
        {"red.yellow": 15, "red.green": 11, "zone.green": 8, "zone.yellow": 0, "lost.green": 0},
    ),
    "a discarded card lies on top": (
        position({"red": {"pawn": 8}}, discard=["shop"]),
        [roll(1, 1), DRAW, {"discard": "mill"}],
        {"discard": ["shop", "mill"], "red.hand": 3},
    ),
    "eight and three: ten lost, one lies there": (
        position({"red": {"pawn": 0}}, zone={"green": 8, "yellow": 0}),
        [roll(5, 2), {"order": "yyg"}, {"choose": "green", "by": "blue"}],
        {"zone.green": 2, "zone.yellow": 0, "lost.green": 8, "lost.yellow": 2},
    ),
    "a hazard of one's own": (
        position({"red": {"pawn": 0}}),
        [roll(1, 1), {"hazard": "storm"}],
        {"red.green": 10, "red.money": 18000, "zone.green": 2, "blue.money": 20000},
    ),
    "a hazard for all, in turn": (
        position(zone={"green": 5, "yellow": 4}),
        [roll(1, 1), {"hazard": "plague"}],
        {"red.yellow": 11, "blue.yellow": 11, "zone.yellow": 1, "zone.green": 0, "lost.yellow": 5},
    ),
    "a hazard for the others, from the Zone": (
        position(zone={"green": 0, "yellow": 1}),
        [roll(1, 1), {"hazard": "fair"}],
        {"blue.yellow": 13, "red.yellow": 12, "red.energy": 12, "zone.yellow": 0},
    ),
    "joining costs 5,000, the others 10,000": (
        position(),
        [roll(1, 2), {"join": True, "by": "blue"}, {"join": True}],
        {"red.money": 15000, "blue.money": 10000, "red.member": True, "blue.member": True},
    ),
    "not joining changes nothing": (position(), [roll(1, 2), {"join": False}], {"red.money": 20000}),
    "a member rolls again": (
        position({"red": {"member": True}}),
        [roll(1, 2), roll(1, 5)],
        {"red.pawn": 9, "red.money": 20000},
    ),
    "normal energy": (
        position(),
        [roll(1, 3), {"quiz": "normal", "right": True, "prize": "energy"}],
        {"red.energy": 12},
    ),
    "expert money": (
        position(),
        [roll(1, 3), {"quiz": "expert", "right": True, "prize": "money"}],
        {"red.money": 25000},
    ),
    "a wrong answer": (position(), [roll(1, 3), {"quiz": "expert", "right": False}], {"red.money": 20000}),
    "no answer": (position(), [roll(1, 3)], {"red.money": 20000}),
    "half the tax, fractions dropped": (
        position({"red": {"member": True, "installed": ["farm", "mill", "farm"]}}),
        [roll(2, 3)],
        {"red.money": 20000 - 2501},
    ),
    "no tax without membership, but another roll": (
        position({"red": {"installed": ["farm"]}}),
        [roll(2, 3), roll(2, 2)],
        {"red.pawn": 9, "red.money": 20000},
    ),
    "a catastrophe": (
        position(players="red blue green"),
        [{"choose": "yellow", "by": "green"}, roll(3, 3), {"choose": "green", "by": "blue"}],
        {
            "red.money": 17000,
            "blue.money": 18000,
            "green.money": 16000,
            "red.green": 11,
            "red.yellow": 11,
            "blue.green": 11,
            "green.yellow": 9,
            "zone.green": 2,
            "zone.yellow": 2,
        },
    ),
    "a conflict strikes non-members": (
        position({"green": {"member": True}}, players="red blue green"),
        [roll(3, 4), {"choose": "green", "by": "blue"}],
        {
            "red.money": 15000,
            "red.green": 11,
            "red.yellow": 10,
            "blue.green": 11,
            "blue.money": 20000,
            "green.green": 14,
        },
    ),
    "a conflict and a member": (
        position({"red": {"member": True}}),
        [roll(3, 4), roll(1, 1)],
        {"red.pawn": 9, "red.money": 20000, "zone.green": 0},
    ),
    "a crisis in energy": (position(), [roll(4, 4), {"choose": "energy"}], {"red.energy": 7}),
    "a crisis in money": (position(), [roll(4, 4), {"choose": "money"}], {"red.money": 15000}),
    "a crisis with too little energy": (
        position({"red": {"energy": 1}}),
        [roll(4, 4), {"choose": "energy"}],
        {"red.energy": 0, "red.out": False},
    ),
    "who cannot pay takes loans": (
        position({"red": {"money": 1000}}),
        [roll(4, 4), {"choose": "money"}],
        {"red.money": 16000, "red.loans": [{"lap": 1, "repaid": None}]},
    ),
    "who has no loans left pays what there is": (
        position({"red": {"money": 1000, "loans": [{"lap": 1, "repaid": 1}, {"lap": 1, "repaid": 1}]}}),
        [roll(4, 4), {"choose": "money"}],
        {"red.money": 0, "red.out": False},
    ),
    "a second loan waits for the first": (
        position({"red": {"money": 1000, "loans": [{"lap": 1}]}}, options={"loan_open": "one"}),
        [roll(4, 4), {"choose": "money"}],
        {"red.money": 0, "red.loans": [{"lap": 1, "repaid": None}]},
    ),
    "who cannot pay is out": (
        position({"red": {"money": 1000}}, players="red blue green", options={"cannot_pay": "out"}),
        [roll(4, 4), {"choose": "money"}],
        {"red.out": True, "finished": False, "to_move": "blue"},
    ),
    "a loan right after the roll counts first": (
        position({"red": {"money": 1000}}, options={"cannot_pay": "out"}),
        [roll(4, 4), {"choose": "money"}, {"loan": True}],
        {"red.money": 16000, "red.out": False},
    ),
    "a loan of somebody else": (
        position(),
        [roll(1, 3), {"loan": True, "by": "blue"}],
        {"blue.money": 40000, "blue.loans": [{"lap": 1, "repaid": None}]},
    ),
    "the oldest loan is repaid": (
        position({"red": {"money": 30000, "loans": [{"lap": 1, "repaid": 2}, {"lap": 3}, {"lap": 4}]}}, lap=4),
        [{"repay": True}, roll(1, 3)],
        {
            "red.money": 8000,
            "red.loans": [{"lap": 1, "repaid": 2}, {"lap": 3, "repaid": 4}, {"lap": 4, "repaid": None}],
        },
    ),
    "the lap ends": (
        position({"red": {"pawn": 12, "installed": ["mill", "wind"]}, "blue": {"pawn": 5, "installed": ["shop"]}}),
        [roll(1, 2)],
        {
            "red.pawn": 0,
            "blue.pawn": 0,
            "red.money": 23000,
            "red.energy": 13,
            "blue.money": 21500,
            "zone.yellow": 2,
            "lap": 2,
            "to_move": "blue",
        },
    ),
    "a win by repaying comes before the loans that fall due": (
        position(BOTH_OWE, lap=3, target=1),
        [roll(6, 6), {"repay": True}],
        {"finished": True, "winners": ["red"], "red.money": 1500},
    ),
    "at once the loans that fall due come before the win": (
        position(BOTH_OWE, lap=3, target=1, options={"out_when": "instant"}),
        [roll(6, 6), {"repay": True}],
        {"finished": True, "winners": []},
    ),
    "thrown away before the incomes": (
        position({"red": {"pawn": 12}, "blue": {"installed": ["mill", "shop", "mill"]}}),
        [roll(6, 6), {"abandon": ["mill", "shop"], "by": "blue"}],
        {"blue.money": 23000, "blue.installed": ["mill"], "discard": ["mill", "shop"]},
    ),
    "births overflow": (
        position({"red": {"pawn": 12}}, zone={"green": 9, "yellow": 0}),
        [roll(6, 6)],
        {"zone.green": 0, "zone.yellow": 1, "lost.green": 9, "lost.yellow": 1, "blue.poured": 0},
    ),
    "incomes may pay the loan": (
        position({"red": {"pawn": 12, "money": 19000, "installed": ["mill"], "loans": [{"lap": 1}]}}, lap=2),
        [roll(6, 6), {"repay": True}],
        {"red.money": 0, "red.out": False, "red.loans": [{"lap": 1, "repaid": 2}], "lap": 3},
    ),
    "a loan to repay a loan": (
        position({"red": {"pawn": 12, "money": 3000, "loans": [{"lap": 1}]}}, lap=2),
        [roll(6, 6), {"loan": True}, {"repay": True}],
        {"red.money": 1000, "red.loans": [{"lap": 1, "repaid": 2}, {"lap": 2, "repaid": None}], "red.out": False},
    ),
    "a loan due": (
        position(
            {"red": {"pawn": 12}, "blue": {"loans": [{"lap": 1}], "installed": ["mill"]}},
            lap=2,
            players="red blue green",
        ),
        [roll(6, 6)],
        {"blue.out": True, "discard": ["mill"], "finished": False, "to_move": "green", "lap": 3},
    ),
    "a loan not due yet": (
        position({"red": {"pawn": 12}, "blue": {"loans": [{"lap": 2}]}}, lap=2),
        [roll(6, 6)],
        {"blue.out": False, "finished": False},
    ),
    "two players, one out: lost": (
        position({"red": {"pawn": 12}, "blue": {"loans": [{"lap": 1}]}}, lap=2),
        [roll(6, 6)],
        {"blue.out": True, "finished": True, "winners": []},
    ),
    "used up": (
        position({"red": {"green": 1}}, players="red blue green"),
        [roll(3, 3), {"choose": "green", "by": "blue"}, {"choose": "green", "by": "green"}],
        {"red.out": True, "finished": False, "to_move": "blue"},
    ),
    "the second elimination of three": (
        position({"red": {"green": 1}, "blue": {"out": True}}, players="red blue green"),
        [roll(3, 3), {"choose": "green", "by": "green"}],
        {"finished": True, "winners": []},
    ),
    "no more poured than is there": (
        position({"red": {"yellow": 1}}, players="red blue green"),
        [roll(3, 4), {"choose": "green", "by": "blue"}, {"choose": "green", "by": "green"}],
        {"zone.yellow": 1, "zone.green": 3, "red.out": True},
    ),
    "the win comes before the elimination": (
        position({"red": {"pawn": 8, "green": 1, "member": True, "installed": ["shop"]}}, target=2),
        [roll(1, 1), DRAW, {"install": "mill"}],
        {"finished": True, "winners": ["red"], "red.green": 0},
    ),
    "at once the elimination comes before the win": (
        position(
            {"red": {"pawn": 8, "green": 1, "member": True, "installed": ["shop"]}},
            target=2,
            options={"out_when": "instant"},
        ),
        [roll(1, 1), DRAW, {"install": "mill"}],
        {"finished": True, "winners": [], "red.out": True},
    ),
    "a win by repaying, before the dice": (
        position({"blue": {"money": 30000, "member": True, "installed": ["shop"], "loans": [{"lap": 1}]}}, target=1),
        [{"repay": True, "by": "blue"}],
        {"finished": True, "winners": ["blue"], "blue.money": 8000},
    ),
    "what is declared after a win is not looked at": (
        position({"red": {"money": 30000, "member": True, "installed": ["shop"], "loans": [{"lap": 1}]}}, target=1),
        [{"repay": True}, roll(1, 1), {"draw": "energy"}, {"join": True}, {"choose": "green"}],
        {"finished": True, "winners": ["red"], "red.pawn": 0},
    ),
    "a win cuts a turn short": (
        position(
            {
                "red": {"pawn": 8},
                "blue": {"money": 30000, "member": True, "installed": ["shop"], "loans": [{"lap": 1}]},
            },
            target=1,
        ),
        [roll(1, 1), DRAW, {"order": "gy"}, {"repay": True, "by": "blue"}],
        {"finished": True, "winners": ["blue"], "red.hand": 4},
    ),
    "the next player wins first": (
        position(
            {
                "red": {"member": True, "installed": ["shop"]},
                "blue": {"member": True, "installed": ["shop"]},
                "green": {"money": 1},
            },
            players="red blue green",
            target=1,
        ),
        [{"count": {"money": 1}, "by": "green"}],
        {"finished": True, "winners": ["blue"]},
    ),
    "players who are out are passed over": (
        position({"blue": {"out": True}}, players="red blue green"),
        [roll(1, 3)],
        {"to_move": "green", "turn": 2},
    ),
    "a hazard nobody can put in entries": (
        position(),
        [roll(1, 1), {"hazard": "riddle"}, {"count": {"money": 7}}],
        {"red.money": 7, "zone.green": 0},
    ),
    "a count that agrees": (
        position(),
        [{"count": {"money": 20000, "energy": 10}}, roll(1, 3)],
        {"red.money": 20000},
    ),
}


def found(data: dict[str, Any], key: str) -> Any:
    head, _, name = key.partition(".")
    if not name:
        return data[head]
    return (data["ledger"][head] if head in data["ledger"] else data[head])[name]


@pytest.mark.parametrize("name", AFTER)
def test_a_legal_turn(name: str) -> None:
    before, acts, wanted = AFTER[name]
    told = ruled(before, acts)
    assert told["legal"] is True, told["violations"]
    assert {key: found(told["next"], key) for key in wanted} == wanted
    assert told["turn"]["acts"] == acts
    assert told["alternatives"] == []
    assert told["finished"] == told["next"]["finished"]


ORDERS = {
    # an order of pouring nobody declared is found by the Zone seen: 9 places taken, one green and one yellow poured
    "green went into the last place": ({"green": 0, "yellow": 2}, {"green": 6, "yellow": 4}),
    "yellow went into the last place": ({"green": 1, "yellow": 1}, {"green": 5, "yellow": 5}),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_is_found_by_the_zone_seen(name: str) -> None:
    seen, lost = ORDERS[name]
    acts = [roll(3, 3), {"choose": "yellow", "by": "blue"}]
    told = ruled(position(zone={"green": 5, "yellow": 4}), acts, zone=seen)
    assert told["legal"] is True
    assert (told["next"]["zone"], told["next"]["lost"]) == (seen, lost)


def test_green_goes_first_where_nothing_is_seen() -> None:
    acts = [roll(3, 3), {"choose": "yellow", "by": "blue"}]
    assert ruled(position(zone={"green": 5, "yellow": 4}), acts)["next"]["zone"] == {"green": 0, "yellow": 2}


def test_a_free_hazard_takes_over_what_is_seen() -> None:
    told = ruled(position(), [roll(1, 1), {"hazard": "riddle"}], zone={"green": 4, "yellow": 3})
    assert told["next"]["zone"] == {"green": 4, "yellow": 3}


def test_repayments_may_be_booked_before_the_incomes() -> None:
    lines = {"red": {"pawn": 12, "money": 22000, "installed": ["mill"], "loans": [{"lap": 1}]}}
    before = position(lines, lap=2, options={"loan_due": "before-income"})
    entries = ruled(before, [roll(6, 6), {"count": {"money": 3000}}, {"repay": True}])["turn"]["entries"]
    assert [entry["rule"] for entry in entries] == ["loan.repay", "lap.income", "lap.births"]
