"""What a hall's benchmark calls lost, doubled and out of order: a comparison that finds nothing must be able to."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.hallcheck import HeardLine, compared

JOURNALS = {"t": {"old": {1: "a", 2: "b"}, "new": {1: "c", 2: "d", 3: "e"}}}
PLAYING = {"t": "new"}
HEARD = [
    HeardLine(float(sent), "t", game, number, JOURNALS["t"][game][number], sent)
    for sent, (game, number) in enumerate([("old", 1), ("old", 2), ("new", 1), ("new", 2), ("new", 3)], start=1)
]
KNOWN = {"t": {"new": [(1, "c"), (2, "d"), (3, "e")]}}


def test_what_is_right_is_right_also_where_two_desks_heard_it_and_some_came_again() -> None:
    again = replace(HEARD[3], sent=6)
    found = compared(JOURNALS, PLAYING, [HEARD[:2], [*HEARD[2:], again]], KNOWN)
    assert found.wrong == []
    assert (found.events, found.copies) == (5, 1)


def test_every_fault_is_found() -> None:
    lost = compared(JOURNALS, PLAYING, [HEARD[1:]], KNOWN)
    assert lost.wrong == ["1 events lost, such as event 1 of game old at table t"]
    over = compared(JOURNALS, PLAYING, [HEARD[1:]], KNOWN, {("t", "old")})
    assert (over.wrong, over.unheard) == ([], 1)
    lacking = compared(JOURNALS, PLAYING, [HEARD], {"t": {"new": [(1, "c"), (3, "e")]}})
    assert lacking.lacking == ["event 2 of game new at table t"]
    torn = compared(JOURNALS, PLAYING, [[*HEARD, replace(HEARD[-1], hash="x", sent=9)]], KNOWN)
    assert torn.foreign == ["event 3 of game new at table t"]
    swapped = compared(JOURNALS, PLAYING, [[HEARD[0], HEARD[2], HEARD[1], *HEARD[3:]]], KNOWN)
    assert swapped.overtaken == ["event 2 of game old at table t"]
