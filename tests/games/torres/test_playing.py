"""What a seat of castles that plays itself proposes: legal turns, best first, the same for the same seed."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.answers import Strength
from referee.games.torres.engine import GAME
from referee.games.torres.playing.acting import Acting
from referee.games.torres.playing.player import PLAYS, SKILLS
from referee.games.torres.playing.worth import Valuer
from referee.games.torres.position.position import TorresPosition
from tests.games.torres.tables import BEFORE, position_data

SITES = ("A1", "D1", "G1", "A4", "D4", "G4", "A7")
PLAY = GAME.position(position_data(stacks={"blue": [3, 2], "orange": [3]}))
KNIGHTS = GAME.position(position_data(dict.fromkeys(SITES, "1") | {"D7": "1o"}, stage="knights"))
FIRST_KING = GAME.position(position_data(BEFORE | {"H8": "1"}, stage="king"))
KING = GAME.position(position_data(BEFORE, stage="king", phase=2, turn=11))


def proposed(position: TorresPosition, strength: Strength, most: int = 12, seed: int = 1) -> str:
    turns = PLAYS.turns(position, strength, Random(seed))
    return ", ".join(turn for turn, _ in zip(turns, range(most), strict=False))


@pytest.mark.parametrize(
    ("position", "strength", "seed", "told"),
    [
        (PLAY, Strength.WEAK, 1, "+A3 +A4 #3, +A3 +A4 +F7 #2, +A3 #4, +A3 +A4 +F7 A1-B1 #1"),
        (PLAY, Strength.WEAK, 2, "#5, +E5 #4, +E5 +D3 #3, +E5 +D3 +F5 #2"),
        (PLAY, Strength.MIDDLE, 1, "+B1 A1-B1 +C1 +D1 #1, +B1 A1-B1 +C1 +B2 #1"),
        (PLAY, Strength.STRONG, 1, "+B1 A1-B1 +C1 +D1 #1, +B1 A1-B1 +C1 +B2 #1"),
        (KNIGHTS, Strength.MIDDLE, 1, "@A4, @A7, @G4, @G1, @A1, @D4, @D1"),
        (KNIGHTS, Strength.STRONG, 1, "@G1, @A1, @A4, @G4, @D1, @A7, @D4"),
        (FIRST_KING, Strength.WEAK, 1, "kE4, kF8, kH1, kA8, kH8, kB1, kD5, kA2"),
        (FIRST_KING, Strength.STRONG, 1, "kB1, kA2, kH1, kA8, kF8, kH8, kE4, kD5"),
        (KING, Strength.WEAK, 1, "kE4, kF8, kA8, kA2, kB1, kD5, kH1, "),
        (KING, Strength.MIDDLE, 1, "kA2, kB1, , kE4, kA8, kD5, kH1, kF8"),
    ],
)
def test_the_same_seed_proposes_the_same(position: TorresPosition, strength: Strength, seed: int, told: str) -> None:
    assert proposed(position, strength, told.count(",") + 1, seed) == told


def test_castles_are_laid_three_steps_apart() -> None:
    now = GAME.position(position_data({"A1": "1", "D4": "1"}, stage="castles", variants=["master"]))
    found = set(proposed(now, Strength.STRONG, 99).split(", "))
    assert "*B3" in found
    assert "*D1" in found
    assert not {"*A1", "*A3", "*B2", "*D4", "*E5", "*D6", "*F4"} & found
    assert len(found) == 64 - 6 - 13  # as many lie within two steps of a corner and of a field inside


def test_nothing_is_laid_out_and_points_are_kept_where_they_count() -> None:
    assert PLAYS.prepared({"players": 2}) == {"players": 2}
    assert PLAYS.set_up(PLAY, Random(1)) == PLAY.observed
    kept = GAME.position(position_data(stacks={"blue": [3], "orange": [3]}, options={"spare_ap": "points"}))
    assert "#" not in proposed(kept, Strength.MIDDLE)


def test_every_board_one_act_on_is_a_legal_turn() -> None:
    start = Acting(PLAY).start
    assert (start.left, start.blocks, start.acts) == (5, 3, ())
    kinds = []
    for one in Acting(PLAY).onward(start):
        ((kind, _, to),) = one.acts
        kinds.append(kind)
        assert one.left == 5 - (2 if kind == "place" else 1)
        assert one.blocks == 3 - (kind == "build")
        assert sum(one.heights) == sum(start.heights) + (kind == "build")
        assert (one.own >> to & 1) == (kind != "build")
    assert set(kinds) == {"build", "move", "place"}
    assert not list(Acting(PLAY).onward(type(start)(start.heights, start.own, 0, 3)))


def test_a_board_is_worth_what_a_scoring_brings_and_what_may_come() -> None:
    """Blue stands in a castle of three, Orange in one of three with a step up beside."""
    heights, own = PLAY.board.heights, PLAY.board.knights(PLAY.to_move)
    assert Valuer(PLAY, False, False).worth(heights, own, 0) == 3.0
    assert Valuer(PLAY, False, False).worth(heights, own, 2) == 5.0
    assert Valuer(PLAY, False, True).worth(heights, own, 0) == pytest.approx(3 + 2 * 0.35 * 3 + 0.8 + 0.5)
    assert Valuer(PLAY, True, False).worth(heights, own, 0) == pytest.approx(3 - 3 * (1 + 2 * 0.35))
    last = GAME.position(position_data(phase=3, turn=17))
    assert Valuer(last, True, False).worth(heights, own, 0) == 0.0
    assert SKILLS[Strength.WEAK].width < SKILLS[Strength.MIDDLE].width < SKILLS[Strength.STRONG].width
