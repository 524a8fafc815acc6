"""The targets of fuzzing.

A target reads a text, lets only its typed errors through as a refusal, and holds what was accepted to what must be
true of it: it goes round unchanged, and a check written apart from the engine finds nothing wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from referee.cli.check import answer
from referee.cli.jsonlines import parse_object
from referee.games.contract import RequestError
from referee.games.record import RecordError, parse_record
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.record import RECORDS
from referee.games.terra_turrium.text.notation import NotationError, parse_turn, turn_text
from referee.values.board import BoardError
from tests.games.terra_turrium.reference import name, neighbours
from tests.untyped import untyped

Target = Callable[[str], bool]
"""Reads a text and tells whether it was accepted. AssertionError: what was accepted is nonsense."""


def refused(error: Exception) -> bool:
    """Hold a typed error to saying something; ``False``: not accepted."""
    assert str(error)
    assert getattr(error, "code", "any")
    return False


def board(text: str) -> bool:
    """Parse board text, which is the identity of a board: what is accepted prints as the very same text."""
    try:
        found = parse_board(text)
    except BoardError as error:
        return refused(error)
    assert found.text == text
    assert found.heights.shape == (10, 10)
    assert parse_board(found.text) == found
    return True


def position(text: str) -> bool:
    """Parse a position: it goes round, keeps what was given, and is one a game can have."""
    try:
        data = parse_object(text.encode("utf-8", "surrogatepass"))
        found = GAME.position(data)
    except RequestError as error:
        return refused(error)
    written = found.to_json()
    json.dumps(written, allow_nan=False)
    assert GAME.position(written) == found
    check_position(written)
    for key, value in data.items():
        if isinstance(value, str | int):
            assert written.get(key, False) == value, key
        elif key in ("seats", "variants", "options", "winners"):
            assert key == "winners" or written[key] == value, key
    return True


CUBES = {("kosmos-1990", 2): 64, ("ludibay-fr", 2): 36}


def check_position(data: Mapping[str, Any]) -> None:
    """Hold a position to what every position of a game must be."""
    seats = data["seats"]
    players = list(dict.fromkeys(seats[place] for place in ("nw", "ne", "se", "sw") if seats[place]))
    assert sorted(Counter(c for c in seats.values() if c).values()) in ([2, 2], [1, 1, 1], [1, 1, 1, 1])
    mover = players[(players.index(data["first"]) + data["turn"] - 1) % len(players)]
    assert data["to_move"] == mover
    rows = data["board"].split("/")
    flags = Counter(char for char in data["board"] if char in "rygb")
    assert {colour[0] for colour in players} >= set(flags)
    for player in players:
        assert flags[player[0]] + data["in_hand"][player] == 6
        assert 0 <= data["attacks"][player] <= 5
    cubes = sum(int(char, 36) for char in data["board"] if char in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    cubes += sum(data.get("reserve", {}).values())
    assert cubes == CUBES.get((data["edition"], len(players)), {4: 116, 3: 80}.get(len(players)))
    assert not any(f"0{letter}" in row for row in rows for letter in "rygb")
    if "pro" in data["variants"]:
        assert all(1 <= len(fields) <= 6 for fields in data["holding"].values())
    assert all(0 <= n <= 2 for n in data.get("captures_left", {}).values())


def notation(text: str) -> bool:
    """Parse a turn: it prints as it was written, spaces aside, and a walk captures a flag where it first comes by."""
    try:
        acts = parse_turn(text)
    except NotationError as error:
        return refused(error)
    assert turn_text(acts) == " ".join(text.split())
    assert parse_turn(turn_text(acts)) == acts
    for act in acts:
        assert act.text in text
        assert (len(act.fields) == 1) if act.kind in ("take", "build") else act.fields
        assert len(set(act.captures)) == len(act.captures)
        assert set(act.captures) <= set(act.fields[1:])
    return True


def record(text: str) -> bool:
    """Parse a record: it goes round, and what its headers make and its turns come to is told in typed errors."""
    try:
        found = parse_record(text)
    except RecordError as error:
        return refused(error)
    assert parse_record(found.text) == found
    assert parse_record(found.text).text == found.text
    try:
        now = start = RECORDS.start(found)
        check_position(start.to_json())
        assert RECORDS.start(parse_record(found.text)) == start
        for entry in found.turns:
            ruling = RECORDS.play(now, entry)
            now = untyped(ruling.next) or now
            check_position(now.to_json())
    except RecordError as error:
        refused(error)
    return True


def request(text: str) -> bool:
    """Answer a request: with a ruling whose explanation leads to the board, or with a typed error."""
    try:
        data = parse_object(text.encode("utf-8", "surrogatepass"))
        found: Mapping[str, Any] = answer(data)
    except RequestError as error:
        return refused(error)
    json.dumps(found, allow_nan=False)
    assert found["legal"] is (not found["violations"])
    assert found["legal"] is (found["next"] is not None)
    assert all(violation["message"] for violation in found["violations"])
    if found["legal"]:
        check_position(found["next"])
        assert found["next"]["board"] == data["observed"]
    if found["turn"] is not None:
        check_acts(found["turn"])
    return True


FIELDS = {name(i): {name(j) for j in neighbours(i)} for i in range(100)}


def check_acts(turn: Mapping[str, Any]) -> None:
    """Hold an explanation to steps between neighbours and points that add up."""
    assert set(turn["take"]) | set(turn["build"]) <= set(FIELDS)
    for move in turn["move"]:
        way = [move.get("from", move.get("enter")), *move["path"]]
        assert all(there in FIELDS[here] for here, there in pairwise(way))
        assert set(move["captures"]) <= set(move["path"])
    assert turn["points"] == sum(move["points"] for move in turn["move"])


TARGETS: dict[str, Target] = {
    "board": board,
    "position": position,
    "notation": notation,
    "record": record,
    "request": request,
}
