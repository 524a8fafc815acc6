"""What pictures told of a tower, as one line and against another reading."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from referee.kinds.tower.observation import TowerEvidence, agreed, as_before, cells_told, has_fallen, outer
from referee.kinds.tower.turn import places_differing, with_places
from referee.values.board import BoardError

SOUTH = frozenset({"south"})


def told(plain: str, surest: str | None = None) -> TowerEvidence:
    return TowerEvidence(plain, plain if surest is None else surest, SOUTH)


@pytest.mark.parametrize("plain", ["", "......EW.", "......EWu/........d"])
def test_one_line_goes_round(plain: str) -> None:
    for sides in (frozenset(), SOUTH, frozenset({"south", "north"})):
        assert TowerEvidence.parse(TowerEvidence(plain, plain, sides).text) == TowerEvidence(plain, plain, sides)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "......EW."),
        ("......EWu/........d", ""),
        ("......EWu/........d", ".......u./.......d."),
        ("ew.......", "ew......."),
    ],
)
def test_the_cells_that_differ_tell_the_tower(before: str, after: str) -> None:
    stood = SimpleNamespace(text=before)
    assert with_places(stood, places_differing(stood, after)) == after
    for name, sign in (("d1.1", "u"), ("A1", "u"), ("a1.1", "uu"), ("a1.1", "")):
        with pytest.raises(BoardError):
            with_places(stood, {name: sign})


def test_hidden_sides_are_those_not_shown() -> None:
    assert told("").hidden == ("east", "north", "west")


@pytest.mark.parametrize(
    ("one", "other", "surest"),
    [
        ("......EW.", "......EW.", "......EW."),
        ("......EW.", "......XX.", "......EW."),  # the same squares, other halves
        ("......EW.", "......??.", "......EW."),  # not seen says nothing against it
        ("......EW.", "", "......??."),
        ("......EW.", "......xX.", "......?W."),
        ("", "......EW.", "......??."),
        ("......EW.", "......EW./......ew.", "......EW./......??."),
        ("......EWu/........d", "......EW.", "......EW?/........?"),
    ],
)
def test_what_another_reading_tells_otherwise_is_not_sure(one: str, other: str, surest: str) -> None:
    assert agreed(told(one), told(other)) == TowerEvidence(one, surest, SOUTH)


@pytest.mark.parametrize(
    ("now", "before", "left"),
    [
        ("......EW.", "......EW.", "......EW."),
        ("......EWu/........d", "......EW.", "......EW?/........?"),  # laid since
        ("......EW.", "......EWu/........d", "......EW?/........?"),  # taken off since
        ("......EW.", "......ew.", "......??."),
        ("......E?.", "......EW.", "......E?."),
    ],
)
def test_only_what_stands_as_before_is_left(now: str, before: str, left: str) -> None:
    assert as_before(told(now), before) == TowerEvidence(left, left, SOUTH)


def test_cells_have_their_names() -> None:
    assert cells_told("n.......S/........d") == {"a3.1": "n", "c1.1": "S", "c1.2": "d"}
    assert [side for side in ("south", "east", "north", "west") if outer("c1.2", side)] == ["south", "east"]


LOW, HIGH = "......EW.", "SSUNNuUew/ewDuSdDNU/.sudn.EWD"


@pytest.mark.parametrize(
    ("before", "now", "fell"),
    [
        (HIGH, "", True),
        (HIGH, "SSUNNuUew", True),
        (HIGH, HIGH, False),
        (HIGH, "?????????/?????????/?????????", False),  # nothing is told
        (HIGH, "SSUNNuUew/ewDuSdDNU/......EWD", False),  # three bars may be taken off
        (LOW, "", False),  # the only bar may be, too
        ("......EW./......ew.", "", True),
        ("......EW./......ew.", "......??.", False),
        ("......EW./......ew.", "......ew./......EW.", True),
        ("", LOW, False),
    ],
)
def test_a_tower_fell_over_where_no_turn_takes_so_much(before: str, now: str, fell: bool) -> None:
    assert has_fallen(before, now) is fell
