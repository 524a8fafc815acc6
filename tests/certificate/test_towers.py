"""The certificate of a table on which a tower is built: every level must be seen however the board is turned."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.lens import Lens
from referee.certificate.values import Certificate, Grade
from referee.daemon.tablecheck import Occasion, certify
from referee.games import game_named
from tests.vision.tower.scene import SIZE, draw, lens, pose, table, write_table
from vision.assessment.legibility import Eye
from vision.assessment.turntable import level_px, levels_in_view
from vision.tower.reader import TowerReader

GAME = game_named("turris")
ONE = "......EW."


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> TowerReader:
    return TowerReader.open(write_table(tmp_path_factory.mktemp("towers") / "table"))


def checked(reader: TowerReader, tower: str | None) -> Certificate:
    pictures = {} if tower is None else {"cam0": draw(tower, pose(3))}
    return certify(GAME, reader, pictures, {}, Occasion("table", "2026-11-22"))


def grades(certificate: Certificate) -> dict[str, Grade]:
    return {check.what.text(): check.grade for check in certificate.checks}


def test_an_empty_base_that_is_seen_well_is_fit(reader: TowerReader) -> None:
    found = checked(reader, "")
    assert found.grade is Grade.GOOD
    assert set(grades(found)) == {
        "Cameras",
        "Levels in view when the tower is turned",
        "Height of a level",
        "Set-up as read",
    }
    assert Certificate.from_json(found.to_json()) == found


def test_a_bar_on_the_base_is_no_set_up(reader: TowerReader) -> None:
    found = checked(reader, ONE)
    assert grades(found)["Set-up as read"] is not Grade.GOOD
    assert [place.name for places, _ in found.differences for place in places] == ["a1.1", "b1.1"]


def test_a_camera_without_a_picture_is_lost(reader: TowerReader) -> None:
    found = checked(reader, None)
    assert found.grade is Grade.BAD
    assert [part.grade for part in found.cameras] == [Grade.BAD]


def test_levels_that_leave_the_picture_are_not_in_view() -> None:
    """The picture is cut from above: fewer levels of a tower that is turned stay in it."""
    seen = []
    for up_px in (0, 150, 330):
        matrix = lens().matrix.copy()
        matrix[1, 2] -= up_px
        moved = Lens(SIZE, matrix, np.zeros(5), 0.1)
        levels = {levels_in_view(Eye(moved, pose(turned)), table()) for turned in (3, 131)}
        assert len(levels) == 1, "however the board is turned"
        seen += levels
    assert seen[0] >= 11
    assert seen == sorted(set(seen), reverse=True)


def test_a_level_is_as_high_as_a_bar_is_wide_in_the_picture() -> None:
    near, far = level_px(Eye(lens(), pose(3)), table()), level_px(Eye(lens(), pose(3, distance_mm=1200)), table())
    assert 20 < near < 40
    assert far < near
