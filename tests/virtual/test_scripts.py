"""Scripted games at the virtual table end with the record that the script implies."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from referee.demo.scripted import play_script
from referee.games import package_named
from referee.games.contract import RuleId, Violation
from referee.games.record import RecordEntry, RecordError
from referee.values.board import Field
from referee.values.words import say
from referee.virtual.script import ScriptTurn, checked, parse_script
from tests.virtual.made import script

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.txt"))
START = '[game "turris"]\n[edition "fr"]\n[seats "south=light north=dark"]\n[first "light"]\n\n'


@pytest.mark.long
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_scripted_game_ends_with_the_record_it_implies(path: Path) -> None:
    played = play_script(parse_script(path.read_text()), True, threading.Event(), lambda text: None)
    assert played.told.wrong == [], played.record.text


@pytest.mark.long
@pytest.mark.parametrize("path", [SCRIPTS[0], SCRIPTS[0].with_name("turris.txt")], ids=lambda path: path.stem)
def test_a_scripted_game_is_refereed_by_one_phone_in_the_hand(path: Path) -> None:
    script = parse_script(path.read_text())
    played = play_script(script, True, threading.Event(), lambda text: None, phone=True)
    assert played.told.wrong == [], played.record.text
    assert (played.told.questions, played.told.by_hand) == (0, 0)


@pytest.mark.long
@pytest.mark.skipif(not os.environ.get("ALL_SCRIPTS"), reason="takes minutes: make scripts plays them")
@pytest.mark.parametrize("number", range(100))
def test_a_hundred_games_drawn_at_random_end_with_the_record_they_imply(number: int) -> None:
    played = play_script(parse_script(script(number)), True, threading.Event(), lambda text: None)
    assert played.told.wrong == [], played.record.text


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        ("illegal", ""),
        ("illegal: move.near; move.one", ""),
        ("illegal: move.one A1 C3; move.near", ""),
        ("illegal: move.one C3 A1; move.near B2", ""),
        ("illegal: move.one", "move.one A1 C3; move.near B2"),
        ("illegal: move.one; move.near; build.one", "move.one A1 C3; move.near B2"),
        ("illegal: move.one A1; move.near", "move.one A1 C3; move.near B2"),
    ],
)
def test_a_ruling_must_name_the_rules_and_the_fields_that_a_script_names(ruling: str, said: str) -> None:
    words, fields = say("No."), [Field.from_name(name) for name in ("C3", "A1", "B2")]
    ruled = [
        Violation(RuleId("move.one"), (fields[0], fields[1]), words),
        Violation(RuleId("move.near"), (fields[2],), words),
    ]
    assert ScriptTurn(RecordEntry(1, "red", ruling=ruling)).ruled_otherwise(ruled) == said


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ("1. light +a3.2^", "breaks rest.full: say so"),
        ("1. light +a1.1^ {illegal}", "turn 1 is legal"),
        ("1. light -a1.1^ {illegal}", "no bar lies there"),
        ("1. light +a1.1^ {!jump}", "!jump is no direction: use one of pause"),
        ("1. light +a1.1^ {!pause long}", "write {!pause 1.5}"),
    ],
)
def test_a_script_that_cant_be_played_is_refused_with_what_to_do(turns: str, said: str) -> None:
    with pytest.raises(RecordError, match=r"line 6|turn 1") as refused:
        checked(parse_script(START + turns), package_named("turris"))
    assert said in str(refused.value)


@pytest.mark.long
def test_a_script_that_expects_what_the_rules_do_not_say_is_told_to_be_wrong() -> None:
    script = parse_script(START + "1. light +a1.1^\n2. dark +b1.2^ {illegal: bars.supply}\n2. dark +b1.1^\n")
    played = play_script(script, True, threading.Event(), lambda text: None)
    assert played.told.wrong == ["turn 2: ruled illegal: rest.full b1.2 instead of illegal: bars.supply"]


def test_where_all_is_declared_a_script_has_no_directions_for_cameras() -> None:
    start = '[game "terrabilis"]\n[edition "fr"]\n[players "red blue"]\n[copy "example"]\n\n'
    with pytest.raises(RecordError, match="line 6") as refused:
        checked(parse_script(start + "1. red roll 1+2 {!bump left}\n"), package_named("terrabilis"))
    assert "!bump: no camera looks on at Terrabilis: use !pause, !end" in str(refused.value)
