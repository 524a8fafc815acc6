"""The game as the referee asks for it: forms, choices, new games, seats, what the eyes expect, games put right."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.torres.colours import KnightColour
from referee.games.torres.engine import GAME
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import START_FIELDS
from referee.values.declaring import checked
from referee.values.words import LANGUAGES
from tests.games.torres.tables import BEFORE, position_data, text_of
from tests.untyped import untyped

START = dict.fromkeys(START_FIELDS, "1")


def position(**keys: Any) -> TorresPosition:
    return GAME.position(position_data(**keys))


def asked(**keys: Any) -> dict[str, Any]:
    form = GAME.form(position(**keys))
    return {} if form is None else {field.id: field for field in form.fields}


def test_what_no_camera_sees_is_asked_for() -> None:
    fields = asked(stacks={"blue": [3, 2], "orange": []})
    assert list(fields) == ["card", "bought", "points", "stack", "leftover"]
    assert [answer.id for answer in fields["stack"].answers] == ["3", "2"]
    assert len(fields["card"].answers) == 10
    assert GAME.form(position(stage="knights", board=START)) is None


def test_nothing_is_asked_that_cannot_be_answered() -> None:
    played = {"blue": {"held": 1, "played": ["leap"]}}
    fields = asked(variants=["own-deck"], cards=played, options={"spare_ap": "points"}, stacks={"blue": [3]})
    assert list(fields) == ["card", "bought"]
    assert "leap" not in [answer.id for answer in fields["card"].answers]
    assert "bought" not in asked(variants=["master"])


def test_who_starts_the_next_phase_is_asked_in_the_turn_that_ends_one() -> None:
    keys: dict[str, Any] = {"options": {"phase_start": "chosen"}, "to_move": "orange"}
    assert "start" in asked(round=4, turn=8, **keys)
    assert "start" not in asked(round=3, turn=6, **keys)
    assert "start" not in asked(round=4, turn=24, phase=3, **keys)


def test_what_a_form_takes_the_engine_takes() -> None:
    now = position(stacks={"blue": [3, 2], "orange": []}, cards={"blue": {"held": 1}})
    said = {"card": "leap", "bought": 1, "points": 1, "stack": "2", "leftover": [3]}
    assert GAME.check(now, now.observed, (), checked(GAME.form(now), said)).legal


def test_choices_explain_every_option_in_every_language() -> None:
    for language in LANGUAGES:
        shown = untyped(GAME.choices().to_json(language))
        for option in shown["options"]:
            assert option["name"]
            assert all(value["explains"] for value in option["values"])


def test_a_new_game_begins_with_the_start_castles() -> None:
    new = GAME.new_game({"edition": "fr-1999", "players": ["blue", "orange"], "first": "orange"})
    assert (new.stage, new.to_move, new.turn) == ("knights", KnightColour.ORANGE, 2 - 1)
    assert new.board.text == text_of(START)
    other = ["A1", "D1", "G1", "A4", "D4", "G4", "A7", "D7"]
    new = GAME.new_game({"edition": "fr-1999", "players": ["blue", "orange"], "start_fields": other})
    assert new.board.text == text_of(dict.fromkeys(other, "1"))


def test_a_page_says_who_sits_where_and_which_master_card_is_open() -> None:
    seats = {"one": "blue", "two": "red", "three": None, "four": None}
    options = {"master_card": "edge", "master_min": "2", "doors": "path"}
    new = GAME.new_game({"edition": "fr-1999", "seats": seats, "variants": ["master"], "options": options})
    assert new.players == (KnightColour.BLUE, KnightColour.RED)
    assert (new.stage, new.master, new.rules.master_min, new.rules.doors) == ("castles", "edge", 2, "path")
    assert new.board.text == text_of({})
    plain = GAME.new_game({"edition": "fr-1999", "seats": seats, "options": {"master_card": "none"}})
    assert plain.master is None
    with pytest.raises(RequestError, match="options"):
        GAME.new_game({"edition": "fr-1999", "seats": seats, "options": []})


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"players": ["blue", "red"]}, "'edition' is missing"),
        ({"edition": "fr-1999", "colour": "red"}, "unknown key 'colour'"),
        ({"edition": "fr-1999"}, "seats is an object"),
        ({"edition": "fr-1999", "seats": {"nw": "red"}}, "seats is an object"),
        ({"edition": "fr-1999", "seats": {"one": "red"}}, "two to four"),
    ],
)
def test_what_is_wrong_in_a_choice_is_named(choice: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError) as refused:
        GAME.new_game(choice)
    assert told in str(refused.value)


def test_who_plays_is_seen_by_the_knights() -> None:
    seen = GAME.observation(text_of({**START, "C6": "1w", "F6": "1n", "D8": "1k"}))
    assert GAME.infer_setup({}, seen).players == (KnightColour.WHITE, KnightColour.BLACK)
    assert GAME.infer_setup({"players": ["black", "white"]}, seen).players == (KnightColour.BLACK, KnightColour.WHITE)
    with pytest.raises(RequestError, match="do not show who plays"):
        GAME.infer_setup({}, GAME.observation(text_of(START)))


def test_seats_show_score_knights_stacks_and_cards() -> None:
    cards = {"blue": {"held": 2, "played": ["leap"]}, "orange": {"held": 0, "played": []}}
    blue, orange = GAME.seats(position(cards=cards, score={"blue": 7}, stacks={"blue": [3], "orange": []}))
    assert {counter.id: counter.value for counter in blue.counters} == {
        "score": 7,
        "knights": 5,
        "held": 2,
    }
    assert str(blue.goal) == "Supply stacks: 3. Played: Two levels up"
    assert str(orange.goal) == "Supply stacks: none"


def test_what_the_eyes_may_expect() -> None:
    prior = GAME.prior_after(position())
    assert prior.colours == {4, 5, 9}
    assert prior.previous == position().observed
    assert prior.cubes == set(range(11, 16))
    setting_up = GAME.prior_after(position(stage="knights", board=START))
    assert setting_up.cubes == {8, 9}
    assert GAME.initial_prior({"players": ["red", "black"]}, (8, 8)).colours == {1, 8, 9}
    assert len(GAME.initial_prior({}, (8, 8)).colours) == 9


def test_progress_tells_blocks_and_points_used() -> None:
    now = position()
    assert GAME.progress(now, []) == ()
    seen = GAME.observation(text_of({**BEFORE, "A2": "2"}))
    assert {each.id: each.value for each in GAME.progress(now, [now.observed, seen])} == {"built": 1, "points": 1}
    odd = GAME.observation(text_of({**BEFORE, "C7": "1"}))
    assert [each.id for each in GAME.progress(now, [odd])] == ["built"]


def test_citations_name_the_sheet_and_its_paragraph() -> None:
    cited = GAME.citation(position(), GAME.check(position(), blocks("C7")).violations[0].rule)
    assert (cited.sheet, cited.paragraph) == ("Torres (1999)", "Poser un bloc de construction")


def blocks(field: str, height: str = "1") -> Any:
    return GAME.observation(text_of({**BEFORE, field: height}))


def test_a_turn_let_stand_goes_on_with_the_board_as_it_is() -> None:
    now = position(stacks={"blue": [3, 3], "orange": [3]}, reserve=40)
    then = GAME.accepted(now, blocks("C7"))
    assert (then.to_move, then.stacks[KnightColour.BLUE], then.reserve) == (KnightColour.ORANGE, (3,), 42)
    assert GAME.passed(now).to_move == KnightColour.ORANGE
    many = GAME.accepted(now, blocks("C7", "9"))
    assert (many.stacks[KnightColour.BLUE], many.reserve) == ((), 37)
    fewer = GAME.accepted(now, GAME.observation(text_of({**BEFORE, "E4": "0"})))
    assert (fewer.stacks[KnightColour.BLUE], fewer.reserve) == ((3,), 45)
    with pytest.raises(RequestError, match="7 knights"):
        GAME.accepted(now, GAME.observation(text_of({**BEFORE, **{f"{c}3": "0b" for c in "ABCDEF"}})))


def test_a_step_of_the_set_up_let_stand_goes_on() -> None:
    def let_stand(stage: str, board: dict[str, str], change: dict[str, str], **keys: Any) -> tuple[str, str]:
        now = position(board=board, stage=stage, **keys)
        then = GAME.accepted(now, GAME.observation(text_of({**board, **change})))
        return then.stage, then.to_move.word

    assert let_stand("knights", START, {"C6": "1b"}) == ("knights", "orange")
    assert let_stand("knights", START, {"C7": "0b"}) == ("knights", "orange")
    assert let_stand("knights", START, {"C7": "0o"}, to_move="orange") == ("king", "orange")
    assert let_stand("king", START, {"C7": "0k"}, to_move="orange") == ("play", "blue")
    master = {"variants": ["master"]}
    assert let_stand("castles", {"A1": "1"}, {"B1": "1"}, **master) == ("castles", "orange")
    seven = dict.fromkeys(START_FIELDS[:7], "1")
    assert let_stand("castles", seven, {"A3": "1"}, to_move="orange", **master) == ("knights", "blue")


def test_keys_are_put_right_by_hand_and_the_number_follows() -> None:
    now = position()
    assert GAME.corrected(now, {"to_move": "orange"}).play_turn == 2
    assert GAME.corrected(now, {"phase": 2}).play_turn == 9
    assert GAME.corrected(now, {"score": {"blue": 3}}).score[KnightColour.BLUE] == 3
    for changes in ({"to_move": "red"}, {"phase": 7}, {"round": "one"}, {"board": "x"}, {"players": ["red"]}):
        with pytest.raises(RequestError):
            GAME.corrected(now, changes)


def test_the_last_player_left_wins() -> None:
    now = position(players=["blue", "orange", "red"])
    assert GAME.resigned(now, frozenset({KnightColour.BLUE})) == now
    over = GAME.resigned(now, frozenset({KnightColour.BLUE, KnightColour.RED}))
    assert over.winners == (KnightColour.ORANGE,)
    assert GAME.position(over.to_json()) == over
    with pytest.raises(RequestError, match="somebody must be left"):
        GAME.resigned(now, frozenset(now.players))


def test_a_player_is_known_by_the_word() -> None:
    assert GAME.player("black") is KnightColour.BLACK
    with pytest.raises(RequestError):
        GAME.player("pink")
