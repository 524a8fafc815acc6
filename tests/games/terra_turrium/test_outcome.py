"""What follows a turn: goals, the round played out, towers that must hold, captures that open."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cli.check import answer
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from tests.games.terra_turrium.positions import after, position, start_stacks

TOWERS = {"A10": 6, "B10": 5, "C10": 4, "D10": 3, "E10": 2, "E9": 1}
PRO_TOWERS = {"A10": 7, "B10": 6, "C10": 5, "D10": 4, "E10": 3, "E9": 2}


def towered(towers: dict[str, int], emptied: tuple[str, ...], edition: str = "kosmos-1990") -> dict[str, int]:
    """Build towers on the set-up from the cubes of some emptied rows; the rest of those cubes lie on one field."""
    stacks = start_stacks(edition, 4)
    total = sum(stacks.values())
    stacks |= towers
    for row in emptied:
        stacks |= {f"{column}{row}": 0 for column in "ABCDEFGHIJ" if f"{column}{row}" not in towers}
    stacks["J10"] += total - sum(stacks.values())
    assert stacks["J10"] >= 0
    return stacks


def game(towers: dict[str, int] = TOWERS, **changes: Any) -> dict[str, Any]:
    """Return a game in which Red stands on all towers; the others have no flag on the board."""
    flags = dict.fromkeys(towers, "red") | changes.pop("more", {})
    colours = list(flags.values())
    in_hand = {c: 6 - colours.count(c) for c in ("red", "yellow", "green", "blue")}
    stacks = towered(towers, ("2", "3"), changes.get("edition", "kosmos-1990"))
    return position(stacks=stacks, flags=flags, in_hand=in_hand, **changes)


def play(data: dict[str, Any], *acts: str) -> dict[str, Any]:
    ruling: dict[str, Any] = answer({"position": data, "observed": after(data["board"], *acts)})
    assert ruling["legal"], ruling
    return ruling


def test_the_goal_is_reached_and_the_round_played_out() -> None:
    ruling = play(game())
    assert ruling["winners"] == ["red"]
    assert not ruling["finished"]
    follow = ruling["next"]
    assert follow["final_round"] is True
    for player in ("yellow", "green", "blue"):
        assert follow["to_move"] == player
        ruling = play(follow)
        follow = ruling["next"]
    assert ruling["finished"]
    assert follow["finished"] is True
    assert ruling["winners"] == ["red"]


def test_the_last_of_the_round_ends_the_game_at_once() -> None:
    ruling = play(game(first="yellow", turn=4))
    assert ruling["finished"]
    assert ruling["winners"] == ["red"]


def test_a_goal_counts_though_a_flag_is_captured_later() -> None:
    before = game(more={"E8": "yellow"}, to_move="yellow", turn=2, winners=["red"], final_round=True)
    ruling = play(before, "E9>", "E8>E9")
    assert ruling["winners"] == ["red"]
    assert ruling["next"]["in_hand"]["red"] == 1


@pytest.mark.parametrize("towers", [TOWERS | {"E9": 2}, TOWERS | {"A10": 7}, PRO_TOWERS])
def test_no_goal(towers: dict[str, int]) -> None:
    assert play(game(towers))["winners"] == []


def test_pro_goal_must_hold_for_a_round() -> None:
    follow = play(game(PRO_TOWERS, variants=["pro"]))["next"]
    assert "winners" not in follow
    assert sorted(follow["holding"]["red"]) == ["A10", "B10", "C10"]
    for _ in ("yellow", "green", "blue"):
        ruling = play(follow)
        follow = ruling["next"]
    assert ruling["winners"] == ["red"]
    assert ruling["finished"], "the round in which the win is found ends with that very turn"


def test_pro_win_inside_a_round_is_played_out() -> None:
    data = game(PRO_TOWERS, variants=["pro"], first="green", turn=2, to_move="blue", holding={"red": ["A10", "B10"]})
    ruling = play(data)
    assert ruling["winners"] == ["red"]
    assert not ruling["finished"]
    assert ruling["next"]["final_round"] is True


def test_pro_tower_lost() -> None:
    more = {"C9": "blue"}
    stacks = towered(PRO_TOWERS | {"C9": 5}, ("2", "3", "4"))
    flags = dict.fromkeys(PRO_TOWERS, "red") | more
    data = position(
        stacks=stacks,
        flags=flags,
        in_hand={"red": 0, "yellow": 6, "green": 6, "blue": 5},
        variants=["pro"],
        to_move="blue",
        turn=4,
        holding={"red": ["A10", "B10", "C10"]},
    )
    ruling = play(data, "C10>", "C9>C10")
    assert ruling["winners"] == []
    assert ruling["next"]["holding"] == {}
    kept = play(data)
    assert kept["winners"] == ["red"]


def test_team_wins_together() -> None:
    towers = {"F10": 6, "G10": 5, "H10": 4, "I10": 3, "F9": 2, "G9": 1}
    flags = dict.fromkeys(TOWERS, "red") | dict.fromkeys(towers, "yellow")
    data = position(
        stacks=towered(TOWERS | towers, ("2", "3", "4")),
        flags=flags,
        in_hand={"red": 0, "yellow": 0, "green": 6, "blue": 6},
        variants=["team"],
        teams=[["red", "yellow"], ["green", "blue"]],
    )
    assert sorted(play(data)["winners"]) == ["red", "yellow"]
    other = data | {"to_move": "green", "turn": 3}
    assert play(other)["winners"] == [], "looked at after the turns of its members only"


def test_burgenland_opens_captures_for_the_next_turn() -> None:
    towers = {"A10": 5, "B10": 4, "C10": 4, "D10": 3, "E10": 2, "E9": 1}
    data = game(towers, edition="ludibay-fr", variants=["burgenland"])
    follow = play(data)["next"]
    assert follow["captures_open"] is True
    assert follow["captures_left"]["red"] == 2
    assert "winners" not in follow


def test_captures_stay_closed_until_the_towers_stand_and_where_none_are_closed() -> None:
    closed = GAME.position(position("ludibay-fr", 4, variants=["burgenland"]))
    follow = GAME.check(closed, parse_board(after(closed.board.text, "-E9", "+E8"))).next
    assert isinstance(follow, TerraPosition)
    assert follow.captures_open is False
    towers = {"A10": 5, "B10": 4, "C10": 4, "D10": 3, "E10": 2, "E9": 1}
    plain = GAME.position(game(towers, edition="ludibay-fr"))
    acts = ("-C8", "+C7")
    follow = GAME.check(plain, parse_board(after(plain.board.text, *acts))).next
    assert isinstance(follow, TerraPosition)
    assert follow.captures_open is False
    assert follow.captures_left == plain.captures_left
    assert follow.holding == {}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_how_many_cubes_the_french_edition_takes(count: int) -> None:
    start = GAME.position(position("ludibay-fr", 4))
    takes, builds = ["-E9", "-D9", "-C9", "-C8"][:count], ["+E8"] * count
    ruling = GAME.check(start, parse_board(after(start.board.text, *takes, *builds)))
    assert ruling.legal is (count < 4)
    assert ruling.finished is False
    assert count < 4 or [violation.rule for violation in ruling.violations] == ["take.count"]
