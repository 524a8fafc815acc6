"""A tower shown by a camera in a hand: which side is asked for, and which pictures make a view."""

from __future__ import annotations

import numpy as np
import pytest

from referee.kinds.tower.observation import SIDES, TowerEvidence
from referee.kinds.tower.walking import ELEVATION_DEG, one_by_one, show_side, uncovered, without
from referee.match.events import CameraNote
from referee.session.capture import Pictures
from vision.nextview import place_at

PICTURE = np.zeros((2, 2, 3), np.uint8)


def evidence(*shown: str, surest: str = "EW.......") -> TowerEvidence:
    return TowerEvidence("EW.......", surest, frozenset(shown))


def taken(*azimuths_deg: float) -> list[CameraNote]:
    """Return the notes of pictures by a phone from these sides."""
    places = [place_at(azimuth, ELEVATION_DEG, 400.0) for azimuth in azimuths_deg]
    return [CameraNote(f"phone#{number}", 8, 0.1, None, tuple(at.tolist())) for number, at in enumerate(places, 1)]


@pytest.mark.parametrize(
    ("shown", "azimuths", "wanted", "says"),
    [
        (("south",), (0.0,), (135, 225), "Come round to the"),
        (("south", "east"), (45.0,), (225,), "Go to the opposite side"),
        (("south", "east", "west"), (0.0, 90.0, 270.0), (180, 225), "Come round to the left"),
        (("south", "east", "north"), (0.0, 90.0, 225.0), (270,), "Come a little to the right"),
    ],
)
def test_the_sides_that_no_picture_shows_are_asked_for(
    shown: tuple[str, ...], azimuths: tuple[float, ...], wanted: tuple[int, ...], says: str
) -> None:
    found = show_side(evidence(*shown), taken(*azimuths))
    assert found is not None
    assert found.azimuth_deg in wanted
    assert found.words.text("en").startswith(says)
    assert "no picture shows" in found.words.text("en")


def test_then_those_with_cells_in_doubt_are_asked_for_until_two_pictures_show_them() -> None:
    told = evidence(*SIDES, surest="E?.......")  # b3.1, in the back row
    found = show_side(told, taken(45, 225))
    assert found is not None
    assert found.azimuth_deg in (135, 180)
    assert [field.name for field in found.fields] == ["b3.1"]
    assert show_side(told, taken(45, 225, 135)) is None


def test_nobody_is_asked_where_no_picture_is_by_hand_or_nothing_is_open() -> None:
    assert show_side(evidence("south"), [CameraNote("left", 8, 0.1)]) is None
    assert show_side(evidence(*SIDES), taken(45, 225)) is None


def test_each_picture_from_the_hand_is_a_view_and_those_of_fixed_cameras_are_one() -> None:
    other = PICTURE.copy()
    views: list[Pictures] = [{"left": PICTURE, "phone#1": other, "right": PICTURE, "phone#2": PICTURE}]
    assert [list(view) for view in one_by_one(views)] == [["left", "right"], ["phone#1"], ["phone#2"]]
    assert one_by_one([{"left": PICTURE}]) == ({"left": PICTURE},)
    assert without((("south", {"left": PICTURE}), ("", {"left": other})), [{"left": other}]) == (
        ("south", {"left": PICTURE}),
    )


def test_a_covered_view_is_left_out_by_its_number_among_all_that_were_read() -> None:
    earlier = [("south", {"a": PICTURE}), ("east", {"b": PICTURE})]
    views: list[Pictures] = [{"phone#1": PICTURE}, {"phone#2": PICTURE}]
    for covered, left in (({1}, ["a", "phone#1", "phone#2"]), ({0, 3}, ["b", "phone#1"])):
        before, now = uncovered(earlier, views, covered)
        assert [name for _, one in before for name in one] + [name for one in now for name in one] == left
