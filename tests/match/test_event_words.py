"""The journal keeps what sentences are made of, and still reads journals that kept the sentence alone."""

from __future__ import annotations

import json
from dataclasses import replace

from referee.games.contract import RuleId, Violation
from referee.games.terra_turrium.colours import LETTERS, Colour
from referee.match.decision import ShowFrom
from referee.match.events import (
    CameraNote,
    Illegal,
    ReadingMade,
    SetupChecked,
    TurnRuled,
    Unsure,
    event_from_json,
)
from referee.values.board import Board, Field
from referee.values.words import LANGUAGES, say
from tests.match.fakes import StepGame, start
from tests.untyped import untyped

GAME = StepGame()
WORDS = say("{who} took no cube, but a turn takes {allowed} ({source}).", who=Colour.RED, allowed="3", source="§ 1")
VIOLATION = Violation(RuleId("take.count"), (Field(0, 1),), WORDS)


def test_a_violation_comes_back_with_its_words() -> None:
    event = SetupChecked((VIOLATION,))
    back = event_from_json("setup_checked", json.loads(json.dumps(event.to_json())), GAME)
    assert back == event
    assert VIOLATION.message == "Red took no cube, but a turn takes 3 (§ 1)."


def test_a_ruling_comes_back_with_its_words() -> None:
    ruling = GAME.check(start(), Board.parse("12r/2y1", 2, 2, LETTERS))
    event = TurnRuled("12r/2y1", Illegal(ruling, frozenset({Field(1, 0)})))
    back = event_from_json("ruling", json.loads(json.dumps(event.to_json())), GAME)
    assert isinstance(back, TurnRuled)
    assert back.ruling is not None
    assert back.ruling.violations == ruling.violations
    assert back.open == event.open


def test_an_unsure_ruling_comes_back_with_the_side_to_show() -> None:
    place = Field(1, 0)
    show = ShowFrom(225, 45, (place,), say("{go}: from there one sees {fields}.", go=say("Come"), fields=(place,)))
    for one in (show, replace(show, towards=place, distance_mm=450)):
        event = TurnRuled("12r/2y1", Unsure(doubts=(place,)), show=one)
        assert event_from_json("ruling", json.loads(json.dumps(event.to_json())), GAME) == event
    assert "towards" not in show.to_json("en")
    assert replace(show, towards=place, distance_mm=450).to_json("en")["towards"] == "A2"


def test_a_reading_comes_back_with_where_its_views_were_taken_from() -> None:
    near = CameraNote("phone#2", 7, 0.4, place_mm=(20.5, -30.0, 410.0), part="10/11")
    notes = (CameraNote("cam0", 8, 0.2), CameraNote("phone#1", 7, 0.4, place_mm=(120.5, -300.0, 410.0)), near)
    event = ReadingMade("12r/2y1", (), (), True, (), notes, 50.0)
    assert event_from_json("reading", json.loads(json.dumps(event.to_json())), GAME) == event


def test_a_journal_without_words_shows_its_english_sentence() -> None:
    old = {"differences": [{"rule": "set.up", "fields": ["B1"], "message": "B1 looks {odd}."}]}
    back = event_from_json("setup_checked", old, GAME)
    assert isinstance(back, SetupChecked)
    (violation,) = back.differences
    assert [violation.words.text(language) for language in LANGUAGES] == ["B1 looks {odd}."] * len(LANGUAGES)


def test_answers_of_the_commands_hold_no_words() -> None:
    """The formats are fixed: a violation there is its rule, its fields and one sentence."""
    ruling = GAME.check(start(), Board.parse("12r/2y1", 2, 2, LETTERS))
    (violation,) = untyped(ruling.to_json())["violations"]
    assert violation.keys() == {"rule", "fields", "message"}
