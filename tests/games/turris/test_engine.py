"""The game as the referee asks for it: before, beside and after turns."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError, RuleId
from referee.games.record import RecordEntry, RecordError
from referee.games.turris.bars import BarColour
from referee.games.turris.engine import GAME
from referee.games.turris.laying import laid
from referee.games.turris.ruleset import OPTIONS, PREFERENCE
from referee.games.turris.tower import parse_tower
from referee.values.board import BoardError, Cell, Field
from referee.values.players import PlayerName
from tests.games.turris.playedturns import PLAYED, STACK
from tests.games.turris.positions import BASE, built, position

LIGHT, DARK = BarColour.LIGHT, BarColour.DARK
SEATS = {"south": "light", "north": "dark"}
EMPTY = GAME.observation("")
START = "D a1.1^, L a2.1^, D b3c3.1"


@pytest.mark.parametrize("name", ["a1.1", "b2.4", "c3.99", "z9.100"])
def test_cells_are_fields_that_go_round(name: str) -> None:
    found = Field.from_name(name)
    assert isinstance(found, Cell)
    assert found.name == name


@pytest.mark.parametrize("name", ["a1.0", "a0.1", "a10.1", "aa.1", "A1.1", "a1.", "b2.1000"])
def test_what_is_no_cell_is_no_field_either(name: str) -> None:
    with pytest.raises(BoardError, match="is not a field"):
        Field.from_name(name)


def test_new_games_begin_with_an_empty_base() -> None:
    found = GAME.new_game({"edition": "fr", "seats": SEATS | {"east": None, "west": None}, "first": "dark"})
    assert found.to_json() == BASE | {
        "first": "dark",
        "to_move": "dark",
        "variants": [],
        "options": {},
        "turn": 1,
        "tower": "",
        "left": {"light": 20, "dark": 20},
        "last": {"light": [], "dark": []},
        "barred": [],
    }
    assert GAME.new_game({"edition": "fr", "seats": SEATS}).first is LIGHT


def test_a_choice_may_say_all_that_a_new_game_has() -> None:
    said = {
        "game": "turris",
        "edition": "fr",
        "variants": [],
        "options": {"pass": "free"},
        "seats": SEATS,
        "first": "dark",
    }
    found = GAME.new_game(said).to_json()
    assert {key: found[key] for key in said} == said
    assert GAME.infer_setup(said, EMPTY).to_json() == found
    with pytest.raises(RequestError, match="game"):
        GAME.new_game(said | {"game": "torres"})
    with pytest.raises(RequestError, match="game"):
        GAME.infer_setup({"game": "torres"}, EMPTY)


def test_a_new_game_has_no_other_keys() -> None:
    with pytest.raises(RequestError, match="unknown key 'tower' for a new game"):
        GAME.new_game({"edition": "fr", "seats": SEATS, "tower": ""})


def test_an_opening_asks_for_nothing() -> None:
    assert GAME.infer_setup({}, EMPTY).to_json()["seats"] == SEATS
    found = GAME.infer_setup(
        {"seats": {"west": "dark", "east": "light"}, "options": {"pass": "free"}, "players": 2}, EMPTY
    )
    assert found.to_json()["seats"] == {"west": "dark", "east": "light"}
    assert found.rules.passing == "free"


def test_two_players_sit_across_the_tower() -> None:
    seatings = GAME.choices().seatings
    assert [(each.players, each.groups) for each in seatings] == [
        (2, (("south",), ("north",))),
        (2, (("west",), ("east",))),
    ]
    for each in seatings:
        seats = dict(zip((group[0] for group in each.groups), ("light", "dark"), strict=True))
        assert GAME.new_game({"edition": "fr", "seats": seats}).to_json()["seats"] == seats


def test_every_option_is_explained() -> None:
    choices = GAME.choices()
    assert {option.id: tuple(value.id for value in option.values) for option in choices.options} == dict(OPTIONS)
    for language in ("de", "fr"):
        for option in choices.options:
            said = [option.name.text(language), *(v.explains.text(language) for v in option.values)]
            assert all(said)
            assert said[0] != option.name.text()


def test_bars_on_the_base_are_no_set_up() -> None:
    before = position()
    standing = GAME.observation(built("L a1b1.1"))
    found = GAME.setup_differences(before, standing)
    assert [(one.rule, [field.name for field in one.fields]) for one in found] == [("setup.empty", ["a1.1", "b1.1"])]
    assert GAME.setup_differences(before, parse_tower(built("L a1b1.1"))) == found
    assert GAME.setup_differences(before, EMPTY) == ()
    assert GAME.start_from_setup(before, EMPTY) == before
    with pytest.raises(RequestError, match="empty base"):
        GAME.start_from_setup(before, standing)


def test_a_turn_let_stand_counts_bars_anew() -> None:
    before = position(built(START), barred=["b1.1"], last={"light": ["a2.1^"], "dark": ["b3c3.1"]})
    after = GAME.accepted(before, GAME.observation(built("D a1.1^, L a2.1^, L b1b2.1, L c1.1^")))
    assert after.left == {LIGHT: 17, DARK: 19}
    assert {place.name for place in after.last[LIGHT]} == {"b1b2.1", "c1.1^"}
    assert [place.name for place in after.last[DARK]] == ["b3c3.1"]
    assert (after.barred, after.turn, after.to_move) == ((), 2, DARK)


def test_a_turn_let_stand_may_end_the_game() -> None:
    before = position(built(PLAYED), to_move="dark")
    after = GAME.accepted(before, parse_tower(built(f"{PLAYED}, D {STACK[39]}")))
    assert after.finished
    assert after.winners


def test_only_a_tower_that_is_known_is_let_stand() -> None:
    with pytest.raises(RequestError, match="say of every square"):
        GAME.accepted(position(), GAME.observation("XX......."))
    many = ", ".join(f"L {name}" for name in STACK[:21])
    with pytest.raises(RequestError, match="21 bars are in the tower, but there are 20"):
        GAME.accepted(position(), GAME.observation(built(many)))


def test_a_passed_turn_changes_nothing_on_the_table() -> None:
    before = position(built(START), last={"light": ["a2.1^"]}, barred=["b1.1"])
    after = GAME.passed(before)
    assert after.tower == before.tower
    assert (after.last[LIGHT], after.barred, after.to_move) == ((), (), DARK)


def test_corrections_keep_the_supplies_right() -> None:
    before = position(built(START))
    after = GAME.corrected(before, {"tower": built("L a1b1.1"), "to_move": "dark"})
    assert after.left == {LIGHT: 19, DARK: 20}
    assert after.to_move is DARK
    with pytest.raises(RequestError, match="do not make 20 bars: change the tower"):
        GAME.corrected(before, {"left": {"light": 3, "dark": 18}})
    with pytest.raises(RequestError, match="Light: 21 bars are in the tower, but there are 20: take some out"):
        GAME.corrected(before, {"tower": built(", ".join(f"L {name}" for name in STACK[:21]))})


@pytest.mark.parametrize("key", ["game", "edition", "variants", "options", "seats", "finished", "scores", "winners"])
def test_what_is_settled_is_not_corrected(key: str) -> None:
    with pytest.raises(RequestError, match=f"{key} is settled"):
        GAME.corrected(position(), {key: {}})


def test_giving_up_leaves_the_other() -> None:
    found = GAME.resigned(position(built(START)), frozenset({PlayerName("light")}))
    assert found.finished
    assert found.winners == (DARK,)
    assert GAME.position(found.to_json()) == found
    assert GAME.resigned(position(), frozenset()) == position()
    with pytest.raises(RequestError, match="somebody must be left"):
        GAME.resigned(position(), frozenset({LIGHT, DARK}))


def counters(colour: BarColour, **changes: Any) -> dict[str, tuple[int, int]]:
    found = GAME.seats(position(**changes))
    seat = next(each for each in found if each.colour is colour)
    return {counter.id: (counter.value, counter.of) for counter in seat.counters}


def test_seats_count_bars_and_at_the_end_squares() -> None:
    assert counters(DARK, tower=built(START)) == {"left": (18, 20)}
    assert GAME.seats(position(built(START)))[0].places == ("south",)
    ended = counters(LIGHT, tower=built("L a1b1.1"), finished=True)
    assert ended == {
        "left": (19, 20),
        "south": (2, 3),
        "east": (1, 3),
        "north": (2, 3),
        "west": (1, 3),
        "roof": (2, 9),
    }
    assert str(GAME.seats(position(built("L a1b1.1")))[0].goal) == "8 squares now"


def test_progress_counts_bars() -> None:
    before = position(built(START))
    assert GAME.progress(before, ()) == ()
    one = GAME.observation(built(f"{START}, L b1b2.1"))
    assert [(each.id, each.value) for each in GAME.progress(before, [one])] == [("laid", 1)]
    assert GAME.progress(before, [parse_tower(built("D a1.1^"))])[0].value == 0
    for cells, bars in ((1, 1), (2, 1), (3, 2), (4, 2)):  # half a bar in sight is a bar
        more = GAME.observation(built(START).replace(".", "X", cells))
        assert GAME.progress(before, [EMPTY, more])[0].value == bars


def test_eyes_expect_the_tower_before() -> None:
    assert GAME.prior_after(position(built(START))).previous == built(START)
    assert GAME.initial_prior({}, (3, 3)).previous is None


@pytest.mark.parametrize("rule", PREFERENCE)
def test_every_rule_is_cited(rule: RuleId) -> None:
    found = GAME.citation(position(), rule)
    assert found.sheet == "Turris (français)"
    assert found.paragraph


def test_towers_of_the_turn_add_nothing() -> None:
    before = position(built(START))
    after = GAME.observation(built(f"{START}, L b1b2.1"))
    assert GAME.check(before, after, [EMPTY]).to_json() == GAME.check(before, after).to_json()


def test_acts_are_drawn_by_their_cells() -> None:
    ruling = GAME.check(position(built(START)), parse_tower(built("D a1.1^, L a2.1^, L b1b2.1")))
    assert [(act.kind, [f.name for f in act.fields], act.text) for act in ruling.acts] == [
        ("build", ["b1.1", "b2.1"], "+b1b2.1"),
        ("take", ["b3.1", "c3.1"], "-b3c3.1"),
    ]


def test_a_form_asks_for_the_bars() -> None:
    assert [(field.id, field.kind) for field in GAME.form(position()).fields] == [("bars", "text")]
    with pytest.raises(RequestError, match="use one of light, dark"):
        GAME.player("red")


def test_at_the_end_the_page_gets_the_areas_that_count() -> None:
    ended = position(built("L a1b1.1, D c1.1^"), finished=True)
    assert not hasattr(position(built(START)).observed, "view")
    shown = ended.observed.view("de")
    assert shown["levels"] == [list("......EWu"), list("........d")]
    south = [each for each in shown["areas"] if each["picture"] == "south"]
    assert south == [
        {"picture": "south", "player": "light", "points": 2, "cells": ["a1.1", "b1.1"]},
        {"picture": "south", "player": "dark", "points": 2, "cells": ["c1.1", "c1.2"]},
    ]
    scores = ended.to_json()["scores"]
    for each in shown["areas"]:
        assert len(each["cells"]) == each["points"] == scores[each["player"]][each["picture"]]
    assert GAME.resigned(position(), frozenset({LIGHT})).observed.view("en")["levels"] == []
    assert GAME.accepted(position(built("L a1b1.1, D c1.1^")), ended.observed).tower == ended.tower


@pytest.mark.parametrize(
    ("done", "options", "more"),
    [
        ("L b1c1.1", {}, False),
        ("L b1b2.1", {}, True),
        ("L b1b2.1, L c1c2.1", {}, False),
        ("L b1b2.1, L b2.2^", {"centre_levels": "base"}, True),
        ("L b1b2.1, L b2.2^", {"centre_levels": "base", "bonus_chain": "no"}, False),
    ],
)
def test_a_turn_may_go_on_where_its_last_bar_earned_a_bonus(done: str, options: dict[str, str], more: bool) -> None:
    before = position(built(f"{START}, D a3.1^"), options=options)
    ruling = GAME.check(before, parse_tower(built(f"{START}, D a3.1^, {done}")))
    assert ruling.legal, ruling.violations
    assert GAME.turns_on(before, ruling) is more


def test_a_turn_that_ended_with_a_bar_taken_off_or_with_nothing_does_not_go_on() -> None:
    before = position(built(START), options={"pass": "free"})
    taken = GAME.check(before, parse_tower(built("D a1.1^, L a2.1^, L b1b2.1")))
    assert [act.kind for act in taken.acts] == ["build", "take"]
    assert not GAME.turns_on(before, taken)
    assert not GAME.turns_on(before, GAME.check(before, before.tower))
    assert not GAME.turns_on(before, GAME.check(before, parse_tower(built(f"{START}, D b1b2.1"))))


def test_what_hands_make_of_a_recorded_turn_lies_there_whether_allowed_or_not() -> None:
    before = position(built(START))
    assert laid(before, RecordEntry(1, "light", "+b1b2.1 -b3c3.1")) == built("D a1.1^, L a2.1^, L b1b2.1")
    assert laid(before, RecordEntry(1, "dark", "+c2.2^")) == built(f"{START}, D c2.2^")
    with pytest.raises(RecordError, match="turn 3: 'red' does not play"):
        laid(before, RecordEntry(3, "red", "+b1b2.1"))
    with pytest.raises(RecordError):
        laid(before, RecordEntry(1, "light", "+a1.1^"))
