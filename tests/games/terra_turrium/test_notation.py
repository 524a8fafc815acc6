"""Turn notation prints, parses and goes round."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.check import answer
from referee.games.contract import Act
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.text.notation import NotationError, make_act, parse_turn, turn_text
from referee.values.board import Field
from tests.games.terra_turrium.positions import after, position

FIELD = st.builds(Field, st.integers(0, 9), st.integers(0, 9))


@st.composite
def acts(draw: st.DrawFn) -> Act:
    kind = draw(st.sampled_from(["take", "build", "move", "enter"]))
    if kind in ("take", "build"):
        return make_act(kind, (draw(FIELD),))
    path = draw(st.lists(FIELD, min_size=1 if kind == "enter" else 2, max_size=6))
    steps = list(dict.fromkeys(path[1:]))
    captures = tuple(step for step in steps if step != path[0] and draw(st.booleans()))
    return make_act(kind, tuple(path), captures)


@given(st.lists(acts(), max_size=9))
def test_turns_go_round(turn: list[Act]) -> None:
    assert parse_turn(turn_text(turn)) == tuple(turn)


def test_the_example() -> None:
    text = "-C1 -J10 -J10 +D4 +D5 +D5 B2-B3xB4 *A1-A2"
    turn = parse_turn(text)
    assert [act.kind for act in turn] == ["take"] * 3 + ["build"] * 3 + ["move", "enter"]
    assert turn[6].captures == (Field.from_name("B4"),)
    assert " ".join(act.text for act in turn) == text


BAD = """C1 - -K1 -A11 +A0 A1- A1-B * A1--A2 -C1x a1-a2 *K1 A1xA2-A3xA2 A1-A2-A3xA2 A1-A2xA1 *A1-A2xA1 -A1-A2 A1 *A1x
A1-K2 A1xA2xB ² -A²"""


@pytest.mark.parametrize("text", BAD.split())
def test_wrong_turns_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match=re.escape(repr(text))):
        parse_turn(f"-C1 {text}")


def test_a_ruling_carries_its_notation() -> None:
    data = position()
    board = after(data["board"], "-E8", "+E7")
    ruling = answer({"position": data, "observed": board})
    start = GAME.position(data)
    found = GAME.check(start, GAME.observation(board))
    assert found.acts[0].text.startswith("-")
    assert turn_text(found.acts) == " ".join(act.text for act in found.acts)
    assert ruling["turn"] == found.turn
