"""The kinds of tables the tests play at: what ``positions.position`` is to make."""

from __future__ import annotations

from typing import Any

TABLES: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"players": 3},
    "two": {"players": 2},
    "pro": {"variants": ["pro"]},
    "team": {"variants": ["team"], "teams": [["red", "yellow"], ["green", "blue"]]},
    "line": {"options": {"exterior": "line"}},
    "French four": {"edition": "ludibay-fr"},
    "French three, no returns": {
        "edition": "ludibay-fr",
        "players": 3,
        "options": {"returned_cubes": "forbidden"},
    },
    "French two": {"edition": "ludibay-fr", "players": 2},
    "Burgenland": {"edition": "ludibay-fr", "variants": ["burgenland"], "captures_open": True},
}

EVERY_TABLE: dict[str, dict[str, Any]] = TABLES | {
    "handicap": {"variants": ["handicap"]},
    "two opposite": {"players": 2, "seats": {"nw": "red", "ne": "blue", "se": "red", "sw": "blue"}},
    "pro of two": {"players": 2, "variants": ["pro"]},
    "team and handicap": {
        "variants": ["team", "handicap"],
        "teams": [["red", "blue"], ["green", "yellow"]],
    },
    "Burgenland closed": {"edition": "ludibay-fr", "players": 3, "variants": ["burgenland"]},
}
