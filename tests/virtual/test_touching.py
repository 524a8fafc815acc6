"""What hands do: from any board to any other, one place at a time, and never what no hand can."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import RequestError
from referee.kinds.grid.virtual import toppled
from referee.kinds.tower.virtual import bar_named, bars_of, tower_of
from referee.values.board import Board, Field
from referee.virtual.scene import HandPlace, TableScene
from referee.virtual.table import Pace, VirtualTable
from referee.virtual.touching import acted, touches
from tests.virtual.laid import BOARDS, laid

TERRA, KIT = laid("terra-turrium")
TOWER, BARS = laid("turris")


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    heights = rng.integers(0, 4, (10, 10))
    return Board(heights, np.where(rng.random((10, 10)) < 0.2, rng.integers(1, 5, (10, 10)), 0), KIT.letters)


@given(boards(), boards())
def test_hands_get_from_any_board_to_any_other_touching_one_field_at_a_time(before: Board, after: Board) -> None:
    last = before
    for touch in touches(before.text, after.text, TERRA, KIT):
        now = before.like(touch.lying)
        changed = (now.heights != last.heights) | (now.flags != last.flags)
        assert changed.sum() == 1
        field = np.argwhere(changed)[0]
        assert (touch.x_mm, touch.y_mm) == TERRA.centre_mm(*field)
        assert not (last.flags[tuple(field)] and now.flags[tuple(field)])  # never a stone under a piece
        last = now
    assert last.text == after.text


@given(st.integers(0, 2**32))
def test_a_tower_is_taken_down_from_above_and_built_from_below(seed: int) -> None:
    whole = bars_of(BOARDS["turris"])
    rng = np.random.default_rng(seed)
    some = {bar: light for bar, light in whole.items() if rng.random() < 0.7}
    assert bars_of(tower_of(some)) == some
    steps = touches(tower_of(whole), tower_of(some), TOWER, BARS)
    assert len(steps) == len(whole) - len(some)
    assert (steps[-1].lying if steps else tower_of(whole)) == tower_of(some)
    lows = [step.z_mm for step in touches(tower_of({}), tower_of(some), TOWER, BARS)]
    levels = [max(bar) // 9 for bar in sorted(some)]
    assert [round(low / TOWER.cube_mm[2] - 1.9) for low in lows] == levels


@pytest.mark.parametrize(
    ("act", "after"),
    [
        ({"do": "take", "field": "C1"}, ("C1", 0, "")),
        ({"do": "put", "field": "C1"}, ("C1", 2, "")),
        ({"do": "lift", "field": "A1"}, ("A1", 1, "")),
        ({"do": "piece", "field": "C1", "piece": "r"}, ("C1", 1, "r")),
        ({"do": "move", "field": "A1", "to": "C1"}, ("C1", 1, "y")),
    ],
)
def test_a_person_does_one_thing_at_a_time(act: dict[str, object], after: tuple[str, int, str]) -> None:
    board = Board.parse(acted(BOARDS["terra-turrium"], act, TERRA, KIT), 10, 10, KIT.letters)
    row, col = int(after[0][1:]) - 1, ord(after[0][0]) - 65
    piece = int(board.flags[row, col])
    assert (int(board.heights[row, col]), KIT.letters[piece - 1] if piece else "") == after[1:]


@pytest.mark.parametrize(
    "act",
    [
        {"do": "take", "field": "A1"},  # a flag stands there
        {"do": "put", "field": "A1"},
        {"do": "lift", "field": "C1"},
        {"do": "piece", "field": "A1", "piece": "r"},
        {"do": "piece", "field": "C1", "piece": "z"},
        {"do": "move", "field": "C1", "to": "D1"},
        {"do": "move", "field": "A1", "to": "B1"},
        {"do": "take", "field": "K1"},
        {"do": "take", "field": "A11"},
        {"do": "take"},
        {"do": "juggle", "field": "C1"},
    ],
)
def test_what_no_hand_can_do_is_refused(act: dict[str, object]) -> None:
    with pytest.raises(RequestError):
        acted(BOARDS["terra-turrium"], act, TERRA, KIT)


@pytest.mark.parametrize("name", ["a1c1.1", "a1b1", "d1.1^", "a1.99^", "", None, "a1a1.1", "b1a1.1x"])
def test_what_is_no_place_of_a_bar_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        bar_named(name)


def test_a_tower_that_falls_keeps_its_stones_on_the_board_where_there_is_room() -> None:
    field = Board.parse(BOARDS["torres"], 8, 8, laid("torres")[1].letters)
    fallen = toppled(BOARDS["torres"], *laid("torres"), Field(2, 2))
    after = field.like(fallen)
    assert after.heights[2, 2] == 1
    assert after.heights.sum() == field.heights.sum()


@pytest.mark.parametrize(
    ("row", "column", "lies"),
    [
        ("0310", 1, "0121"),
        ("2312", 2, "2312"),
        ("2322", 1, "2232"),
        ("1332", 1, "2132"),
        ("3333", 1, "3333"),
        ("0410", 1, "1121"),
    ],
)
def test_no_stone_of_a_tower_falls_onto_a_higher_stack(row: str, column: int, lies: str) -> None:
    table = replace(TERRA, rows=1, columns=4)
    assert toppled(row, table, KIT, Field(0, column)) == lies


def test_the_cameras_see_a_hand_before_and_after_every_change() -> None:
    scenes: list[TableScene] = []
    table = VirtualTable(TERRA, KIT, scenes.append, BOARDS["terra-turrium"], Pace(0.2, 0.1, 0.1), lambda _: False)
    assert table.act({"do": "take", "field": "C1"})
    changes = [k for k in range(1, len(scenes)) if scenes[k].lying != scenes[k - 1].lying]
    assert len(changes) == 1
    assert scenes[changes[0]].hand is not None
    assert scenes[changes[0] - 1].hand is not None
    assert scenes[0].hand is None
    assert scenes[-1].hand is None
    assert table.at_rest.is_set()


def test_a_hand_that_is_to_stop_leaves_the_table_as_it_is() -> None:
    scenes: list[TableScene] = []
    table = VirtualTable(TERRA, KIT, scenes.append, BOARDS["terra-turrium"], Pace(), lambda _: True)
    assert not table.become(BOARDS["terra-turrium"].replace("2", "3"))
    assert scenes[-1].hand is None


@pytest.mark.parametrize("name", ["bump", "unplug", "plug", "dim", "bright", "cup", "uncup"])
def test_what_befalls_a_table_can_be_seen_or_is_undone(name: str) -> None:
    scenes: list[TableScene] = []
    table = VirtualTable(TERRA, KIT, scenes.append, BOARDS["terra-turrium"], Pace(0, 0, 0), lambda _: False)
    table.fault(name)
    undoes = name in ("plug", "bright", "uncup")
    assert (scenes[-1] == scenes[0]) is undoes


@pytest.mark.parametrize(("name", "camera"), [("explode", ""), ("bump", "middle")])
def test_what_cant_befall_a_table_is_refused(name: str, camera: str) -> None:
    table = VirtualTable(TERRA, KIT, lambda scene: None, BOARDS["terra-turrium"], Pace(0, 0, 0), lambda _: False)
    with pytest.raises(RequestError):
        table.fault(name, camera)


def test_a_scene_goes_round_as_text() -> None:
    hand = HandPlace(1.0, 2.0, 3.0, 4.0)
    scene = TableScene("", hand, 90.0, {"nw": (3, "#b92d25")}, 0.5, {"left": 2}, ("right",), ((1.0, 2.0),))
    assert TableScene.parse(scene.text) == scene


def test_a_turned_board_shows_the_side_that_a_quarter_to_the_left_is_asked_for() -> None:
    table = VirtualTable(TOWER, BARS, lambda scene: None, BOARDS["turris"], Pace(0, 0, 0), lambda _: False)
    nearest = []
    for _ in range(4):
        assert table.fault("turn")
        turn = np.radians(table.scene.turned_deg)
        outward = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "south": (0, -1)}
        nearest.append(
            min(outward, key=lambda side: outward[side][0] * np.sin(turn) + outward[side][1] * np.cos(turn))
        )
    assert nearest == ["east", "north", "west", "south"]
