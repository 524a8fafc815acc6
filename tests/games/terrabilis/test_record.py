"""Records: headers to a position and back, recorded turns ruled on, the playthrough."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.games.record import Record, RecordEntry, RecordError, parse_record
from referee.games.terrabilis import package
from referee.games.terrabilis.copy.files import example
from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.record import RECORDS
from tests.games.terrabilis.positions import COPY, position

HEADERS = {"game": "terrabilis", "edition": "fr", "players": "red blue", "copy": "example"}


def start(**headers: str) -> TerrabilisPosition:
    return RECORDS.start(Record(HEADERS | headers, ()))


def test_a_plain_start() -> None:
    begun = start(options="cannot_pay=out loan_open=one", target="5", first="blue")
    assert begun.data == example()
    assert begun.options == {"cannot_pay": "out", "loan_open": "one"}
    assert (begun.target, begun.to_move, begun.turn) == (5, Country.BLUE, 1)


def test_a_position_in_the_middle_goes_round() -> None:
    lines: dict[str, Any] = {"red": {"pawn": 3, "installed": ["mill"], "loans": [{"lap": 1}], "money": 7}}
    middle = GAME.position(
        position(lines, turn=9, lap=3, to_move="blue", zone={"green": 3, "yellow": 4}, discard=["farm"])
        | {"copy": COPY}
    )
    assert RECORDS.start(Record(RECORDS.headers(middle), ())) == middle


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"players": ""}, "players"),
        ({"copy": "club"}, "data is missing"),
        ({"data": "[1]"}, "header data"),
        ({"data": "{"}, "header data"),
        ({"options": "fast"}, "header options"),
        ({"target": "many"}, "header target"),
        ({"options": "speed=fast"}, "headers: options"),
        ({"state": '{"mood": 1}'}, "headers: unknown key"),
    ],
)
def test_headers_that_make_no_start(headers: dict[str, str], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        start(**headers)


@pytest.mark.parametrize("key", ["edition", "players", "copy"])
def test_headers_that_are_missing(key: str) -> None:
    with pytest.raises(RecordError, match=f"header {key} is missing"):
        RECORDS.start(Record({name: value for name, value in HEADERS.items() if name != key}, ()))


def test_recorded_turns_are_ruled_on() -> None:
    begun = start()
    assert RECORDS.play(begun, RecordEntry(1, "red", "roll 1+1; answer normal money")).legal
    broken = RECORDS.play(begun, RecordEntry(1, "red", "roll 1+2; draw social"))
    assert [violation.rule for violation in broken.violations] == ["hand.three", "develop.one"]
    other = RECORDS.play(begun, RecordEntry(1, "blue", "roll 1+1; answer normal money"))
    assert [violation.rule for violation in other.violations] == ["turn.order"]
    for entry, words in (
        (RecordEntry(1, "green", "roll 1+1"), "'green' does not play"),
        (RecordEntry(1, "red", "fly"), "'fly' is no act"),
        (RecordEntry(1, "red", "borrow"), "no roll"),
    ):
        with pytest.raises(RecordError, match=words):
            RECORDS.play(begun, entry)


def test_the_playthrough_is_won() -> None:
    path = package().playthrough
    assert path is not None
    record = parse_record(path.read_text(encoding="utf-8"))
    now = RECORDS.start(record)
    for entry in record.turns:
        ruling = RECORDS.play(now, entry)
        assert ruling.legal
        assert isinstance(ruling.next, TerrabilisPosition)
        now = ruling.next
    assert now.winners == (Country.RED,)
    assert json.loads(json.dumps(now.to_json()))["finished"] is True
