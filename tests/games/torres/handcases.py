"""Give turns worked out by hand."""

from __future__ import annotations

from typing import Any

from tests.games.torres.tables import BEFORE

Expected = int | list[list[str]]


CASES: dict[str, tuple[dict[str, Any], Expected]] = {
    "nothing is done": ({}, 0),
    "a block on the own castle": ({"change": {"A2": "2"}}, 1),
    "a block beside a castle": ({"change": {"C1": "1"}}, 1),
    "a step": ({"change": {"A1": "1", "A2": "1b"}}, 1),
    "a knight is placed": ({"change": {"B1": "1b"}}, 2),
    "a knight is placed lower": ({"change": {"A1": "1", "C1": "0b"}, "declared": {"points": 3}}, 2),
    "a knight placed and one higher": (
        {"change": {"A2": "2b"}, "declared": {"points": 2}},
        [["build.occupied"], ["ap.budget"], ["knight.place"]],
    ),
    "a block far from any castle": ({"change": {"C7": "1"}}, [["build.new"]]),
    "a castle too high": ({"change": {"A8": "2"}}, [["build.height"]]),
    "two castles joined": ({"change": {"G8": "1"}}, [["build.join"]]),
    "built on a foreign knight": ({"change": {"D4": "2o"}}, [["build.occupied"], ["turn.order"]]),
    "built on an own knight, no time to step aside": (
        {"change": {"A1": "2b"}, "declared": {"points": 3}},
        [["build.occupied"], ["ap.budget"]],
    ),
    "built after stepping aside": ({"change": {"A1": "2b"}}, 3),
    "four blocks": ({"change": {"A2": "3", "B1": "2", "C1": "1"}}, [["build.supply"]]),
    "four blocks from a stack of two": (
        {
            "change": {"A2": "2", "B1": "2", "C1": "1"},
            "stacks": {"blue": [3, 2], "orange": [3]},
            "declared": {"stack": 2},
        },
        [["build.supply"], ["turn.order"]],
    ),
    "two levels up": (
        {"change": {"A1": "1", "A2": "3b"}, "before": BEFORE | {"A2": "3"}},
        [["knight.climb"], ["knight.step"]],
    ),
    "two levels up, card held": (
        {"change": {"A1": "1", "A2": "3b"}, "before": BEFORE | {"A2": "3"}, "held": 1},
        [["card.declared"], ["knight.climb"], ["knight.step"]],
    ),
    "a leap declared": (
        {"change": {"A1": "1", "A2": "3b"}, "before": BEFORE | {"A2": "3"}, "held": 1, "declared": {"card": "leap"}},
        0,
    ),
    "a leap of three": (
        {
            "change": {"A1": "1", "A2": "4b"},
            "before": BEFORE | {"A2": "4"},
            "held": 1,
            "declared": {"card": "leap", "points": 3},
        },
        [["knight.climb"], ["card.leap"]],
    ),
    "through the doors": (
        {"change": {"A1": "0", "C2": "0b"}, "before": BEFORE | {"A1": "0b"}, "declared": {"points": 4}},
        [["ap.budget"], ["knight.step"]],
    ),
    "through the doors, up": (
        {
            "change": {"C1": "0", "A1": "1b"},
            "before": BEFORE | {"A1": "1", "A2": "2", "B1": "2", "C1": "0b"},
            "declared": {"points": 4},
        },
        [["knight.door"], ["knight.step"]],
    ),
    "through the doors, up, by card": (
        {
            "change": {"C1": "0", "A1": "1b"},
            "before": BEFORE | {"A1": "1", "A2": "2", "B1": "2", "C1": "0b"},
            "declared": {"points": 4, "card": "door"},
            "held": 1,
        },
        0,
    ),
    "over a piece": (
        {
            "change": {"C4": "0", "F4": "0b"},
            "before": {k: v for k, v in BEFORE.items() if k != "A1"}
            | {"A1": "1", "C4": "0b", "D5": "0", "D3": "0o", "C3": "0o", "E4": "0", "D4": "0o", "C5": "0o"},
            "declared": {"points": 2},
        },
        [["knight.blocked"], ["knight.step"]],
    ),
    "a jump": (
        {
            "change": {"C4": "0", "E4": "1b"},
            "before": BEFORE | {"A1": "1", "C4": "0b", "E4": "1"},
            "held": 1,
            "declared": {"card": "jump", "points": 5},
        },
        0,
    ),
    "a jump over the king": (
        {
            "change": {"C4": "0", "E4": "1b"},
            "before": BEFORE | {"A1": "1", "C4": "0b", "E4": "1", "D4": "1k", "H8": "1o"},
            "held": 1,
            "declared": {"card": "jump", "points": 5},
        },
        [["card.declared"], ["ap.budget"], ["card.jump"]],
    ),
    "a jump over the king, allowed": (
        {
            "change": {"C4": "0", "E4": "1b"},
            "before": BEFORE | {"A1": "1", "C4": "0b", "E4": "1", "D4": "1k", "H8": "1o"},
            "held": 1,
            "declared": {"card": "jump", "points": 5},
            "options": {"jump_over": "any"},
        },
        0,
    ),
    "a step of two fields": (
        {"change": {"A1": "1", "A3": "0b"}, "declared": {"points": 4}},
        [["ap.budget"], ["knight.step"]],
    ),
    "a knight far away from all": ({"change": {"H2": "0b"}}, [["ap.budget"], ["knight.step"], ["knight.place"]]),
    "a knight higher than its own": (
        {"change": {"B1": "2b"}, "before": BEFORE | {"B1": "2"}, "declared": {"points": 3}},
        [["ap.budget"], ["knight.place"]],
    ),
    "a knight is gone": ({"change": {"A1": "1"}}, [["knight.supply"]]),
    "a seventh knight": (
        {"change": {"G1": "0b"}, "before": BEFORE | {f"{c}3": "0b" for c in "ABCDE"}},
        [["knight.supply"]],
    ),
    "the king moved": ({"change": {"H8": "1", "F8": "1k"}}, [["king.still"]]),
    "the king gone": ({"change": {"H8": "1"}}, [["king.still"]]),
    "a block gone": ({"change": {"A2": "0"}}, [["blocks.fixed"]]),
    "two blocks gone": ({"change": {"A2": "0", "H1": "0"}}, [["blocks.fixed"]]),
    "two blocks gone and one more laid": ({"change": {"A2": "0", "H1": "0", "D5": "2"}}, [["blocks.fixed"]]),
    "a foreign knight moved": ({"change": {"D4": "1", "D5": "1o"}}, [["turn.order"], ["knight.own"]]),
    "a foreign knight gone": ({"change": {"D4": "1"}}, [["knight.own"]]),
    "a foreign knight of another colour": (
        {"change": {"D4": "1r"}, "players": ["blue", "orange", "red"]},
        [["knight.own"]],
    ),
    "six points": (
        {"change": {"A1": "1", "A2": "3b"}, "declared": {"points": 2}},
        [["build.occupied"], ["knight.climb"]],
    ),
    "six points by card": ({"change": {"A2": "2"}, "held": 1, "declared": {"points": 5, "card": "ap6"}}, 1),
    "seven points by card": ({"change": {"A2": "2"}, "held": 1, "declared": {"points": 6, "card": "ap7"}}, 1),
    "no card held": ({"change": {"A2": "2"}, "declared": {"card": "leap"}}, [["card.held"]]),
    "a card bought in the same turn": ({"declared": {"card": "leap", "bought": 1}}, [["card.fresh"]]),
    "a kind played out": (
        {"declared": {"card": "leap"}, "cards": {"blue": {"held": 2, "played": ["leap"] * 4}}},
        [["card.held"]],
    ),
    "a kind played out by the player": (
        {"declared": {"card": "leap"}, "cards": {"blue": {"held": 2, "played": ["leap"]}}, "variants": ["own-deck"]},
        [["card.held"]],
    ),
    "a kind played by another": (
        {
            "declared": {"card": "leap"},
            "cards": {"orange": {"held": 0, "played": ["leap"]}, "blue": {"held": 2, "played": []}},
            "variants": ["own-deck"],
        },
        0,
    ),
    "three cards bought": ({"declared": {"bought": 3}}, [["card.buy"]]),
    "a card bought in the master game": ({"declared": {"bought": 1}, "variants": ["master"]}, [["card.buy"]]),
    "two cards played": (
        {
            "change": {"A1": "1", "A2": "3b", "C7": "1"},
            "before": BEFORE | {"A2": "3"},
            "held": 2,
            "declared": {"card": "leap", "points": 5},
        },
        [["build.new", "ap.budget"]],
    ),
    "a block shifted": ({"change": {"A2": "0", "C7": "1"}, "held": 1, "declared": {"card": "shift"}}, 0),
    "a block shifted from under a knight": (
        {"change": {"A1": "0b", "C7": "1"}, "held": 1, "declared": {"card": "shift", "points": 5}},
        [["card.shift"], ["blocks.fixed"]],
    ),
    "a block shifted and built again": (
        {"change": {"C7": "1"}, "held": 1, "declared": {"card": "shift", "points": 4}},
        1,
    ),
    "a castle split by a shift": (
        {
            "change": {"D5": "1", "E4": "2", "D4": "0", "C7": "1"},
            "before": BEFORE | {"D4": "1", "E5": "0", "D1": "1o", "E4": "1"},
            "held": 1,
            "declared": {"card": "shift", "points": 5},
        },
        [["card.declared", "blocks.fixed"], ["ap.budget", "card.shift"], ["ap.budget", "blocks.fixed"]],
    ),
    "fewer than six castles by a shift": (
        {
            "change": {"A8": "0", "A3": "1"},
            "before": {k: v for k, v in BEFORE.items() if k not in ("F8",)},
            "held": 1,
            "declared": {"card": "shift", "points": 5},
        },
        [["card.shift"], ["blocks.fixed"]],
    ),
    "a block too high by a shift": (
        {"change": {"A2": "0", "F8": "2"}, "held": 1, "declared": {"card": "shift", "points": 5}},
        [["card.shift"], ["blocks.fixed"]],
    ),
    "castles joined by a shift": (
        {"change": {"A2": "0", "G8": "1"}, "held": 1, "declared": {"card": "shift", "points": 5}},
        [["card.shift"], ["blocks.fixed"]],
    ),
    "a diagonal step": (
        {"change": {"A1": "1", "B2": "0b"}, "held": 1, "declared": {"card": "diagonal", "points": 5}},
        0,
    ),
    "a diagonal step too high": (
        {
            "change": {"A1": "1", "B2": "4b"},
            "before": BEFORE | {"B2": "4"},
            "held": 1,
            "declared": {"card": "diagonal", "points": 5},
        },
        [["knight.climb"], ["card.diagonal"]],
    ),
    "a block from the reserve": ({"change": {"A2": "2"}, "held": 1, "declared": {"card": "extra", "points": 5}}, 0),
    "a block from an empty reserve": (
        {"change": {"A2": "2"}, "held": 1, "declared": {"card": "extra", "points": 5}, "reserve": 0},
        [["card.declared"], ["ap.budget"], ["card.extra"]],
    ),
    "a block under a knight": ({"change": {"A1": "2b"}, "held": 1, "declared": {"card": "under", "points": 5}}, 0),
    "a block under a knight founds a castle": (
        {
            "change": {"C7": "1b"},
            "before": BEFORE | {"A1": "1", "C7": "0b"},
            "held": 1,
            "declared": {"card": "under", "points": 5},
        },
        0,
    ),
    "a block under a knight, no supply": (
        {
            "change": {"A1": "2b"},
            "held": 1,
            "declared": {"card": "under", "points": 5},
            "stacks": {"blue": [], "orange": [3]},
        },
        [["build.supply"]],
    ),
    "a block under nobody": (
        {"change": {"C7": "1"}, "held": 1, "declared": {"card": "under", "points": 5}},
        [["card.under"]],
    ),
    "a knight placed anew": (
        {
            "change": {"A1": "1", "D2": "0b"},
            "before": BEFORE | {"D1": "0b"},
            "held": 1,
            "declared": {"card": "relocate", "points": 5},
        },
        0,
    ),
    "a knight placed anew in the open": (
        {
            "change": {"A1": "1", "H5": "0b"},
            "before": BEFORE | {"D1": "0b"},
            "held": 1,
            "declared": {"card": "relocate", "points": 5},
        },
        [["knight.place"], ["card.relocate"]],
    ),
    "a card act has its price": (
        {
            "change": {"A1": "1", "D2": "0b"},
            "before": BEFORE | {"D1": "0b"},
            "held": 1,
            "declared": {"card": "relocate", "points": 4},
            "options": {"card_cost": "act"},
        },
        [["ap.budget"], ["knight.step"]],
    ),
    "the wrong player": ({"change": {"D4": "1", "D5": "1o", "A2": "2"}}, [["turn.order"], ["knight.own"]]),
}
