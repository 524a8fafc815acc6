"""Give a turn that breaks each rule."""

from __future__ import annotations

from typing import Any

from tests.games.terrabilis.positions import position, roll

DRAW = {"draw": "social"}


PRIZE = {"quiz": "normal", "right": True, "prize": "money"}


REPAID_TWICE = [{"lap": 1, "repaid": 1}, {"lap": 1, "repaid": 1}]


ON_DEVELOP = position({"red": {"pawn": 8}})


BROKEN: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any], list[list[str]]]] = {
    "a count": (position(), [roll(1, 3), {"count": {"money": 1}}], {}, [["ledger.count"]]),
    "a count after a prize": (
        position(),
        [roll(1, 3), PRIZE, {"count": {"money": 1}}],
        {},
        [["ledger.count"], ["entry.exact"], ["quiz.prize"]],
    ),
    "a count before the prize": (position(), [{"count": {"money": 1}}, roll(1, 3), PRIZE], {}, [["ledger.count"]]),
    "a count after a loan": (
        position(),
        [roll(1, 3), {"loan": True}, {"count": {"money": 1}}],
        {},
        [["ledger.count"], ["entry.exact"], ["loan.take"]],
    ),
    "a count after an income": (
        position({"red": {"pawn": 12, "installed": ["mill"]}}),
        [roll(6, 6), {"count": {"money": 1}}],
        {},
        [["ledger.count"], ["entry.exact"], ["lap.income"]],
    ),
    "two counts": (
        position(),
        [roll(1, 3), {"count": {"money": 1, "green": 1}}, {"count": {"yellow": 3}, "by": "blue"}],
        {},
        [["ledger.count"]],
    ),
    "the Zone": (position(), [roll(1, 3)], {"zone": {"green": 1}}, [["zone.seen"]]),
    "the Zone after a pour": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, {"install": "coal"}],
        {"zone": {"green": 1, "yellow": 1}},
        [["zone.seen"], ["entry.exact"], ["zone.pour"], ["develop.impact"]],
    ),
    "the Zone after a take of nothing": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, {"install": "park"}],
        {"zone": {"green": 2, "yellow": 2}},
        [["zone.seen"], ["entry.exact"], ["zone.take"], ["develop.impact"]],
    ),
    "the Zone after an overflow": (
        position({"red": {"pawn": 12}}, zone={"green": 9}),
        [roll(6, 6)],
        {"zone": {"green": 9, "yellow": 2}},
        [["zone.seen"], ["entry.exact"], ["zone.pour"], ["zone.overflow"], ["lap.births"]],
    ),
    "a pawn": (position(), [roll(1, 3)], {"pawns": {"blue": 1}}, [["pawn.seen"]]),
    "the own pawn": (position(), [roll(1, 3)], {"pawns": {"red": 9}}, [["pawn.seen"], ["roll.move"]]),
    "pawns at a lap's end": (
        position({"red": {"pawn": 12}}),
        [roll(6, 6)],
        {"pawns": {"blue": 4}, "zone": {"green": 0, "yellow": 2}},
        [["pawn.seen"], ["lap.pawns"]],
    ),
    "cards": (position(), [roll(1, 3)], {"installed": {"red": 1}}, [["cards.seen"]]),
    "which cards": (
        position({"red": {"installed": ["mill", "shop"]}}),
        [roll(1, 3)],
        {"installed": {"red": ["mill", "farm"]}},
        [["cards.seen"]],
    ),
    "dice": (position(), [roll(1, 3)], {"dice": [1, 4]}, [["roll.move"]]),
    "an order of other counters": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, {"install": "coal"}, {"order": "ggy"}],
        {},
        [["zone.order"]],
    ),
    "an order nobody asked for": (position(), [roll(1, 3), {"order": "gy"}], {}, [["zone.order"]]),
    "no card drawn": (ON_DEVELOP, [roll(1, 1), {"install": "shop"}], {}, [["hand.three", "develop.one"]]),
    "two cards drawn": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, DRAW, {"install": "shop"}],
        {},
        [["hand.three", "develop.one"]],
    ),
    "installed and discarded": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, {"install": "shop"}, {"discard": "mill"}],
        {},
        [["hand.three", "develop.one"]],
    ),
    "nothing done": (ON_DEVELOP, [roll(1, 1)], {}, [["develop.one"]]),
    "drawn elsewhere": (position(), [roll(1, 3), DRAW, {"discard": "mill"}], {}, [["develop.one"]]),
    "drawn by somebody else": (
        ON_DEVELOP,
        [roll(1, 1), DRAW, {"discard": "mill"}, {"draw": "energy", "by": "blue"}],
        {},
        [["develop.one"]],
    ),
    "four cards from before": (position({"red": {"hand": 4}}), [roll(1, 3)], {}, [["hand.three"]]),
    "no hazard": (position(), [roll(1, 1)], {}, [["hazard.card"]]),
    "two hazards": (position(), [roll(1, 1), {"hazard": "storm"}, {"hazard": "storm"}], {}, [["hazard.card"]]),
    "two hazards, one seen": (
        position(),
        [roll(1, 1), {"hazard": "storm"}, {"hazard": "storm"}],
        {"zone": {"green": 2, "yellow": 0}},
        [["hazard.card"]],
    ),
    "no hazard, but its counters": (
        position(),
        [roll(1, 1)],
        {"zone": {"green": 2, "yellow": 0}},
        [["zone.seen", "hazard.card"]],
    ),
    "a hazard elsewhere": (position(), [roll(1, 3), {"hazard": "storm"}], {}, [["hazard.card"]]),
    "a prize elsewhere": (position({"red": {"pawn": 5}}), [roll(2, 2), PRIZE], {}, [["quiz.prize"]]),
    "two prizes": (position(), [roll(1, 3), PRIZE, PRIZE | {"prize": "energy"}], {}, [["quiz.prize"]]),
    "a crisis not paid": (position(), [roll(4, 4)], {}, [["crisis.pay"]]),
    "a crisis paid in counters": (position(), [roll(4, 4), {"choose": "green"}], {}, [["crisis.pay"]]),
    "a crisis paid twice": (
        position(),
        [roll(4, 4), {"choose": "energy"}, {"choose": "energy"}],
        {},
        [["crisis.pay"]],
    ),
    "a catastrophe without a choice": (position(), [roll(3, 3)], {}, [["catastrophe.all"]]),
    "a catastrophe with a strange choice": (
        position(),
        [roll(3, 3), {"choose": "money", "by": "blue"}],
        {},
        [["catastrophe.all"]],
    ),
    "a conflict and a member's choice": (
        position({"blue": {"member": True}}),
        [roll(3, 4), {"choose": "green", "by": "blue"}],
        {},
        [["conflict.war"]],
    ),
    "a choice on a quiet space": (
        position({"red": {"pawn": 5}}),
        [roll(2, 2), {"choose": "green"}],
        {},
        [["entry.exact"]],
    ),
    "a choice at a lap's end": (
        position({"red": {"pawn": 12}}),
        [roll(6, 6), {"choose": "green"}],
        {},
        [["entry.exact"]],
    ),
    "joining elsewhere": (position(), [roll(1, 3), {"join": True}], {}, [["alliance.join"]]),
    "joining twice": (position(), [roll(1, 2), {"join": True}, {"join": True}], {}, [["alliance.join"]]),
    "joining where a member landed": (
        position({"red": {"member": True}}),
        [roll(1, 2), roll(1, 5), {"join": True, "by": "blue"}],
        {},
        [["alliance.join"]],
    ),
    "joining too dear": (
        position({"blue": {"money": 9000}}),
        [roll(1, 2), {"join": True, "by": "blue"}],
        {},
        [["pay.cover"]],
    ),
    "joining elsewhere and too dear": (
        position({"blue": {"money": 9000}}),
        [roll(1, 3), {"join": True, "by": "blue"}],
        {},
        [["alliance.join", "pay.cover"]],
    ),
    "a card too dear": (
        position({"red": {"pawn": 8, "money": 1, "energy": 0}}),
        [roll(1, 1), DRAW, {"install": "mill"}],
        {},
        [["pay.cover"]],
    ),
    "energy missing before the plant brings it": (
        position({"red": {"pawn": 8, "energy": 1}}),
        [roll(1, 1), DRAW, {"install": "mill"}],
        {},
        [["pay.cover"]],
    ),
    "no roll again": (position({"red": {"member": True}}), [roll(1, 2)], {}, [["roll.again"]]),
    "a roll too many": (position(), [roll(1, 3), roll(2, 3)], {}, [["roll.again"]]),
    "past Start": (
        position({"red": {"pawn": 12}}),
        [roll(2, 2), DRAW, {"discard": "mill"}],
        {"pawns": {"red": 1}},
        [["lap.stop"]],
    ),
    "past Start and elsewhere": (
        position({"red": {"pawn": 12}}),
        [roll(3, 4), DRAW, {"discard": "mill"}],
        {},
        [["develop.one", "lap.stop"]],
    ),
    "a roll after the lap's end": (
        position({"red": {"pawn": 12}}),
        [roll(3, 4), roll(2, 3)],
        {},
        [["roll.again", "lap.stop"]],
    ),
    "thrown away away from a lap's end": (
        position({"red": {"installed": ["mill"]}}),
        [roll(1, 3), {"abandon": ["mill"]}],
        {},
        [["lap.abandon"]],
    ),
    "thrown away and still there": (
        position({"red": {"installed": ["mill"]}}),
        [roll(1, 3), {"abandon": ["mill"]}],
        {"installed": {"red": 1}},
        [["cards.seen", "lap.abandon"]],
    ),
    "thrown away what is not there": (
        position({"red": {"pawn": 12, "installed": ["mill"]}}),
        [roll(6, 6), {"abandon": ["mill", "mill"]}],
        {},
        [["lap.abandon"]],
    ),
    "a third loan": (position({"red": {"loans": REPAID_TWICE}}), [roll(1, 3), {"loan": True}], {}, [["loan.take"]]),
    "a second open loan": (
        position({"red": {"loans": [{"lap": 1}]}}, options={"loan_open": "one"}),
        [roll(1, 3), {"loan": True}],
        {},
        [["loan.take"]],
    ),
    "a loan of one who is out": (
        position({"blue": {"out": True}}, players="red blue green"),
        [roll(1, 3), {"loan": True, "by": "blue"}],
        {},
        [["loan.take"]],
    ),
    "joining out of the game": (
        position({"blue": {"out": True, "money": 20000}}, players="red blue green"),
        [roll(1, 2), {"join": True, "by": "blue"}],
        {},
        [["alliance.join"]],
    ),
    "nothing to repay": (position({"red": {"money": 30000}}), [{"repay": True}, roll(1, 3)], {}, [["loan.repay"]]),
    "nothing to repay it with": (
        position({"red": {"loans": [{"lap": 1}]}}),
        [{"repay": True}, roll(1, 3)],
        {},
        [["pay.cover"]],
    ),
    "not covered before the incomes": (
        position(
            {"red": {"pawn": 12, "money": 19000, "installed": ["mill"], "loans": [{"lap": 1}]}},
            lap=2,
            options={"loan_due": "before-income"},
        ),
        [roll(6, 6), {"repay": True}],
        {},
        [["pay.cover"]],
    ),
    "somebody else's turn": (position(), [roll(1, 3, by="blue"), PRIZE], {}, [["turn.order"]]),
    "somebody else's turn, and acts before the roll": (
        position({"blue": {"money": 30000, "loans": [{"lap": 1}]}}),
        [{"repay": True}, roll(1, 3, by="blue")],
        {},
        [["turn.order"]],
    ),
    "a second roll by somebody else": (
        position({"red": {"member": True}}),
        [roll(1, 2), roll(1, 5, by="blue")],
        {},
        [["turn.order"]],
    ),
    "the pawn went another way": (
        position({"red": {"member": True}}),
        [roll(1, 2), {"choose": "energy"}],
        {"pawns": {"red": 8}},
        [["roll.move"]],
    ),
    "two things at once": (
        position(),
        [roll(1, 3), {"count": {"money": 5}}],
        {"pawns": {"blue": 3}, "zone": {"yellow": 2}},
        [["ledger.count", "zone.seen", "pawn.seen"]],
    ),
}
