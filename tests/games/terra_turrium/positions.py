"""Positions for the tests, written as little as can be."""

from __future__ import annotations

from typing import Any

from referee.games.terra_turrium.geometry import INDEX, NAMES, RING
from referee.games.terra_turrium.ruleset import rule_set
from referee.values.board import DIGITS

FOUR = {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"}
THREE = {"nw": "red", "ne": "yellow", "se": "green", "sw": None}
TWO = {"nw": "red", "ne": "blue", "se": "blue", "sw": "red"}
SEATS: dict[int, dict[str, str | None]] = {2: dict(TWO), 3: dict(THREE), 4: dict(FOUR)}
COLUMNS = {"nw": "ABCDE", "ne": "FGHIJ", "se": "FGHIJ", "sw": "ABCDE"}
ROWS = {"nw": range(10, 5, -1), "ne": range(10, 5, -1), "se": range(1, 6), "sw": range(1, 6)}

Stacks = dict[str, int]
Flags = dict[str, str]


def text(stacks: Stacks, flags: Flags) -> str:
    """Return board text from heights (absent: 0) and flag colours by field name."""
    return "/".join(
        "".join(
            DIGITS[stacks.get(name, 0)] + flags.get(name, " ")[0].strip()
            for name in (f"{column}{row}" for column in "ABCDEFGHIJ")
        )
        for row in range(10, 0, -1)
    )


def start_stacks(edition: str, players: int) -> Stacks:
    rules = rule_set(edition, players, frozenset(), "path", "allowed")
    return {NAMES[i]: height for i, height in enumerate(rules.setup) if height}


def start_flags(edition: str, players: int) -> Flags:
    """Return six flags each: the fields of the own territories nearest the board's corner that carry cubes."""
    stacks = start_stacks(edition, players)
    flags: Flags = {}
    for colour in dict.fromkeys(c for c in SEATS[players].values() if c):
        own = [
            f"{column}{row}"
            for place, owner in SEATS[players].items()
            if owner == colour
            for row in ROWS[place]
            for column in COLUMNS[place]
        ]
        free = sorted((name for name in own if name in stacks), key=lambda name: (RING[INDEX[name]], name))
        flags |= dict.fromkeys(free[:6], colour)
    return flags


def position(edition: str = "kosmos-1990", players: int = 4, **changes: Any) -> dict[str, Any]:
    """Return the position at the start of a game; ``stacks`` and ``flags`` change fields, other keys replace."""
    stacks = changes.pop("stacks", None) or start_stacks(edition, players)
    flags = changes.pop("flags", None) or start_flags(edition, players)
    return {
        "game": "terra-turrium",
        "edition": edition,
        "seats": SEATS[players],
        "first": "red",
        "to_move": "red",
        "board": text(stacks, flags),
    } | changes


def after(before: str, *acts: str) -> str:
    """Return board text after acts such as ``-C1``, ``+D4`` and ``B2>B4`` (a flag put elsewhere, with captures)."""
    stacks, flags = {}, {}
    for row, line in zip(range(10, 0, -1), before.split("/"), strict=True):
        column = -1
        for char in line:
            if char in DIGITS:
                column += 1
                stacks["ABCDEFGHIJ"[column] + str(row)] = DIGITS.index(char)
            else:
                flags["ABCDEFGHIJ"[column] + str(row)] = char
    for act in acts:
        if ">" in act:
            start, end = act.split(">")
            flag = flags.pop(start) if start in flags else start
            if end:
                flags[end] = flag
        else:
            stacks[act[1:]] += 1 if act[0] == "+" else -1
    return text(stacks, flags)
