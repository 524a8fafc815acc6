from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from referee.board import Board, BoardError
from referee.boardtext import fields_of
from referee.events import GameStarted, SetupChecked
from referee.table import Phase, TableState, begin, step
from referee.view import board_view, table_view
from tests.table.fakes import StepGame, start
from tests.table.test_table import DIFFERENT, LookTaken, Verdict, reading, replace_winning, ruled

GAME = StepGame()
NEW = begin(GameStarted(start(), "Recorded game"))
RULING = step(step(NEW, LookTaken(1)), reading())


def view(state: TableState) -> Any:
    return json.loads(json.dumps(table_view(GAME, state)))


def test_fields_with_unknown_heights_and_flags() -> None:
    found = list(fields_of("?1/?r2y", 2, 2))
    assert [(place.name, height, flag) for place, height, flag in found] == [
        ("A2", None, None),
        ("B2", 1, None),
        ("A1", None, "red"),
        ("B1", 2, "yellow"),
    ]
    assert [found[1:] for found in fields_of("1??2/2r?r1", 2, 3)][:3] == [(1, "?"), (None, None), (2, None)]
    for text in ("111/11", "1/11", "r1/11", "11", "11/11/11", "11/1x"):
        with pytest.raises(BoardError, match="board text"):
            list(fields_of(text, 2, 2))
    assert board_view("11/11", Board.parse("11/11", 2, 2))["columns"] == ["A", "B"]


def test_before_the_first_look() -> None:
    shown = view(NEW)
    assert (shown["title"], shown["source"], shown["to_move"], shown["turn"]) == ("Steps", "Recorded game", "red", 1)
    assert shown["banner"]["tone"] == "busy"
    assert shown["cameras"] == []
    assert shown["acts"] == []


def test_a_legal_turn_is_drawn_and_said() -> None:
    shown = view(step(RULING, ruled(RULING, "12r/1y1")))
    assert shown["banner"] | {"detail": ""} == {
        "tone": "legal",
        "headline": "Legal",
        "detail": "",
        "advice": "",
        "rules": [],
        "fields": [],
    }
    assert shown["banner"]["detail"] == "Red’s turn 1 stands."
    assert shown["acts"] == [{"kind": "build", "fields": ["B2"], "captures": [], "text": "+B2"}]
    assert shown["acts_by"] == "red"
    assert [seat["to_move"] for seat in shown["seats"]] == [False, True]
    assert shown["history"][0]["text"] == "+B2"


def test_a_violation_shows_the_board_as_it_stands_and_its_fields() -> None:
    shown = view(step(RULING, ruled(RULING, "11r/1y3")))
    assert shown["banner"]["headline"] == "Not legal"
    assert shown["banner"]["rules"] == ["step.one"]
    assert shown["banner"]["fields"] == ["B1"]
    assert "take the turn back" in shown["banner"]["advice"]
    assert {"name": "B1", "height": 3, "flag": None} in shown["board"]["fields"]


def test_doubts_are_named_and_shown_as_read() -> None:
    state = step(RULING, ruled(RULING, "11r/1y1", Verdict.UNSURE))
    assert state.reading is not None
    shown = view(replace(state, reading=replace(state.reading, text="?1r/1y1")))
    assert shown["banner"]["headline"] == "Can’t tell, please look at A2"
    assert shown["board"]["fields"][0] == {"name": "A2", "height": None, "flag": None}


def test_a_view_that_is_covered_or_lost() -> None:
    waiting = step(NEW, LookTaken(1))
    covered = view(step(waiting, reading(clear=False)))
    assert covered["banner"]["headline"] == "Something is in the way"
    assert covered["banner"]["fields"] == ["B1"]
    lost = view(step(waiting, reading(lost=True)))
    assert lost["banner"]["headline"] == "Can’t see the board"
    assert lost["cameras"] == [{"name": "cam0", "ok": False, "words": "dark"}]


def test_a_wrong_setup_is_told_field_by_field() -> None:
    looked = step(step(NEW, LookTaken(1, setup=True)), reading())
    wrong = view(step(looked, SetupChecked((DIFFERENT,))))
    assert (wrong["banner"]["headline"], wrong["banner"]["fields"]) == ("Please check the set-up", ["B1"])
    assert view(step(looked, SetupChecked(())))["banner"]["headline"] == "The set-up is right"
    covered = step(step(NEW, LookTaken(1, setup=True)), reading(clear=False))
    assert view(covered)["banner"]["headline"] == "Something is in the way"


def test_the_end() -> None:
    shown = view(step(RULING, replace_winning(RULING)))
    assert (shown["phase"]["id"], shown["banner"]["headline"], shown["winners"]) == ("finished", "Red wins", ["red"])


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_words(phase: Phase) -> None:
    shown = view(replace(NEW, phase=phase))
    assert shown["phase"]["words"]
    assert shown["banner"]["headline"]
