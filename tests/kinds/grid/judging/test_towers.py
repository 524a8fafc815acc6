"""Rulings on towers of which pictures tell squares, and not everywhere which of them are one bar."""

from __future__ import annotations

import pytest

from referee.games import game_named
from referee.kinds.tower.judge import TowerWord, rule_on
from referee.kinds.tower.observation import SIDES, TowerEvidence

GAME = game_named("turris")
BEFORE = GAME.position(
    {
        "game": "turris",
        "edition": "fr",
        "seats": {"south": "light", "north": "dark"},
        "first": "light",
        "to_move": "dark",
        "turn": 2,
        "tower": "......EW.",
        "left": {"light": 19, "dark": 20},
    }
)
STANDING = "..u..uEW./..d..d..."
"""Two dark bars upright on c3 and c2, away from the light one: place.standing and bonus.earned."""
LYING = "..s..nEW./..s..n..."
"""The same squares as two bars on each other: place.straddle and bonus.earned."""
SQUARES = "..x..xEW./..x..x..."


def word(plain: str, surest: str) -> TowerWord:
    return rule_on(GAME, BEFORE, TowerEvidence(plain, surest, frozenset(SIDES)))


def names(said: TowerWord) -> list[str]:
    assert said.ruling is not None
    return [violation.rule for violation in said.ruling.violations]


@pytest.mark.parametrize(
    ("tower", "rules"),
    [(STANDING, ["place.standing", "bonus.earned"]), (LYING, ["place.straddle", "bonus.earned"])],
)
def test_a_tower_told_whole_is_ruled_with_all_its_rules(tower: str, rules: list[str]) -> None:
    said = word(tower, tower)
    assert (said.kind, names(said)) == ("illegal", rules)
    assert said.ruling == GAME.check(BEFORE, GAME.observation(tower))


@pytest.mark.parametrize("plain", [STANDING, LYING, SQUARES])
def test_what_every_tower_breaks_is_ruled_and_nothing_else_is_named(plain: str) -> None:
    said = word(plain, SQUARES)
    assert (said.kind, names(said)) == ("illegal", ["bonus.earned"])
    assert said.ruling is not None
    assert said.ruling.alternatives == ()


def test_towers_that_share_no_broken_rule_accuse_nobody() -> None:
    """Two bars in the centre, on each other or upright, and one taken off: no rule is broken both ways."""
    position = {**BEFORE.to_json(), "tower": "EW.sewnUU/......uDD/......d..", "left": {"light": 17, "dark": 17}}
    squares = "...sewnUU/...xx.uDD/...xx.d.."
    before = GAME.position(position)
    assert not GAME.check(before, GAME.observation(squares)).legal
    assert rule_on(GAME, before, TowerEvidence(squares, squares, frozenset(SIDES))).kind == "unsure"


def test_a_tower_that_may_be_legal_accuses_nobody() -> None:
    assert word(STANDING, "..?..?EW./..?..?...").kind == "unsure"
