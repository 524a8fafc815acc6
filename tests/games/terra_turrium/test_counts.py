"""Counts on small positions, with the reasoning beside the number: how many turns there are, not just whether."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import INDEX
from referee.games.terra_turrium.position.parsing import parse_position
from referee.games.terra_turrium.position.position import Side, side_of
from referee.games.terra_turrium.ruleset import RuleSet, rule_set
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from tests.games.terra_turrium.positions import position

FLAT = (1,) * 100


def red(hand: int = 0) -> tuple[RuleSet, Side]:
    everything = (1 << 100) - 1
    rules = rule_set("kosmos-1990", 4, frozenset(), "path", "allowed")
    return rules, Side(Colour.RED, 0, everything, frozenset({Colour.RED}), (), hand, 0, 0, None, True)


def masks(own: int, foreign: int = 0) -> tuple[int, ...]:
    return (own | foreign, own, foreign, 0, 0)


def ends(start: str, foreign: tuple[str, ...] = (), captured: tuple[str, ...] = ()) -> int:
    """Count the fields on which a single flag can end on a flat board."""
    rules, side = red()
    walls = sum(1 << INDEX[name] for name in foreign)
    left = walls & ~sum(1 << INDEX[name] for name in captured)
    return sum(
        FlagSearch(rules, side, FLAT, masks(1 << INDEX[start], walls), masks(1 << field, left)).legal() is not None
        for field in range(100)
        if not left >> field & 1
    )


@pytest.mark.parametrize(
    ("start", "count"),
    [
        # Fields at distance 0 to 5 from a field in the middle of an endless plain: 1 + 4 (1 + 2 + 3 + 4 + 5) = 61;
        # from E5 the board's edge cuts off A0 (distance 5 down) and the field five to the left: 61 - 2.
        ("E5", 59),
        # From a corner: 1 + 2 + 3 + 4 + 5 + 6.
        ("A1", 21),
    ],
)
def test_one_flag_on_flat_ground(start: str, count: int) -> None:
    assert ends(start) == count


def test_one_flag_behind_a_wall() -> None:
    """A1 shut in by B1 and A2, not captured: it stays.

    Capturing A2 costs 2, so 3 points remain from there, and B1 still stands: from A2 in columns A.. with row 1 only
    through A1: distance 0 to 3 from A2 without B1: row 2 upward 1 + 2 + 3 + 4 = 10, A1 below, and C1 by way of B2 and
    C2: 12.
    """
    assert ends("A1", ("B1", "A2")) == 1
    assert ends("A1", ("B1", "A2"), captured=("A2",)) == 12


def test_two_flags_change_roles() -> None:
    """Two flags side by side in a lane of six fields, five points: pairs of fields no farther than five in all.

    In a lane flags keep their order, so the cost is the sum of the shifts: count the pairs a < b with
    |a - 0| + |b - 1| <= 5 in fields 0 to 5. a = 0: b = 1..5; a = 1: b = 2..5; a = 2: b = 3, 4; a = 3: none (b = 4
    costs 3 + 3). That is 5 + 4 + 2 = 11.
    """
    rules, side = red()
    lane = tuple(1 if field < 6 else 0 for field in range(100))
    start = masks(0b11)
    found = [
        (a, b)
        for a in range(6)
        for b in range(a + 1, 6)
        if FlagSearch(rules, side, lane, start, masks(1 << a | 1 << b)).legal() is not None
    ]
    assert len(found) == 11


@pytest.mark.parametrize(
    ("edition", "count"),
    [
        # Red (nw) takes one cube and puts it on a free field; the other two (German) are taken and returned, so what
        # counts is which field may be taken from: the own 25 less six under flags, in each foreign territory the
        # edge (nine fields less six under flags: 3), and F9: E10 and E9 are red's own and open it. Elsewhere the
        # edge next to red's own fields is shut by flags or needs two cubes of one foreign territory.
        ("kosmos-1990", 19 + 3 * 3 + 1),
        # French: the same; two own cubes and one foreign one are three.
        ("ludibay-fr", 19 + 3 * 3 + 1),
    ],
)
def test_single_takes_at_the_start(edition: str, count: int) -> None:
    data = parse_position(position(edition))
    side = side_of(data, Colour.RED)
    before, _ = data.grids
    found = 0
    for field in range(100):
        goal = next(i for i in range(100) if not data.flag_masks[0] >> i & 1 and i != field)
        after = list(before)
        after[field] -= 1
        after[goal] += 1
        search = CubeSearch(data.rules, side, before, tuple(after), data.flag_masks[0])
        found += not search.forced and search.plan(frozenset()) is not None
    assert found == count


def test_triples_of_own_cubes() -> None:
    """Three cubes are taken from three free own stacks of one cube.

    Any multiset of three needs three different ones, of two cubes each seven: all ten multisets of three from three
    stacks less the three that want three cubes of one stack.
    """
    rules, side = red()
    own = Side(Colour.RED, side.home, side.home, side.mates, (), 0, 0, 0, None, True)
    for height, count in ((1, 1), (2, 7), (3, 10)):
        before = (height, height, height, *[0] * 97)
        found = 0
        for taken in combinations_with_replacement(range(3), 3):
            after = list(before)
            for field in taken:
                after[field] -= 1
            after[50] += 3
            if min(after) >= 0:
                search = CubeSearch(rules, own, before, tuple(after), 0)
                found += search.plan(frozenset()) is not None
        assert found == count
