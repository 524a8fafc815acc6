"""What follows a legal turn: supplies, cards, rounds, the end of a phase, the king's move and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.torres.colours import KnightColour
from referee.games.torres.engine import GAME
from referee.games.torres.outcome.supply import dealt, filled
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import TorresRules
from tests.games.torres.tables import BEFORE, check, finish_phase, position_data, text_of

BLUE, ORANGE = KnightColour.BLUE, KnightColour.ORANGE


def after(change: dict[str, str] | None = None, **keys: Any) -> TorresPosition:
    ruling = check(change, **keys)
    assert ruling.legal, [violation.message for violation in ruling.violations]
    assert isinstance(ruling.next, TorresPosition)
    return ruling.next


def ended(phase: int, board: dict[str, str], change: dict[str, str] | None = None, **keys: Any) -> Any:
    declared = keys.pop("declared", {})
    position = GAME.position(finish_phase(phase, board, **keys))
    seen = GAME.observation(text_of({**board, **(change or {})}))
    return GAME.check(position, seen, (), declared)


SUPPLIES: dict[str, tuple[list[int], dict[str, str], dict[str, Any], list[int], int]] = {
    "nothing built, a stack goes": ([3, 3, 3], {}, {}, [3, 3], 43),
    "one built": ([3, 3, 2], {"A2": "2"}, {}, [3, 3], 41),
    "the small stack": ([3, 3, 2], {"A2": "2"}, {"stack": 2}, [3, 3], 41),
    "all built": ([3, 2], {"A2": "2", "B1": "2", "C1": "1"}, {}, [2], 40),
    "blocks left over": ([3, 1, 1], {}, {}, [3, 2], 40),
    "spread as the player says": ([3, 1, 1], {"A2": "2"}, {"leftover": [3, 1]}, [1, 3], 40),
    "all of one stack": ([3, 3, 1], {"A2": "2", "B1": "2", "C1": "1"}, {}, [3, 1], 40),
    "the last stack": ([3], {"A2": "2"}, {}, [], 42),
    "no stack": ([], {}, {}, [], 40),
}


@pytest.mark.parametrize("name", SUPPLIES)
def test_one_stack_goes_and_what_is_left_of_it_is_spread(name: str) -> None:
    stacks, change, declared, left, reserve = SUPPLIES[name]
    then = after(change, stacks={"blue": stacks, "orange": [3]}, reserve=40, declared=declared)
    assert sorted(then.stacks[BLUE]) == sorted(left)
    assert (then.stacks[ORANGE], then.reserve) == ((3,), reserve)


def test_a_stack_used_up_in_a_turn_that_is_let_stand_is_gone() -> None:
    before = GAME.position(position_data(stacks={"blue": [3, 1, 1], "orange": [3]}, reserve=40))
    built = {"A2": "3", "B1": "3", "C1": "1"}
    then = GAME.accepted(before, GAME.observation(text_of({**BEFORE, **built})))
    assert sum(then.board.heights) - sum(before.board.heights) == 5
    assert (then.stacks[BLUE], then.reserve) == ((), 40)


def test_blocks_are_neither_made_nor_lost() -> None:
    for stacks, change, declared, _, _ in SUPPLIES.values():
        before = GAME.position(position_data(stacks={"blue": stacks, "orange": [3]}, reserve=40))
        then = after(change, stacks={"blue": stacks, "orange": [3]}, reserve=40, declared=declared)
        assert blocks(before) == blocks(then)


def blocks(position: TorresPosition) -> int:
    return sum(position.board.heights) + sum(map(sum, position.stacks.values())) + position.reserve


def test_with_three_players_stacks_can_grow_without_limit() -> None:
    keys: dict[str, Any] = {"players": ["blue", "orange", "red"], "reserve": 40, "options": {"leftover": "free"}}
    assert after(stacks={"blue": [3, 3]}, **keys).stacks[BLUE] == (6,)
    assert after(stacks={"blue": [3, 3, 2]}, declared={"leftover": [6, 2]}, **keys).stacks[BLUE] == (6, 2)
    keys["players"] = ["blue", "orange"]
    assert after(stacks={"blue": [3, 3]}, **keys).stacks[BLUE] == (3,)


@pytest.mark.parametrize("leftover", [[3, 3, 3], [3], [2, 2], [4, 2], [3, 2, 1]])
def test_a_leftover_that_cannot_be_is_refused(leftover: list[int]) -> None:
    with pytest.raises(RequestError, match="declared as left can’t be"):
        after({"A2": "2"}, stacks={"blue": [3, 3, 2]}, declared={"leftover": leftover})


def test_the_block_of_the_card_extra_comes_from_the_reserve() -> None:
    keys: dict[str, Any] = {"stacks": {"blue": [3, 2], "orange": []}, "held": 1, "declared": {"card": "extra"}}
    then = after({"A2": "2"}, reserve=40, **keys)
    assert (then.stacks[BLUE], then.reserve) == ((3,), 41)
    then = after({"A2": "2"}, reserve=0, **keys)
    assert (then.stacks[BLUE], then.reserve) == ((3,), 1)
    assert after({}, reserve=40, **keys).reserve == 42


def test_the_block_of_the_card_under_may_come_from_another_stack() -> None:
    built = {"A1": "2b", "A2": "2", "B1": "2", "C1": "1"}
    keys: dict[str, Any] = {"held": 1, "reserve": 40}
    then = after(built, stacks={"blue": [3, 3, 2]}, declared={"card": "under"}, **keys)
    assert sorted(then.stacks[BLUE]) == [2, 2]
    said = {"card": "under", "leftover": [3, 1]}
    assert sorted(after(built, stacks={"blue": [3, 3, 2]}, declared=said, **keys).stacks[BLUE]) == [1, 3]
    said = {"card": "under", "leftover": [3, 2]}
    then = after({"A1": "2b"}, stacks={"blue": [3, 2, 1]}, declared=said, **keys)
    assert sorted(then.stacks[BLUE]) == [2, 3]


@pytest.mark.parametrize(
    ("players", "rounds", "stacks"),
    [
        (2, (4, 4, 4), ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3))),
        (3, (4, 3, 3), ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2))),
        (4, (4, 3, 3), ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2))),
    ],
)
def test_rounds_and_stacks_are_those_of_the_phase_cards(
    players: int, rounds: tuple[int, ...], stacks: tuple[tuple[int, ...], ...]
) -> None:
    rules = TorresRules(players=players)
    assert rules.rounds == rounds
    assert tuple(rules.stacks(phase) for phase in (1, 2, 3)) == stacks


def test_what_does_not_fit_finds_no_place() -> None:
    assert filled((3, 1), 4, 3) == ((3, 3), 2)
    assert filled((3, 1), 4, None) == ((4, 4), 0)
    assert filled((), 2, 3) == ((), 2)
    assert filled((5, 1), 3, 3) == ((5, 3), 1)


def test_a_new_phase_deals_new_stacks() -> None:
    rules = TorresRules(players=2)
    assert dealt(rules, 2, {BLUE: (1,), ORANGE: ()}, 40) == ({BLUE: (3,) * 4, ORANGE: (3,) * 4}, 40 + 1 - 24)
    kept = TorresRules(players=3, phase_leftover="kept")
    assert dealt(kept, 2, {BLUE: (3,)}, 40) == ({BLUE: (3, 3, 3)}, 40 + 2 - 8)
    assert dealt(rules, 2, {BLUE: ()}, 4)[1] == 0


def test_what_is_left_of_the_last_stack_is_kept_where_the_table_says_so() -> None:
    board = BEFORE
    ruling = ended(1, board, {"D5": "2"}, options={"phase_leftover": "kept"}, players=["blue", "orange"])
    assert ruling.next.stacks[ORANGE] == (3, 3, 3, 3)
    assert after({}, stacks={"blue": [3], "orange": []}, options={"phase_leftover": "kept"}).stacks[BLUE] == (3,)
    assert after({}, stacks={"blue": [3], "orange": []}).stacks[BLUE] == ()


def test_cards_played_and_bought_are_kept_book_of() -> None:
    then = after({"A2": "2"}, held=1, declared={"card": "leap", "bought": 2})
    assert then.cards[BLUE].held == 2
    assert then.cards[BLUE].played == ("leap",)
    assert after(declared={"bought": 1}).cards[BLUE].held == 1


def test_points_move_the_marker_and_spare_points_too_where_the_table_says_so() -> None:
    assert after({"A2": "2"}, declared={"points": 2}, score={"orange": 1}).score[BLUE] == 3
    assert after({"A2": "2"}, declared={"bought": 1}, options={"spare_ap": "points"}).score[BLUE] == 3
    said = {"card": "ap7"}
    assert after({"A2": "2"}, declared=said, held=1, options={"spare_ap": "points"}).score[BLUE] == 6


def test_rounds_go_on_when_the_first_player_is_next() -> None:
    then = after()
    assert (then.to_move, then.round, then.play_turn) == (ORANGE, 1, 2)
    then = check_as("orange", turn=2)
    assert (then.to_move, then.round, then.play_turn, then.first) == (BLUE, 2, 3, BLUE)


def check_as(player: str, **keys: Any) -> TorresPosition:
    position = GAME.position(position_data(to_move=player, **keys))
    ruling = GAME.check(position, position.observed)
    assert isinstance(ruling.next, TorresPosition)
    return ruling.next


def test_in_the_master_game_the_leader_starts_each_round() -> None:
    then = check_as("orange", turn=2, variants=["master"], score={"orange": 3})
    assert (then.first, then.to_move, then.round) == (ORANGE, ORANGE, 2)
    assert check_as("orange", turn=2, variants=["master"]).first == BLUE


def test_a_phase_ends_with_scores_the_kings_move_and_new_stacks() -> None:
    ruling = ended(1, BEFORE, score={"blue": 1})
    then = ruling.next
    assert ruling.to_json()["scores"]["blue"] == {
        "castles": [{"fields": ["A1", "B1", "A2"], "area": 3, "level": 1, "points": 3}],
        "king": 0,
        "master": 0,
        "total": 3,
    }
    assert (then.stage, then.phase, then.round, then.play_turn) == ("king", 2, 1, 9)
    assert then.score == {BLUE: 4, ORANGE: 3}
    assert (then.first, then.to_move) == (BLUE, ORANGE)
    assert then.stacks == {BLUE: (3,) * 4, ORANGE: (3,) * 4}
    assert then.reserve == 60 + 3 - 24


def test_the_kings_move_leads_to_the_first_turn_of_the_phase() -> None:
    king = ended(1, BEFORE, score={"blue": 1}).next
    moved = GAME.check(king, GAME.observation(text_of({**BEFORE, "H8": "1", "E4": "2k"})))
    stays = GAME.check(king, king.observed)
    for ruling in (moved, stays):
        assert ruling.legal
        assert (ruling.next.stage, ruling.next.to_move, ruling.next.play_turn) == ("play", BLUE, 9)
    assert moved.turn["acts"] == [{"king": "E4"}]
    assert stays.turn["acts"] == []


@pytest.mark.parametrize(
    ("options", "declared", "first"),
    [
        ({}, {}, ORANGE),
        ({"phase_start": "same"}, {}, BLUE),
        ({"phase_start": "chosen"}, {}, ORANGE),
        ({"phase_start": "chosen"}, {"start": "blue"}, BLUE),
    ],
)
def test_who_starts_the_next_phase(options: dict[str, str], declared: dict[str, str], first: KnightColour) -> None:
    board = {**BEFORE, "D4": "2o"}
    assert ended(1, board, options=options, declared=declared, score={"orange": 9}).next.first == first


def test_nobody_new_starts_while_all_are_at_the_start() -> None:
    board = {"A1": "0b", "D4": "0o", "H8": "1k"}
    assert ended(1, board).next.first == BLUE
    assert ended(1, board).next.to_move == ORANGE


def test_the_leader_moves_the_marker_first_where_the_table_says_so() -> None:
    """Both gain 3; who moves first stands behind the other's field."""
    board = {"A1": "1b", "A2": "1", "B1": "1", "D4": "1o", "D5": "1", "E5": "1", "H8": "1k"}
    keys: dict[str, Any] = {"score": {"blue": 1, "orange": 2}, "turn": 16}
    assert ended(2, board, **keys).next.score == {BLUE: 4, ORANGE: 5}
    keys["score"] = {"blue": 2, "orange": 5}
    assert ended(2, board, **keys).next.score == {BLUE: 6, ORANGE: 8}
    assert ended(2, board, options={"score_order": "track"}, **keys).next.score == {BLUE: 5, ORANGE: 8}


def test_after_the_last_phase_the_game_is_over() -> None:
    ruling = ended(3, BEFORE)
    assert ruling.finished
    assert [player.word for player in ruling.winners] == ["orange"], "3 points each: Orange, who moves last, passes"
    assert ruling.next.stage == "finished"
    assert ruling.to_json()["winners"] == ["orange"]
