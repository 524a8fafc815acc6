"""Rare turns: pieces moved by hand that were jumped over, searches cut short, limits of boards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.record import RecordEntry
from referee.games.torres import package as torres
from referee.games.torres.colours import KnightColour
from referee.games.torres.engine import GAME
from referee.games.torres.judgement import STATES
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.ruleset import BUILD_HEIGHT, BUILD_JOIN, BUILD_NEW
from referee.games.torres.search.blocks import NEVER, BlockSearch
from referee.games.torres.search.building import blocks_of, build_faults, may_shift
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import TorresScene
from tests.games.torres.tables import BEFORE, check, position_data, sets_of, text_of

OPEN = {"A1": "1", "C4": "0b", "E4": "1"}
JUMP: dict[str, Any] = {"held": 1, "declared": {"card": "jump", "points": 5}}


def test_a_knight_may_have_been_jumped_over_before_it_was_taken_away_by_hand() -> None:
    before = {**BEFORE, **OPEN, "D4": "1o"}
    assert sets_of(check({"C4": "0", "E4": "1b", "D4": "1"}, before, **JUMP)) == [["knight.own"]]


def test_a_knight_may_have_been_put_by_hand_before_it_was_jumped_over() -> None:
    before = {**BEFORE, **OPEN, "D4": "1", "G1": "0o"}
    found = sets_of(check({"C4": "0", "E4": "1b", "D4": "1o", "G1": "0"}, before, **JUMP))
    assert found[0] == ["knight.own"]


def test_the_king_may_have_been_jumped_over_before_he_was_moved_where_that_is_played() -> None:
    before = {**BEFORE, **OPEN, "D4": "1k", "H8": "1o"}
    change = {"C4": "0", "E4": "1b", "D4": "1", "A8": "1k"}
    assert sets_of(check(change, before, options={"jump_over": "any"}, **JUMP)) == [["king.still"]]
    assert sets_of(check(change, before, **JUMP)) != [["king.still"]]


def test_a_seventh_knight_appears_beside_those_that_are_placed() -> None:
    six = {f"{column}3": "0b" for column in "ABCDE"}
    before = {**BEFORE, "A1": "1", **six}
    assert sets_of(check({"F3": "0b", "G3": "0b"}, before)) == [["knight.supply"]]
    assert sets_of(check({"F3": "0b", "G3": "0b", "H5": "0b"}, before))[0][-1] == "knight.supply"


def test_a_knight_that_vanished_may_have_acted_before() -> None:
    before = {**BEFORE, "C3": "0b"}
    assert sets_of(check({"A1": "1", "C3": "0", "C2": "0b"}, before)) == [["knight.supply"]]


def test_blocks_moved_by_hand_come_where_rises_are_seen() -> None:
    ruling = check({"A2": "0", "B1": "0", "C7": "1", "E4": "3"}, declared={"points": 5})
    assert sets_of(ruling) == [["blocks.fixed"]]
    assert ruling.turn is not None
    assert ruling.turn["acts"] == []
    assert ruling.acts[-1].text == "#5"


def test_a_chain_over_two_pieces_is_one_walk() -> None:
    open_ground = {"D4": "0o", "E4": "0o", "D5": "0", "C3": "0o", "C5": "0o", "B4": "0o"}
    before = {**BEFORE, "A1": "1", "C4": "0b", **open_ground}
    found = check({"C4": "0", "F4": "0b"}, before, declared={"points": 2})
    assert sets_of(found) == [["knight.blocked"], ["knight.step"]]
    assert found.turn is not None
    assert found.turn["acts"] == [
        {"move": "C4", "to": "D4"},
        {"move": "D4", "to": "E4"},
        {"move": "E4", "to": "F4"},
    ]


@pytest.mark.parametrize(
    ("reading", "told"), [("path", "the way never rises ("), ("closed", "no stack with a piece")]
)
def test_sentences_tell_the_reading_of_doors(reading: str, told: str) -> None:
    before = {**BEFORE, "A1": "1", "B1": "2", "C1": "0b", "A2": "2"}
    ruling = check({"C1": "0", "A1": "1b"}, before, declared={"points": 4}, options={"doors": reading})
    assert [violation.rule for violation in ruling.violations] == ["knight.door"]
    assert told in ruling.violations[0].message


def test_sentences_tell_why_no_card_is_bought_in_the_master_game() -> None:
    ruling = check(declared={"bought": 1}, variants=["master"])
    assert "all cards are held from the start" in ruling.violations[0].message


def suspect(change: dict[str, str], effort: SearchEffort, **keys: Any) -> Suspect:
    now = GAME.position(position_data(**keys))
    after = GAME.position(position_data({**BEFORE, **change}, **keys)).board
    assert isinstance(now, TorresPosition)
    return Suspect(now, TorresScene(now.rules, now.board, after, now.reserve), KnightColour.BLUE, Declared(), effort)


def test_a_search_cut_short_says_so() -> None:
    effort = SearchEffort(1)
    assert suspect({"A1": "1", "B2": "0b"}, effort).legal() is None
    assert not effort.complete
    assert suspect({"A1": "1", "B2": "0b"}, SearchEffort(STATES)).legal() is not None


def test_a_ruling_cut_short_names_only_what_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A king moved is certain whatever else was done; that a knight was moved too far is not."""
    monkeypatch.setattr("referee.games.torres.judgement.STATES", 0)
    ruling = check({"H8": "1", "F8": "1k", "A1": "1", "G5": "0b"})
    assert not ruling.complete
    assert [violation.rule for violation in ruling.violations] == ["king.still"]
    assert ruling.to_json()["complete"] is False
    monkeypatch.setattr("referee.games.torres.judgement.STATES_LEGAL", 0)
    ruling = check({"A1": "1", "G5": "0b"})
    assert (ruling.legal, ruling.complete, ruling.violations) == (False, False, ())


def test_a_graph_of_blocks_cut_short_says_so() -> None:
    change = {"A2": "2", "B1": "2", "C1": "1"}
    task = suspect(change, SearchEffort(9)).task(frozenset(), ())
    effort = SearchEffort(2)
    assert BlockSearch(task, effort).graph().start == NEVER
    assert not effort.complete
    assert BlockSearch(task, SearchEffort(STATES)).graph().start != NEVER


def test_a_board_out_of_all_recognition_is_ruled_on_in_bounded_time() -> None:
    """Everything on it lies elsewhere, and higher: the search ends, and what is named is broken."""
    wild = {f"{column}{row}": str((row * 3 + ord(column)) % 4) for column in "ABCDEFGH" for row in range(1, 9)}
    ruling = check({field: cell + BEFORE.get(field, "0")[1:] for field, cell in wild.items()})
    assert not ruling.legal
    assert "blocks.fixed" in [violation.rule for violation in ruling.violations]


FLAT = tuple([1, 1, 0, 0, 1] + [0] * 59)


@pytest.mark.parametrize(
    ("field", "founding", "faults"),
    [
        (0, False, set()),
        (4, False, {BUILD_HEIGHT}),
        (2, False, set()),
        (3, False, set()),
        (12, False, set()),
        (40, False, {BUILD_NEW}),
        (40, True, set()),
    ],
)
def test_faults_of_a_placed_block(field: int, founding: bool, faults: set[str]) -> None:
    assert build_faults(FLAT, blocks_of(FLAT), field, founding) == faults


def test_a_block_between_two_castles_joins_them() -> None:
    heights = tuple([1, 0, 1] + [0] * 61)
    assert build_faults(heights, blocks_of(heights), 1, False) == {BUILD_JOIN}
    assert build_faults(heights, blocks_of(heights), 1, True) == {BUILD_JOIN}


def test_a_shift_leaves_castles_whole_low_apart_and_many() -> None:
    row = (1, 1, 1, 0, 0, 0, 0, 2)
    heights = row + tuple([0] * 8 + [1, 0, 1, 0, 1, 0, 1, 0] + [0] * 40)
    blocks = blocks_of(heights)

    def may(source: int, target: int, castles: int = 6) -> bool:
        return may_shift(heights, blocks, castles, source, target)

    assert may(0, 3)
    assert not may(1, 3), "cuts the castle"
    assert not may(0, 8 + 0, 5), "five castles"
    assert not may(0, 7), "a stack of three on one field"
    assert not may(0, 10), "joins the castle above"
    assert may(0, 63, 5), "one castle more"
    assert not may(18, 3, 6), "a castle dissolved leaves five"
    assert may(18, 3, 7)


def test_a_stack_of_thirty_five_takes_no_more() -> None:
    now = GAME.position(position_data() | {"board": text_of(BEFORE).replace("2", "Z", 1)})
    ruling = torres().records.play(now, RecordEntry(4, "blue", "+E4"))
    assert ruling.violations[0].rule in ("build.height", "blocks.fixed")


def test_the_game_comes_as_a_package() -> None:
    found = torres()
    assert found.game.name == "torres"
    assert {preset.name for preset in found.presets} == {"box", "wood-25"}
    assert found.playthrough is not None
    assert found.playthrough.is_file()
