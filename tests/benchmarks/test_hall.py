"""What a hall's benchmark calls lost, doubled and out of order: a comparison that finds nothing must be able to."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from benchmarks.__main__ import NAMES
from benchmarks.hallcheck import HeardLine, compared, excused, heard_of, to_know

JOURNALS = {"t": {"old": {1: "a", 2: "b"}, "new": {1: "c", 2: "d", 3: "e"}}}
WANTED = {"t": ["new"]}
HEARD = [
    HeardLine(float(sent), "t", game, number, JOURNALS["t"][game][number], sent)
    for sent, (game, number) in enumerate([("old", 1), ("old", 2), ("new", 1), ("new", 2), ("new", 3)], start=1)
]
KNOWN = {"t": {"new": [(1, "c"), (2, "d"), (3, "e")]}}


def test_what_is_right_is_right_also_where_two_desks_heard_it_and_some_came_again() -> None:
    again = replace(HEARD[3], sent=6)
    found = compared(JOURNALS, WANTED, [HEARD[:2], [*HEARD[2:], again]], KNOWN)
    assert found.wrong == []
    assert (found.events, found.copies) == (5, 1)


def test_every_fault_is_found() -> None:
    lost = compared(JOURNALS, WANTED, [HEARD[1:]], KNOWN)
    assert lost.wrong == ["1 events lost, such as event 1 of game old at table t"]
    over = compared(JOURNALS, WANTED, [HEARD[1:]], KNOWN, {("t", "old", 1)})
    assert (over.wrong, over.unheard) == ([], 1)
    lacking = compared(JOURNALS, WANTED, [HEARD], {"t": {"new": [(1, "c"), (3, "e")]}})
    assert lacking.lacking == ["event 2 of game new at table t"]
    torn = compared(JOURNALS, WANTED, [[*HEARD, replace(HEARD[-1], hash="x", sent=9)]], KNOWN)
    assert torn.foreign == ["event 3 of game new at table t"]
    swapped = compared(JOURNALS, WANTED, [[HEARD[0], HEARD[2], HEARD[1], *HEARD[3:]]], KNOWN)
    assert swapped.overtaken == ["event 2 of game old at table t"]


def test_what_follows_and_comes_first_is_out_of_order_unless_it_was_asked_for_again() -> None:
    """Also where each message has a later stamp than the one before: the table itself may have mixed them up."""
    one, two, three = HEARD[2:]
    for behind in ([], [replace(three, sent=9)]):
        heard = [*HEARD[:2], one, replace(three, sent=6), replace(two, sent=7), *behind]
        found = compared(JOURNALS, WANTED, [heard], KNOWN)
        assert found.overtaken == ([] if behind else ["event 2 of game new at table t"])
    cut = [*HEARD[:2], one, three, replace(two, sent=7)]
    assert compared(JOURNALS, WANTED, [cut, HEARD], KNOWN).overtaken == [], "killed while it caught up"


def test_only_what_was_written_while_no_desk_was_there_is_excused() -> None:
    written_s = {(table, line.game, line.number): line.at_s for line in HEARD for table in ("t", "silent")}
    came = [replace(HEARD[4], at_s=4.5)]
    assert excused(written_s, 1.5, came) == {("t", "old", 2)}, "the game is asked for of which it heard something"
    assert excused(written_s, 1.5, []) == set(), "a table that is never heard again is a finding"
    assert excused(written_s, 5.0, [replace(HEARD[0], at_s=9.0)]) == set()
    assert to_know(JOURNALS, {"t": "new"}, HEARD[1:2], 4) == {"t": ["old", "new"]}
    assert to_know(JOURNALS, {"t": "new"}, HEARD[1:2], 1) == to_know(JOURNALS, {"t": "new"}, [], 4) == WANTED


def test_a_line_that_was_cut_off_is_none(tmp_path: Path) -> None:
    log = tmp_path / "desk.log"
    whole = "1.5 event t old 1 a 7\n"
    log.write_text(f"{whole}2.5 ruling t old 2\n3.5 ev", encoding="ascii")
    assert heard_of(log) == [HeardLine(1.5, "t", "old", 1, "a", 7)]


def test_every_section_can_be_measured() -> None:
    assert {"hall", "latency", "turris"} <= set(NAMES)
    assert all(callable(import_module(f"benchmarks.{name}").measure) for name in NAMES)
