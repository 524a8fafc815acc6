"""What a seat that plays itself does: legal turns, alike for the same seed, chosen by what the accounts are worth."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.answers import Strength
from referee.games.terrabilis.copy.files import example
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.playing import PLAYS, SKILLS, worth
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from tests.games.terrabilis.positions import COPY, position

RED = Country.RED
EVEN = {"money": 9000, "energy": 5, "green": 6, "yellow": 6}
"""An account of which nothing is scarce."""


def at(lines: Any = None, players: str = "red blue", **changes: Any) -> TerrabilisPosition:
    return GAME.position(position(lines, players, **changes) | {"copy": COPY})


def played(now: TerrabilisPosition, strength: Strength, seed: int) -> str:
    (turn,) = PLAYS.turns(now, strength, Random(seed))
    return turn


def rated(line: dict[str, Any], farsighted: bool, **changes: Any) -> float:
    now = at({"red": EVEN | line}, **changes)
    return worth(TurnCase(now, now.data, ()), now.ledger[RED], farsighted)


BASE = 9 + 0.7 * 5 + 0.3 * 12


@pytest.mark.parametrize(
    ("line", "near", "far"),
    [
        ({}, BASE, BASE),
        ({"money": 7000}, BASE - 2, BASE - 2 - 3),
        ({"money": 12_000}, BASE + 3, BASE + 3),
        ({"energy": 3}, BASE - 1.4, BASE - 1.4 - 2),
        ({"energy": 8}, BASE + 2.1, BASE + 2.1),
        ({"green": 4}, BASE - 0.6 - 4, BASE - 0.6 - 4),
        ({"yellow": 3}, BASE - 0.9 - 9, BASE - 0.9 - 9),
        ({"green": 9}, BASE + 0.9, BASE + 0.9),
        ({"member": True}, BASE + 8, BASE + 8),
        ({"installed": ["mill"]}, BASE + 5, BASE + 5 + 3 * (3 - 0.7)),
        ({"installed": ["wind"]}, BASE + 5, BASE + 5 + 3 * 2.1),
        ({"installed": ["mill", "shop"], "member": True}, BASE + 10 + 12, BASE + 10 + 12 + 3 * (3 - 0.7 + 1.5)),
        ({"loans": [{"lap": 2, "repaid": None}]}, BASE - 24, BASE - 24),
        ({"loans": [{"lap": 1, "repaid": None}]}, BASE - 60, BASE - 60),
        ({"loans": [{"lap": 1, "repaid": 2}]}, BASE, BASE),
    ],
)
def test_an_account_is_worth(line: dict[str, Any], near: float, far: float) -> None:
    assert rated(line, False, lap=2) == pytest.approx(near)
    assert rated(line, True, lap=2) == pytest.approx(far)


def test_who_is_out_has_nothing() -> None:
    assert rated({"out": True}, True, players="red blue green", to_move="blue", first="blue") == -1000


@pytest.mark.parametrize(
    ("line", "strength", "seed", "told"),
    [
        ({}, Strength.WEAK, 1, "roll 1+6; blue pours green"),
        ({}, Strength.WEAK, 3, "roll 2+4; blue pours yellow"),
        ({}, Strength.STRONG, 3, "roll 2+4; blue pours green"),
        ({}, Strength.STRONG, 2, "roll 6+6; meet storm"),
        ({"pawn": 1}, Strength.MIDDLE, 1, "roll 1+6; pay energy"),
        ({"pawn": 1}, Strength.WEAK, 2, "roll 6+6; draw economic; install coal"),
        ({"pawn": 1}, Strength.STRONG, 2, "roll 6+6; draw economic; install mill"),
        ({"pawn": 3, "money": 40_000}, Strength.WEAK, 1, "roll 1+6; draw economic; discard mill"),
        ({"pawn": 3, "money": 40_000}, Strength.MIDDLE, 1, "roll 1+6; draw economic; install wind"),
    ],
)
def test_the_same_seed_plays_the_same(line: dict[str, Any], strength: Strength, seed: int, told: str) -> None:
    assert played(at({"red": line}), strength, seed) == told


GAME_BY_SEED = """
red: roll 1+2; join
blue: roll 1+4; roll 1+3
green: roll 1+3
red: roll 3+4; draw economic; install shop
blue: roll 1+5
green: roll 4+4; pay energy
red: roll 3+5; pay energy
blue: roll 2+2
green: roll 3+4
red: roll 1+4
blue: roll 1+3
green: roll 5+5; draw social; install wind
red: roll 2+4
blue: roll 3+6; draw energy; install farm
green: roll 3+4
red: roll 5+6
"""


def test_a_game_played_by_one_seed() -> None:
    chance, now, told = Random(7), at(None, "red blue green"), []
    for _ in range(16):
        (turn,) = PLAYS.turns(now, Strength.MIDDLE, chance)
        told.append(f"{now.to_move.word}: {turn}")
        following = GAME.check(now, GAME.observation("nothing"), (), {"acts": turn}).next
        assert isinstance(following, TerrabilisPosition)
        now = following
    assert told == GAME_BY_SEED.split("\n")[1:-1]


@pytest.mark.parametrize("strength", list(Strength))
@pytest.mark.parametrize("seed", [1, 2])
def test_every_turn_of_a_game_is_legal(strength: Strength, seed: int) -> None:
    chance = Random(f"{strength} {seed}")
    now = GAME.position(position(None, "red blue green") | {"copy": copy_json(example())})
    assert PLAYS.prepared({"players": 3}) == {"players": 3}
    assert PLAYS.set_up(now, chance) == now.observed
    for _ in range(30):
        (turn,) = PLAYS.turns(now, strength, chance)
        ruling = GAME.check(now, GAME.observation("nothing"), (), {"acts": turn})
        assert ruling.legal, (turn, ruling.to_json())
        assert turn == turn.strip()
        following = ruling.next
        assert isinstance(following, TerrabilisPosition)
        if following.finished:
            return
        now = following


def test_stronger_seats_misjudge_less() -> None:
    assert SKILLS[Strength.WEAK].slips > SKILLS[Strength.MIDDLE].slips > SKILLS[Strength.STRONG].slips == 0
    assert [SKILLS[one].farsighted for one in Strength] == [one is not Strength.WEAK for one in Strength]
