"""Positions that players make rather than turns: begun, let stand, passed, corrected, given up."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terra_turrium.colours import Colour, parse_board
from referee.games.terra_turrium.engine import GAME
from tests.games.terra_turrium.positions import FOUR, after, position, start_flags

TEAMS = [["red", "yellow"], ["green", "blue"]]


def start(**changes: Any) -> Any:
    return GAME.position(position(**changes))


def accepted(*acts: str, **changes: Any) -> dict[str, Any]:
    now = start(**changes)
    return GAME.accepted(now, parse_board(after(now.board.text, *acts))).to_json()


def test_a_game_begins_with_the_flags_seen() -> None:
    before = GAME.new_game({"edition": "kosmos-1990", "seats": FOUR, "first": "green"})
    board = start().board
    begun = GAME.start_from_setup(before, board).to_json()
    assert begun["board"] == board.text
    assert begun["in_hand"] == dict.fromkeys(("red", "yellow", "green", "blue"), 0)
    assert (begun["first"], begun["to_move"], begun["turn"]) == ("green", "green", 1)


def test_a_game_does_not_begin_from_a_wrong_set_up() -> None:
    before = GAME.new_game({"edition": "kosmos-1990", "seats": FOUR})
    board = parse_board(after(start().board.text, "-E5"))
    with pytest.raises(RequestError) as caught:
        GAME.start_from_setup(before, board)
    assert caught.value.code == "board"
    assert str(caught.value) == GAME.setup_differences(before, board)[0].message


def test_a_turn_let_stand_counts_like_any_other() -> None:
    """Red's flag jumps from A10 onto yellow's J10: a capture outside red's home, so one attack."""
    after_it = accepted("A10>J10")
    assert after_it["in_hand"] == {"red": 0, "yellow": 1, "green": 0, "blue": 0}
    assert after_it["attacks"] == {"red": 1, "yellow": 0, "green": 0, "blue": 0}
    assert (after_it["to_move"], after_it["turn"]) == ("yellow", 2)


def test_the_sixth_attack_let_stand_leaves_five() -> None:
    assert accepted("A10>J10", attacks={"red": 5})["attacks"]["red"] == 5
    assert accepted("A10>J10", attacks={"red": 4})["attacks"]["red"] == 5


def test_flags_moved_by_hand_are_no_captures() -> None:
    """A yellow flag shifted within the board was not captured; one that left it was, whatever else moved."""
    shifted = accepted("J10>J5")
    assert shifted["in_hand"]["yellow"] == shifted["attacks"]["red"] == 0
    both = accepted("J10>J5", "A10>I10")
    assert (both["in_hand"]["yellow"], both["attacks"]["red"]) == (1, 1)


def test_missing_own_flags_are_in_the_own_hand() -> None:
    after_it = accepted("A10>")
    assert after_it["in_hand"]["red"] == 1
    assert after_it["attacks"]["red"] == 0


def test_a_team_mates_missing_flag_is_no_attack() -> None:
    after_it = accepted("A10>J10", variants=["team"], teams=TEAMS)
    assert after_it["in_hand"]["yellow"] == 1
    assert after_it["attacks"]["red"] == 0


def test_captures_left_don_t_go_below_none() -> None:
    burgenland = {"edition": "ludibay-fr", "variants": ["burgenland"], "captures_open": True}
    assert accepted("A10>J10", **burgenland, captures_left={"red": 1})["captures_left"]["red"] == 0
    assert accepted("A10>J10", **burgenland, captures_left={"red": 0})["captures_left"]["red"] == 0


def test_cubes_come_from_the_reserve() -> None:
    stacks = after(position()["board"], "-C8", "-C7")
    handicap: dict[str, Any] = {"variants": ["handicap"], "board": stacks, "reserve": {"red": 2}}
    assert accepted("+E7", **handicap)["reserve"]["red"] == 1
    assert accepted("+E7", "+E7", **handicap)["reserve"]["red"] == 0
    assert accepted("-E8", "+E7", **handicap)["reserve"]["red"] == 2


def test_what_no_position_can_have_is_not_let_stand() -> None:
    with pytest.raises(RequestError, match="115 cubes"):
        accepted("-E8")
    with pytest.raises(RequestError, match="Red has 7 flags on the board, but only 6 in all"):
        accepted("red>E8")
    three = start(players=3)
    with pytest.raises(RequestError, match="board: a flag of Blue stands on E5"):
        GAME.accepted(three, parse_board(after(three.board.text, "blue>E5")))


def test_a_turn_passed() -> None:
    passed = GAME.passed(start(turn=4, first="red", to_move="blue"))
    assert (passed.to_json()["to_move"], passed.turn) == ("red", 5)
    assert passed.board == start().board


@pytest.mark.parametrize("key", ["game", "edition", "variants", "options", "seats", "teams", "finished", "winners"])
def test_what_is_settled_for_the_game(key: str) -> None:
    told = f"{key} is settled for the whole game: begin a new game to change it"
    with pytest.raises(RequestError, match=told) as caught:
        GAME.corrected(start(), {key: position().get(key, [])})
    assert caught.value.code == "key"


def test_hands_follow_a_corrected_board() -> None:
    board = after(position()["board"], "A10>", "J10>", "I10>")
    fixed = GAME.corrected(start(), {"board": board}).to_json()
    assert fixed["in_hand"] == {"red": 1, "yellow": 2, "green": 0, "blue": 0}
    assert fixed["board"] == board
    with pytest.raises(RequestError, match="7 flags in all"):
        GAME.corrected(start(), {"board": position()["board"], "in_hand": {"red": 1}})
    with pytest.raises(RequestError, match="board: board text has 1 rows") as caught:
        GAME.corrected(start(), {"board": "1"})
    assert caught.value.code == "board"
    with pytest.raises(RequestError, match="Red has 7 flags on the board") as caught:
        GAME.corrected(start(), {"board": after(position()["board"], "red>E8")})
    assert caught.value.code == "flags"


@pytest.mark.parametrize(("word", "turn"), [("red", 5), ("yellow", 6), ("green", 7), ("blue", 8)])
def test_the_turn_follows_whose_it_is(word: str, turn: int) -> None:
    assert GAME.corrected(start(turn=5), {"to_move": word}).turn == turn


def test_turn_and_first_can_be_corrected_too() -> None:
    assert GAME.corrected(start(), {"to_move": "green", "turn": 3}).turn == 3
    assert GAME.corrected(start(), {"to_move": "green", "first": "green"}).turn == 1
    with pytest.raises(RequestError, match="disagree"):
        GAME.corrected(start(), {"to_move": "green", "turn": 2})
    with pytest.raises(RequestError, match="to_move is 'pink': use one of red, yellow, green, blue") as caught:
        GAME.corrected(start(), {"to_move": "pink"})
    assert caught.value.code == "to_move"
    assert GAME.corrected(start(), {"attacks": {"red": 2}}).attacks[Colour.RED] == 2


def test_the_last_side_left_has_won() -> None:
    now = start()
    assert GAME.resigned(now, frozenset({Colour.RED})) == now
    over = GAME.resigned(now, frozenset({Colour.RED, Colour.BLUE, Colour.GREEN}))
    assert (over.winners, over.final_round, over.finished) == ((Colour.YELLOW,), True, True)
    with pytest.raises(RequestError, match="somebody must be left to win") as caught:
        GAME.resigned(now, frozenset(Colour))
    assert caught.value.code == "resigned"
    teams = start(variants=["team"], teams=TEAMS)
    assert GAME.resigned(teams, frozenset({Colour.GREEN})) == teams
    won = GAME.resigned(teams, frozenset({Colour.GREEN, Colour.BLUE, Colour.RED}))
    assert won.winners == (Colour.RED, Colour.YELLOW)


FLAGS = start_flags("kosmos-1990", 4)
FLAGS.pop("A10")
FLAGS["D7"] = "red"


def progress(*groups: str, **changes: Any) -> dict[str, tuple[int, int | None]]:
    now = start(**({"flags": FLAGS} | changes))
    board, boards = now.board.text, []
    for group in groups:
        board = after(board, *group.split())
        boards.append(parse_board(board))
    return {part.id: (part.value, part.of) for part in GAME.progress(now, boards)}


@pytest.mark.parametrize(
    ("groups", "taken", "placed", "hand", "points"),
    [
        ((), 0, 0, 0, 0),
        (("-B6",), 1, 0, 1, 0),
        (("-B6 -C6", "-E6 +E7"), 3, 1, 2, 0),
        (("-B6", "+B6", "-B6"), 2, 1, 1, 0),
        # A slip put back, as before *Play a turn for me*, is no fourth cube; four that are gone are four.
        (("-B6", "+B6", "-C6 -D6 -E6", "+E7"), 3, 1, 2, 0),
        (("-B6 -C6 -D6 -E6", "+E7"), 4, 1, 3, 0),
        (("-B6", "+E7", "D7>D6"), 1, 1, 0, 1),
        (("D7>D6", "D6>D7", "D7>E7"), 0, 0, 0, 3),
        # More points than there are, or a step that is none: not told.
        (("D7>D6", "D6>D7", "D7>D6", "D6>D7", "D7>D6", "D6>D7"), 0, 0, 0, None),
        (("D7>J1",), 0, 0, 0, None),
    ],
)
def test_how_far_a_turn_has_come(
    groups: tuple[str, ...], taken: int, placed: int, hand: int, points: int | None
) -> None:
    found = progress(*groups)
    assert found["taken"] == (taken, 3)
    assert found["placed"] == (placed, None)
    assert found["in_hand"] == (hand, None)
    assert found.get("points") == (None if points is None else (points, 5))


def test_the_reserve_is_in_hand_and_nothing_is_less_than_nothing() -> None:
    board = after(position(flags=FLAGS)["board"], "-C8")
    assert progress("+E7", variants=["handicap"], board=board, reserve={"red": 1})["in_hand"] == (0, None)
    assert progress(variants=["handicap"], board=board, reserve={"red": 1})["in_hand"] == (1, None)
    assert progress("+E7")["in_hand"] == (0, None)
