"""Towers that fall at the virtual table, before, during and after turns: nobody is named for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import pytest

from referee.match.events import Verdict, WhyUnsure
from referee.match.phases import Phase
from referee.view.board import is_swept
from tests.virtual.falls import WHEN, DrawnFall, FallTable

FALLS = [(game, number) for game in ("terra-turrium", "torres") for number in range(10)]
FEW = [("terra-turrium", 7), ("torres", 3), ("torres", 5)]
TURNS: Mapping[str, Callable[[int], int]] = {"terra-turrium": lambda n: 4 + n, "torres": lambda n: 22 + n}
"""The turn in which a tower falls: by then some are two high or more."""


def fall(game: str, number: int) -> FallTable:
    """Knock a tower over and end the turn."""
    when, table = WHEN[number % 3], FallTable(game, TURNS[game](number), number)
    position = table.session.state.position
    lying = position.observed.text
    if when == "during":
        lying = table.turn().observed.text
    elif when == "after":
        assert table.plays() is Verdict.LEGAL
        lying = table.session.state.position.observed.text
    assert table.board(lying).heights.max() > 1
    table.ends(table.knocked(lying))
    return table


@pytest.mark.long
@pytest.mark.parametrize(("game", "number"), FALLS if os.environ.get("ALL_SCRIPTS") else FEW)
def test_a_tower_that_fell_names_nobody(game: str, number: int) -> None:
    nobody_named(fall(game, number))


def nobody_named(table: FallTable) -> None:
    last = table.heard.ruled[-1]
    named = last.ruling.violations if last.ruling is not None else ()
    assert not named, [one.message for one in named]
    assert all(one.verdict is not Verdict.ILLEGAL for one in table.heard.ruled)
    assert last.late is None
    if last.verdict is Verdict.UNSURE:
        assert last.why is WhyUnsure.SWEPT, last
        assert is_swept(table.session.state)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seed", "turns"),
    [
        ("terra-turrium", 3007, (4, 20)),
        ("terra-turrium", 3008, (4, 20)),
        ("terra-turrium", 5032, (4, 20)),
        ("terra-turrium", 6022, (4, 20)),
        ("torres", 3106, (16, 40)),
    ],
)
def test_a_low_tower_that_no_camera_saw_fall_names_nobody(game: str, seed: int, turns: tuple[int, int]) -> None:
    assert DrawnFall.of(game, seed, turns).outcome() == "asked"


@pytest.mark.long
def test_falls_shown_by_a_phone_name_nobody() -> None:
    assert DrawnFall.of("terra-turrium", 3008, (4, 20), phone=True).outcome() == "asked"


@pytest.mark.long
def test_after_a_fall_the_turn_goes_on_once_all_stands_again() -> None:
    table = fall("terra-turrium", 8)
    nobody_named(table)
    assert table.session.state.phase is Phase.UNSURE
    before = table.session.state.position.observed.text
    assert table.ends(before) in (Verdict.UNSURE, Verdict.LEGAL)
    assert not is_swept(table.session.state)
