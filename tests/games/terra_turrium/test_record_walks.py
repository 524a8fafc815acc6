"""Recorded walks, returns and cubes put back, ruled on act by act."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from referee.games.record import RecordEntry
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.record import RECORDS
from tests.games.terra_turrium.positions import position, start_flags

HEADERS = RECORDS.headers(GAME.position(position()))
WORD = st.text(st.characters(exclude_characters="{}", exclude_categories=["Z", "C"]), min_size=1, max_size=6)
PROSE = st.text(max_size=20).map(lambda text: text.translate(dict.fromkeys(map(ord, "{}\r"))).strip())
NOTE = PROSE.filter(lambda text: text and not text.startswith(("legal", "illegal", "unsure")))
VALUE = st.text(max_size=20).map(lambda text: " ".join(text.splitlines()))


FIGHT = start_flags("kosmos-1990", 4) | {"D7": "red", "D6": "yellow", "E5": "yellow"}
for _away in ("A10", "J6", "J10"):
    del FIGHT[_away]
BACK = {"flags": {k: v for k, v in FIGHT.items() if k not in ("B10", "A9")}, "in_hand": {"red": 2}}


@pytest.mark.parametrize(
    ("moves", "broken"),
    [
        # E7 and E6 stay as high as D7 and D6: two; a capture on the level costs two, a step one.
        ("D7xD6-D5-D4-E4", []),
        ("D7xD6-D5-D4-E4-F4", ["move.points D7 F4"]),
        ("D7xD6-D5 D5xE5", []),
        ("D7xD6-D5xE5-E4", ["move.points D7 E4"]),
        ("D7xD6 D6-D5-D4-E4", []),
        ("D7xD6 D6-D5-D4-E4-F4", ["move.points D7 D6 F4"]),
        ("D7-D8 D8-D7", []),
        ("A9-B9-C9-D9 D7-E7-E6", []),
        ("A9-B9-C9-D9 D7-E7-E6-F6", ["move.points A9 D9 D7 F6"]),
    ],
)
def test_the_points_of_recorded_walks(moves: str, broken: list[str]) -> None:
    ruling = RECORDS.play(
        GAME.position(position(flags=FIGHT)), RecordEntry(1, "red", f"-E8 -D8 -E9 +E8 +D8 +E9 {moves}")
    )
    told = [" ".join((v.rule, *(field.name for field in v.fields))) for v in ruling.violations]
    if "D8" in moves:  # a step of one, up and down
        assert told == []
    else:
        assert [sorted(line.split()) for line in told] == [sorted(line.split()) for line in broken]


def test_recorded_flags_come_back_once_each() -> None:
    start = GAME.position(position(**BACK))
    first = RECORDS.play(start, RecordEntry(1, "red", "-E8 -D8 -E9 +E8 +D8 +E9 *A10 *A9"))
    assert (first.legal, first.violations) == (True, ())
    third = RECORDS.play(start, RecordEntry(1, "red", "-E8 -D8 -E9 +E8 +D8 +E9 *A10 *A9 *B10"))
    assert [(v.rule, [f.name for f in v.fields]) for v in third.violations] == [("flag.count", ["B10"])]
    assert (third.turn, third.next, third.finished, third.legal) == (None, None, False, False)


def test_a_cube_put_back_is_named_where_it_was() -> None:
    forbidden = position(options={"returned_cubes": "forbidden"})
    ruling = RECORDS.play(GAME.position(forbidden), RecordEntry(1, "red", "-E8 -E7 -E6 +E8 +D9 +D9"))
    assert [(v.rule, [f.name for f in v.fields]) for v in ruling.violations] == [("take.count", ["E8"])]
