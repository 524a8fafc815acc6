"""Seats that games play themselves: every turn is legal, the same seed plays the same game, strong is stronger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cli.replay import replay
from referee.games import names, package_named
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.games.record import parse_record
from referee.opponents import Opponent, OpponentError, Strength, new_position, play_game

pytestmark = pytest.mark.long

PACKAGES = {name: package_named(name) for name in names()}


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> GamePackage:
    return PACKAGES[request.param]


def counts(package: GamePackage) -> list[tuple[str, int]]:
    """Return every edition with every number of players."""
    editions = package.game.choices().editions
    return [(edition.choice.id, count) for edition in editions for count, _ in edition.variants]


def seats(package: GamePackage, position: Position, *strengths: Strength) -> dict[str, Strength]:
    words = [seat.colour.word for seat in package.game.seats(position)]
    return {word: strengths[n % len(strengths)] for n, word in enumerate(words)}


def test_all_games_that_come_along_play(package: GamePackage) -> None:
    assert package.plays is not None


def test_what_is_played_is_a_record_that_is_legal_turn_by_turn(package: GamePackage) -> None:
    for edition, count in counts(package):
        position = new_position(package, count, edition)
        played = play_game(package, position, seats(package, position, Strength.WEAK), seed=3, most_turns=6)
        assert played.record.turns
        lines, status = replay(parse_record(played.record.text))
        assert status == 0, [line.text() for line in lines]


def test_boards_after_each_turn_are_legal_for_check(package: GamePackage) -> None:
    """The referee at the table sees boards, not acts: it rules them legal, too."""
    position = new_position(package, 2)
    player = Opponent(package, Strength.MIDDLE, seed=5)
    position = package.game.start_from_setup(position, player.set_up(position))
    for _ in range(6):
        turn = player.turn(position)
        ruling = package.game.check(position, turn.observed, (), turn.declared)
        assert ruling.legal, (turn.text, [violation.message for violation in ruling.violations])
        assert turn.ruling.next is not None
        position = turn.ruling.next


def test_the_same_seed_plays_the_same_game(package: GamePackage) -> None:
    position = new_position(package, 2)
    strengths = seats(package, position, Strength.MIDDLE, Strength.WEAK)
    texts = [play_game(package, position, strengths, seed, most_turns=5).record.text for seed in (1, 1, 2)]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_a_turn_does_not_depend_on_what_was_asked_before(package: GamePackage) -> None:
    position = new_position(package, 2)
    asked = Opponent(package, Strength.MIDDLE, seed=9)
    position = package.game.start_from_setup(position, asked.set_up(position))
    first = asked.turn(position).text
    assert [asked.turn(position).text, Opponent(package, Strength.MIDDLE, seed=9).turn(position).text] == [
        first,
        first,
    ]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(PACKAGES)))
def test_every_turn_of_any_seed_is_legal(seed: int, name: str) -> None:
    package = PACKAGES[name]
    position = new_position(package, 2)
    played = play_game(package, position, seats(package, position, Strength.WEAK), seed, most_turns=8)
    assert len(played.record.turns) == 8
    assert [b.number - a.number for a, b in pairwise(played.record.turns)] == [1] * 7


def test_a_finished_game_has_no_turn(package: GamePackage) -> None:
    position = new_position(package, 2)
    out = frozenset([package.game.seats(position)[0].colour])
    over = package.game.resigned(position, out)
    assert over.finished
    with pytest.raises(OpponentError, match="over"):
        Opponent(package, Strength.WEAK).turn(over)


def test_a_game_that_says_nothing_of_playing_has_no_opponents() -> None:
    """It is refereed all the same."""
    package = replace(PACKAGES["torres"], plays=None)
    with pytest.raises(OpponentError, match="brings no opponents"):
        Opponent(package, Strength.WEAK)
    with pytest.raises(OpponentError, match="brings no opponents"):
        new_position(package, 2)


def test_a_proposal_the_engine_refuses_is_passed_over(package: GamePackage) -> None:
    """Nothing is played because a player says so."""

    class Cheat:
        def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
            return choice

        def set_up(self, position: Position, chance: Random) -> Any:
            return position.observed

        def turns(self, position: Position, strength: Strength, chance: Random) -> Iterator[str]:
            yield from ("!!!", "+A1 +A1 +A1 +A1", "roll 9+9")

    cheating = replace(package, plays=Cheat())
    position = new_position(package, 2)
    position = package.game.start_from_setup(position, Opponent(package, Strength.WEAK).set_up(position))
    with pytest.raises(OpponentError, match="no legal turn"):
        Opponent(cheating, Strength.WEAK).turn(position)


@pytest.mark.parametrize(("edition", "count"), [("kosmos-1990", 7), ("nowhere", 2)])
def test_what_can_t_be_played_is_said(edition: str, count: int) -> None:
    with pytest.raises(OpponentError, match="use one of"):
        new_position(PACKAGES["terra-turrium"], count, edition)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
def test_strong_wins_of_weak_in_both_seats(seed: int) -> None:
    """Two games here; a hundred are measured with ``referee play`` (docs/play/opponents.md)."""
    package = PACKAGES["terra-turrium"]
    position = new_position(package, 2)
    words = [seat.colour.word for seat in package.game.seats(position)]
    strengths = {words[seed]: Strength.STRONG, words[1 - seed]: Strength.WEAK}
    played = play_game(package, position, strengths, seed, most_turns=80)
    assert played.winners == (words[seed],)
