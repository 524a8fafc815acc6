"""What is seen later is carried back along the lattice of positions, and a record names what stays open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.judging.smoothing import LatticeLayer, likeliest_path, open_fields, steps_back
from referee.match.hypotheses import MOST_POSITIONS, Hypotheses, Lead
from referee.values.board import Board
from tests.kinds.grid.judging.seeing import START

LATTICE = [
    LatticeLayer((START,)),
    LatticeLayer((START, START), (((0, 1.0),), ((0, 1.0),))),
    LatticeLayer((START, START), (((0, 0.9), (1, 0.1)), ((1, 1.0),))),
]
"""One beginning, two ways on, and of the first end two ways to it. Only the numbers count here."""


def board(text: str) -> Board:
    return Board.parse(text, 2, 3, LETTERS)


def test_what_is_believed_last_is_carried_back_along_the_links() -> None:
    first, second = steps_back(LATTICE, [0.2, 0.8])
    shares = {(step.before, step.after): round(step.share, 3) for step in second}
    assert shares == {(0, 0): 0.18, (1, 0): 0.02, (1, 1): 0.8}
    assert {step.after: round(step.share, 3) for step in first} == {0: 0.18, 1: 0.82}


def test_the_path_follows_the_likeliest_links_from_the_position_on_record() -> None:
    assert likeliest_path(LATTICE) == [0, 0, 0]


@pytest.mark.parametrize(
    ("share", "kept", "other", "open_"),
    [
        (0.01, ("111/111r", "121/111r"), ("111/111r", "111/211r"), {"B2", "A1"}),
        (0.01, ("111/111r", "121/111r"), ("121/111r", "121/111r"), {"B2"}),  # the turn did something else there
        (0.01, ("111/11r1", "111/111r"), ("111/11r1", "111/11r1"), {"B1", "C1"}),
        (1e-5, ("111/111r", "121/111r"), ("111/111r", "111/211r"), set()),  # too unlikely to matter
    ],
)
def test_a_field_is_open_where_another_stand_or_another_act_is_likely(
    share: float, kept: tuple[str, str], other: tuple[str, str], open_: set[str]
) -> None:
    ways = [(1 - share, board(kept[0]), board(kept[1])), (share, board(other[0]), board(other[1]))]
    assert {place.name for place in open_fields(ways, (board(kept[0]), board(kept[1])))} == open_


def test_a_position_is_kept_once_with_all_ways_that_lead_to_it() -> None:
    one, other = replace(START, turn=2), replace(START, turn=3)
    kept = Hypotheses.kept([Lead(one, 0.0, 0), Lead(other, -1.0, 1), Lead(one, 0.0, 2)])
    assert [position.turn for position, _ in kept.positions] == [2, 3]
    assert kept.links[0] == ((0, 0.5), (2, 0.5))
    assert kept.links[1] == ((1, 1.0),)


def test_the_position_on_record_stays_the_first_and_the_unlikely_are_dropped() -> None:
    leads = [Lead(replace(START, turn=number), -float(number == 0) - 20.0 * (number > 60), 0) for number in range(80)]
    kept = Hypotheses.kept(leads)
    assert kept.positions[0][0].turn == 0
    assert len(kept.positions) == MOST_POSITIONS
    assert len(Hypotheses.kept(leads[:2]).positions) == 2
    assert len(Hypotheses.kept([leads[0], Lead(leads[1].position, -20.0, 0)]).positions) == 1
