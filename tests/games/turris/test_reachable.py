"""Towers a turn leads to and towers that can stand, by what was seen of their cells."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.turris.bars import BarColour
from referee.games.turris.parsing import parse_position
from referee.games.turris.reachable import UNKNOWN, Belief, Beliefs, log_p, reachable, standing
from referee.games.turris.ruleset import in_order
from referee.games.turris.tower import NO_TOWER, Tower, parse_tower
from tests.games.turris.positions import built, position, some_options, some_world
from tests.games.turris.reference import text_of, tower_set

SURE, DOUBT = math.log(0.98), math.log(0.01)


def seen(tower: Tower, levels: int, hidden: frozenset[int] = frozenset()) -> list[Belief]:
    """Return what is believed where a tower was seen well but for some cells."""
    colours = {cell: bar.colour for bar in tower.bars for cell in bar.place.cells}
    out = []
    for cell in range(9 * levels):
        colour = colours.get(cell)
        values = [SURE if each is colour else DOUBT for each in (None, BarColour.LIGHT, BarColour.DARK)]
        out.append(UNKNOWN if cell in hidden else Belief(*values))
    return out


START = "D a1.1^, L a2.1^, D b3c3.1"


def test_the_tower_seen_comes_first() -> None:
    before = position(built(START))
    after = parse_tower(built(f"{START}, L b1c1.1"))
    found = reachable(before, seen(after, 5))
    assert found[0].tower == after
    assert found[0].legal
    assert all(a.log_p >= b.log_p for a, b in pairwise(found))
    assert found[0].log_p == pytest.approx(log_p(seen(after, 5), after))


@pytest.mark.long
def test_a_wrong_turn_is_reached_with_rules_lifted_only() -> None:
    before = position(built(START))
    after = parse_tower(built(f"{START}, L c1.1^, L b1b2.2"))
    assert after not in [each.tower for each in reachable(before, seen(after, 5))]
    wrong = next(each for each in reachable(before, seen(after, 5), most_lifted=2) if each.tower == after)
    assert not wrong.legal
    assert 1 <= len(in_order(wrong.lifted)) <= 2


def test_a_hidden_half_leaves_several_towers() -> None:
    before = position(built(START))
    after = parse_tower(built(f"{START}, L b1b2.1"))
    hidden = frozenset({4})
    found = reachable(before, seen(after, 4, hidden), within=3.0)
    assert after in [each.tower for each in found]
    assert {each.tower.text for each in found} >= {after.text}
    assert all(each.log_p > found[0].log_p - 3.0 for each in found)


def test_a_bar_taken_off_is_found_too() -> None:
    before = position(built(START))
    after = parse_tower(built("D a1.1^, L a2.1^, L b1b2.1"))
    assert reachable(before, seen(after, 4))[0].tower == after


def test_a_passed_turn_leaves_the_tower() -> None:
    before = position(built(START))
    found = reachable(before, seen(before.tower, 4), most_lifted=1)
    assert found[0].tower == before.tower
    assert in_order(found[0].lifted) == ("turn.pass",)
    free = position(built(START), options={"pass": "free"})
    assert reachable(free, seen(before.tower, 4))[0].legal


def test_no_more_than_asked_for() -> None:
    before = position(built(START))
    assert len(reachable(before, seen(before.tower, 4), within=1e9, most=3)) == 3
    assert reachable(before, seen(before.tower, 4), states=1) == []


def test_levels_left_out_of_the_beliefs_are_an_error() -> None:
    with pytest.raises(ValueError, match="leave out levels"):
        reachable(position(built(START)), seen(NO_TOWER, 1))


@pytest.mark.long
@settings(max_examples=settings().max_examples // 4)
@given(seed=st.integers(0, 10**9))
def test_legal_turns_are_reached(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(12), some_options(rnd))
    ends = [end for end in world.legal_ends(2) if len(end ^ world.tower) <= 3]
    if not ends:
        return
    end = parse_tower(text_of(rnd.choice(sorted(ends, key=sorted))))
    before = parse_position(world.data)
    found = reachable(before, seen(end, max(end.levels, before.tower.levels) + 2))
    assert end in [one.tower for one in found]  # squares alike may be paired otherwise by another legal turn
    assert found[0].legal


MORE = ("L b1c1.1", "L a3.1^", "L a1a2.3", "L b2c2.1")


@pytest.mark.parametrize("bars", [1, 2, 3, 4])
def test_turns_of_up_to_four_bars_are_reached(bars: int) -> None:
    before = position(built(START))
    after = parse_tower(built(", ".join([START, *MORE[:bars]])))
    found = reachable(before, seen(after, after.levels), most_lifted=1)
    assert found[0].tower == after
    assert found[0].legal is (bars == 1)


def test_a_turn_of_five_bars_is_looked_for_by_nobody() -> None:
    before = position(built(START))
    after = parse_tower(built(", ".join([START, *MORE, "L c2c3.2"])))
    found = reachable(before, seen(after, after.levels), most_lifted=2, within=200.0)
    assert found
    assert after not in [one.tower for one in found]


def test_as_many_as_asked_for_are_returned_and_none_far_less_likely() -> None:
    before = position(built(START))
    beliefs = seen(before.tower, 4, frozenset(range(36)))
    assert len(reachable(before, beliefs, most=7)) == 7
    after = parse_tower(built(f"{START}, L b1c1.1"))
    near = reachable(before, seen(after, 4), within=1.0, most_lifted=1)
    assert [one.tower for one in near] == [after]
    with pytest.raises(ValueError, match="leave out levels"):
        reachable(before, beliefs[:9])


def test_twenty_towers_that_can_stand_are_enough() -> None:
    beliefs: Beliefs = [UNKNOWN] * 18
    assert len(standing(beliefs)) == 20
    assert len(standing(beliefs, most=7)) == 7


def stands(tower: Tower) -> bool:
    cells = {cell for _, own in tower_set(tower.text) for cell in own}
    return all(z == 1 or (x, y, z - 1) in cells for x, y, z in cells)


@pytest.mark.long
@settings(max_examples=settings().max_examples // 4)
@given(seed=st.integers(0, 10**9))
def test_towers_that_can_stand(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(10), {})
    tower = parse_tower(text_of(world.tower))
    beliefs: Beliefs = seen(tower, tower.levels + 1)
    found = standing(beliefs)
    assert all(stands(each) for each, _ in found)
    assert len({each for each, _ in found}) == len(found)
    assert all(p == pytest.approx(log_p(beliefs, each)) for each, p in found)
    best = max(p for _, p in found)
    assert best == pytest.approx(log_p(beliefs, tower))


def test_which_two_squares_are_a_bar_is_left_open() -> None:
    tower = parse_tower(built("L a1b1.1, L a2b2.1"))
    found = standing(seen(tower, 2), most=2)
    assert {each.text for each, _ in found} == {tower.text, built("L a1a2.1, L b1b2.1")}


def test_no_bar_hangs_in_the_air() -> None:
    beliefs = [UNKNOWN] * 9 + seen(parse_tower(built("L a1b1.1")), 1)
    found = standing(beliefs, most=5)
    assert all(stands(each) for each, _ in found)
    assert all({"a1b1.2"} <= {bar.place.name for bar in each.bars} for each, p in found if p == found[0][1])


def test_a_tower_above_the_beliefs_has_no_chance() -> None:
    for levels in (1, 3, 5):
        beliefs = [UNKNOWN] * (9 * levels)
        tower = ", ".join(f"L a1.{level}^" for level in range(1, levels + 1, 2))
        assert log_p(beliefs, parse_tower(built(tower))) == -math.inf
        assert log_p(beliefs + [UNKNOWN] * 9, parse_tower(built(tower))) > -math.inf


def test_no_more_bars_stand_than_there_are() -> None:
    light = [Belief(DOUBT, SURE, DOUBT)] * (9 * 5)
    tower, _ = standing(light, most=1, beam=60)[0]
    assert tower.count(BarColour.LIGHT) == 20
    assert stands(tower)
