"""Orders of pouring that nobody declared: those that come to the same are tried once, and nothing is missed by it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.terrabilis.answer import answer, parse_case
from referee.games.terrabilis.replay import whole
from referee.games.terrabilis.replay.turn import Picks
from tests.games.terrabilis.positions import COPY, position, request, roll, sets_of

Counters = dict[str, int]

FOUR = "red blue green yellow"
RICH = {"green": 40, "yellow": 40}
ENTRIES = st.lists(
    st.fixed_dictionaries({"who": st.sampled_from(["self", "others", "all"])}).flatmap(
        lambda who: st.fixed_dictionaries({"green": st.integers(-3, 2), "yellow": st.integers(-3, 2)}).map(
            lambda moved: who | moved
        )
    ),
    min_size=1,
    max_size=2,
)
ZONES = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(
    lambda z: {"green": z[0], "yellow": min(z[1], 10 - z[0])}
)


class AllPicks(Picks):
    """Every combination, also those that come to the same."""

    def pick(self, count: int, state: Hashable) -> int:
        return super().pick(count, (state, tuple(self.taken)))


def struck(entries: list[dict[str, Any]], lying: Counters, seen: Counters, players: str) -> dict[str, Any]:
    """Return a turn in which a hazard strikes, as a request."""
    before = position(dict.fromkeys(players.split(), RICH), players, zone=lying)
    storm = COPY | {"hazards": [{"id": "deluge", "name": "Deluge", "entries": entries}]}
    return request(before, [roll(1, 1), {"hazard": "deluge"}], zone=seen) | {"copy": storm}


@given(ENTRIES, ZONES, ZONES, st.sampled_from(["red blue", "red blue green"]))
def test_merged_orders_end_as_all_of_them(
    entries: list[dict[str, Any]], lying: Counters, seen: Counters, players: str
) -> None:
    case = parse_case(struck(entries, lying, seen, players))
    merged = whole.replay(case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "Picks", AllPicks)
        patch.setattr(whole, "MOST_ORDERS", 100_000)
        every = whole.replay(case)
    assert (merged.complete, every.complete) == (True, True)
    assert (merged.agrees, merged.asked, merged.differences) == (every.agrees, every.asked, every.differences)
    assert merged.runs <= every.runs
    if merged.agrees:
        assert whole.position_after(merged.turn) == whole.position_after(every.turn)


def test_orders_of_many_are_all_tried() -> None:
    """Four players pour five of both colours twice: more than 60,000 combinations, of which few differ."""
    entries = [{"who": "all", "green": -5, "yellow": -5}] * 2
    asked = struck(entries, {"green": 4, "yellow": 2}, {"green": 9, "yellow": 0}, FOUR)
    found = answer(asked)
    assert sets_of(found)[0] == ["zone.seen"]
    assert "complete" not in found
    assert whole.replay(parse_case(asked)).runs < whole.MOST_ORDERS
