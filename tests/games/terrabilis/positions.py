"""A small invented copy, positions on it, and short ways to rule on a turn."""

from __future__ import annotations

from typing import Any

from referee.games.terrabilis.answer import answer, parse_case
from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.reading import parse_copy
from referee.games.terrabilis.declared.acts import TurnCase

TRACK = [
    *("start", "develop", "hazard", "alliance", "quiz"),
    *("co2", "catastrophe", "conflict", "crisis", "blank"),
    *("develop", "quiz", "hazard", "develop", "alliance"),
]
"""Space by space: 1 develop, 2 hazard, 3 alliance, 4 quiz, 5 co2, 6 catastrophe, 7 conflict, 8 crisis, 9 blank."""


def card(ident: str, kind: str, price: int, energy: int, green: int, yellow: int, **more: Any) -> dict[str, Any]:
    plain = {"income": 0, "energy_income": 0, "co2": 0, "tags": []}
    named = {"id": ident, "name": ident.capitalize(), "kind": kind, "copies": 4}
    impact = {"price": price, "energy_cost": energy, "green": green, "yellow": yellow}
    return named | impact | plain | more


COPY: dict[str, Any] = {
    "copy": "tiny",
    "track": TRACK,
    "countries": {
        "red": {"money": 20000, "energy": 10, "green": 12, "yellow": 12},
        "blue": {"money": 20000, "energy": 10, "green": 12, "yellow": 12},
        "green": {"money": 18000, "energy": 8, "green": 14, "yellow": 10},
        "yellow": {"money": 22000, "energy": 6, "green": 10, "yellow": 14},
    },
    "infrastructures": [
        card("mill", "economic", 5000, 2, -1, 0, income=3000, co2=1000),
        card("farm", "economic", 8000, 2, -2, -2, income=6000, co2=2001, tags=["intensive-agriculture"]),
        card("shop", "economic", 3000, 1, 0, 0, income=1500),
        card("park", "social", 3000, 0, 3, 0),
        card("school", "social", 4000, 1, -1, 3),
        card("coal", "energy", 4000, 0, -4, -1, co2=4000, tags=["fossil"]),
        card("wind", "energy", 9000, 0, -1, 0, energy_income=3, tags=["renewable"]),
    ],
    "hazards": [
        {"id": "storm", "name": "Storm", "entries": [{"who": "self", "green": -2, "money": -2000}]},
        {"id": "plague", "name": "Plague", "entries": [{"who": "all", "yellow": -1}]},
        {"id": "harvest", "name": "Harvest", "entries": [{"who": "self", "green": 2, "money": 3000}]},
        {"id": "strike", "name": "Strike", "entries": [{"who": "self", "yellow": -2, "energy": -2}]},
        {"id": "fair", "name": "Fair", "entries": [{"who": "others", "yellow": 1}, {"who": "self", "energy": 2}]},
        {"id": "flood", "name": "Flood", "entries": [{"who": "all", "green": -1, "yellow": -1}]},
        {"id": "riddle", "name": "Riddle", "free": True},
    ],
    "alliance": {"text": "Members pay half.", "modifiers": [{"space": "co2", "factor": 0.5}]},
    "stock": {"green": 100, "yellow": 100},
}


def the_copy() -> GameCopy:
    return parse_copy(COPY)


def position(
    lines: dict[str, dict[str, Any]] | None = None, players: str = "red blue", **changes: Any
) -> dict[str, Any]:
    """Return a position of the tiny copy: lines and keys as given, the rest as at the start."""
    order = players.split()
    return {
        "game": "terrabilis",
        "edition": "fr",
        "copy": "tiny",
        "players": order,
        "first": order[0],
        "to_move": order[0],
        "ledger": lines or {},
    } | changes


def request(before: dict[str, Any], acts: list[dict[str, Any]], **seen: Any) -> dict[str, Any]:
    return {"position": before, "copy": COPY, "declared": acts, "observed": seen}


def case(before: dict[str, Any], acts: list[dict[str, Any]], **seen: Any) -> TurnCase:
    return parse_case(request(before, acts, **seen))


def ruled(before: dict[str, Any], acts: list[dict[str, Any]], **seen: Any) -> dict[str, Any]:
    return answer(request(before, acts, **seen))


def sets_of(found: dict[str, Any]) -> list[list[str]]:
    """Return the smallest sets of an illegal turn, the preferred one first."""
    named = list(dict.fromkeys(violation["rule"] for violation in found["violations"]))
    return [named, *found["alternatives"]]


def roll(first: int, second: int, by: str | None = None) -> dict[str, Any]:
    return {"roll": [first, second]} | ({"by": by} if by else {})
