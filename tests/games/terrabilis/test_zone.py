"""The Zone: ten places, overflows, and which orders of pouring can end differently."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from referee.games.terrabilis.replay.zone import ImpactZone, orders


def poured(green: int, yellow: int, counters: str) -> ImpactZone:
    zone = ImpactZone(green, yellow)
    zone.pour(counters)
    return zone


def test_the_check_of_the_rules() -> None:
    assert poured(8, 0, "ggg") == ImpactZone(1, 0, 10, 0)
    assert poured(8, 0, "gg") == ImpactZone(10, 0, 0, 0)


@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 4), st.integers(0, 4))
def test_every_way_it_can_end_is_among_the_orders(lying: int, share: int, green: int, yellow: int) -> None:
    start = (min(lying, share), lying - min(lying, share))
    found = [poured(*start, order) for order in orders(green, yellow, 10 - lying)]
    wanted = [poured(*start, "".join(order)) for order in set(permutations("g" * green + "y" * yellow))]
    assert all(zone in found for zone in wanted)
    assert all(zone in wanted for zone in found)
    assert orders(green, yellow, 10 - lying)[0] == "g" * green + "y" * yellow


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 10))
def test_nothing_is_lost_without_being_counted(green: int, yellow: int, lying: int) -> None:
    for order in orders(green, yellow, 10 - lying):
        assert (order.count("g"), order.count("y")) == (green, yellow)
        zone = poured(lying, 0, order)
        assert zone.green + zone.lost_green == lying + green
        assert zone.yellow + zone.lost_yellow == yellow
        assert zone.green + zone.yellow <= 10
    assert len(orders(green, yellow, 10 - lying)) <= 11


@given(st.integers(0, 10), st.integers(0, 5), st.integers(0, 5))
def test_no_more_is_taken_than_lies_there(green: int, take_green: int, take_yellow: int) -> None:
    zone = ImpactZone(green, 10 - green)
    taken = zone.take(take_green, take_yellow)
    assert taken == (min(green, take_green), min(10 - green, take_yellow))
    assert (zone.green, zone.yellow) == (green - taken[0], 10 - green - taken[1])
