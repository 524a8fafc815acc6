"""What the banker's page, the referee and the form of a copy say of a few turns that say most of it, word for word.

``python -m tests.games.terrabilis.golden`` writes golden.json anew: read the difference before it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.games.contract import RequestError
from referee.games.terrabilis.engine import GAME
from tests.games.terrabilis.positions import COPY, position

PATH = Path(__file__).with_name("golden.json")
RICH = {"money": 60_000, "energy": 20, "green": 15, "yellow": 15}
POOR = {"money": 1000, "energy": 1, "green": 7, "yellow": 7}
OWES = [{"lap": 1, "repaid": None}]
NO_PRICE = [{k: v for k, v in card.items() if k not in ("price", "tags")} for card in COPY["infrastructures"]]
Turn = tuple[dict[str, Any], dict[str, Any], str, str]
"""Lines by colour, other keys of the position, what was declared, what was seen."""
TURNS: Mapping[str, Turn] = {
    "price not known": (
        {"red": {"pawn": 8}},
        {"copy": {**COPY, "infrastructures": NO_PRICE}},
        "roll 1+1; draw economic",
        "nothing",
    ),
    "quiz": ({}, {}, "roll 1+3", "nothing"),
    "catastrophe": ({"red": RICH, "blue": POOR}, {"lap": 2}, "roll 3+3", "nothing"),
    "lap's end": (
        {"red": RICH | {"pawn": 12, "installed": ["mill", "coal", "wind"]}, "blue": POOR | {"loans": OWES}},
        {"lap": 2},
        "roll 2+3; roll 1+3",
        "nothing",
    ),
    "thrown out": (
        {"red": RICH | {"installed": ["mill", "shop"]}},
        {},
        "abandon mill; roll 4+5",
        "zone 0g0y | red @9 i1",
    ),
    "won, and then more": (
        {"red": RICH | {"installed": ["mill"], "pawn": 8, "member": True}},
        {"target": 2},
        "roll 1+1; draw social; install park; borrow",
        "nothing",
    ),
    "zone overflows": ({}, {"zone": {"green": 6, "yellow": 3}}, "roll 1+1; meet flood; order gy", "zone 2g0y"),
    "seen otherwise": ({"red": RICH}, {}, "roll 1+2; join", "dice 2+2 zone 1g0y | red @5 i2 | blue @1 i1"),
    "counted otherwise": ({"red": RICH}, {}, "roll 1+2; count money=100", "nothing"),
}
CHANGES: Mapping[str, tuple[str, str, dict[str, Any] | None]] = {
    "all of the Alliance": ("alliance", "all", {"text": "x", "co2": 10_000}),
    "a card renamed": ("infrastructures", "mill", {"name": "Great mill", "kind": "social", "price": 1}),
    "a price that is a word": ("infrastructures", "mill", {"name": "Mill", "price": "dear"}),
    "a hazard": ("hazards", "", {"name": "Dry", "others.green": -2, "free": True}),
    "a track without a start": ("track", "all", {"spaces": ["develop"]}),
}


def turn_told(name: str) -> dict[str, Any]:
    """Return what is said of one turn: before it is confirmed, and when it is."""
    lines, changes, acts, seen = TURNS[name]
    players = " ".join(changes.get("players", ["red", "blue"]))
    more = {key: value for key, value in changes.items() if key != "players"}
    now = GAME.position(position(lines, players) | {"copy": COPY} | more)
    looked, declared = GAME.observation(seen), {"acts": acts}
    told: dict[str, Any] = {"page": GAME.ledger(now, declared, "en", looked)}
    told["lacking"] = [words.text("en") for words in _tried(lambda: GAME.lacking(now, declared), [])]
    told["seats"] = [
        {
            "colour": seat.colour.word,
            "places": seat.places,
            "goal": "" if seat.goal is None else seat.goal.text(),
            "counters": [[one.id, one.words.text(), one.value, one.of] for one in seat.counters],
            "steps": [[str(one.text), one.reached] for one in seat.steps],
        }
        for seat in GAME.seats(now)
    ]
    ruling = _tried(lambda: GAME.check(now, looked, (), declared), None)
    if ruling is not None:
        told["ruling"] = ruling.to_json("en")
        if ruling.turn is not None:
            told["booked"] = GAME.bookings(ruling.turn)
    return told


def _tried(call: Any, otherwise: Any) -> Any:
    try:
        return call()
    except RequestError:
        return otherwise


def change_told(name: str) -> Any:
    """Return a copy after a change of one row, or why it is refused."""
    part, row, values = CHANGES[name]
    try:
        data, ident = GAME.changed_copy(COPY, part, row, values)
    except RequestError as error:
        return {"refused": error.words.text("en")}
    return {"row": ident, part: data.get(part)}


def every() -> dict[str, Any]:
    """Return all that is kept."""
    return {
        "turns": {name: turn_told(name) for name in TURNS},
        "changes": {name: change_told(name) for name in CHANGES},
        "form": GAME.copy_view(COPY),
    }


def written(told: dict[str, Any]) -> str:
    """Return the file: one line a turn, so that a difference is read in one place."""
    parts = []
    for key, value in told.items():
        lines = value.items() if key in ("turns", "changes") else [("all", value)]
        rows = [f" {json.dumps(name)}: {json.dumps(one, ensure_ascii=False, sort_keys=True)}" for name, one in lines]
        parts.append(f"{json.dumps(key)}: {{\n" + ",\n".join(rows) + "\n}")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    PATH.write_text(written(every()), encoding="utf-8")
