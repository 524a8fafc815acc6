"""What makes a table fit, and what does not: one figure spoilt at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.certificate.figures import SetupFigures, SightFigures
from referee.certificate.values import Certificate, CertificateError, Check, Grade
from referee.games.terra_turrium.colours import Colour
from referee.values.board import Field
from referee.values.words import LANGUAGES, say
from tests.certificate.figures import LOST, OTHER, RIGHT, SIGHT, SOUND, certificate, grid, spoilt

GOOD, WARNING, BAD = Grade.GOOD, Grade.WARNING, Grade.BAD
DIFFERENCE = ((Field(0, 0),), say("no camera sees the frame"))


def test_a_sound_table_is_fit() -> None:
    found = certificate()
    assert found.grade is GOOD
    assert all(check.advice is None for part in found.cameras for check in part.checks)


@pytest.mark.parametrize(
    ("changes", "alone"),
    [
        ({"reprojection_px": 1.0}, WARNING),
        ({"reprojection_px": 2.5}, BAD),
        ({"markers": 5}, WARNING),
        ({"markers": 6}, GOOD),
        ({"edge_px": 4.5}, WARNING),
        ({"edge_px": 9.0}, BAD),
        ({"burnt": 0.1}, WARNING),
        ({"burnt": 0.4}, BAD),
        ({"black": 0.2}, WARNING),
        ({"paper": 70.0}, WARNING),
        ({"paper": 30.0}, BAD),
        ({"field_px": 20.0}, WARNING),
        ({"field_px": 10.0}, BAD),
        ({"levels_px": (1.0, 6.0)}, WARNING),
        ({"outside": 3}, WARNING),
    ],
)
def test_one_figure_of_a_camera(changes: dict[str, Any], alone: Grade) -> None:
    """Alone it decides; beside a sound camera it is a warning at worst."""
    worse = spoilt(**changes)
    assert certificate((worse,)).grade is alone
    assert certificate((worse, OTHER)).grade is (GOOD if alone is GOOD else WARNING)
    (part,) = certificate((worse,)).cameras
    assert part.grade is alone
    assert all((check.advice is None) == (check.grade is GOOD) for check in part.checks)


def test_flags_that_look_alike() -> None:
    alike = {"colour_gap": 7.0, "colours": (Colour.RED, Colour.YELLOW)}
    assert certificate((spoilt(**alike),)).grade is BAD
    # The other camera tells them apart.
    assert certificate((spoilt(**alike), OTHER)).grade is WARNING
    assert certificate((spoilt(colour_gap=None, colours=None),)).grade is WARNING


def test_a_lost_camera() -> None:
    assert certificate((SOUND, LOST)).grade is WARNING
    none = certificate((LOST,), replace(RIGHT, problem=say("no camera sees the frame")), None)
    assert (none.grade, none.maps, none.spot) == (BAD, (), None)


@pytest.mark.parametrize(
    ("best", "hidden", "grade"),
    [(20.0, 0.0, GOOD), (4.0, 0.0, WARNING), (2.0, 0.0, BAD), (20.0, 0.2, WARNING), (20.0, 0.5, BAD)],
)
def test_what_all_cameras_see_together(best: float, hidden: float, grade: Grade) -> None:
    assert certificate(sight=SightFigures(grid(best), grid(hidden), None, 0.0)).grade is grade


@pytest.mark.parametrize(
    ("setup", "grade"),
    [
        (RIGHT, GOOD),
        (replace(RIGHT, clear=False), WARNING),
        (replace(RIGHT, doubtful=(Field(1, 1),)), GOOD),
        (replace(RIGHT, doubtful=tuple(Field(0, col) for col in range(8))), WARNING),
        (replace(RIGHT, doubtful=tuple(Field(row, col) for row in range(3) for col in range(10))), BAD),
        (replace(RIGHT, differences=(DIFFERENCE,)), WARNING),
        (replace(RIGHT, differences=(DIFFERENCE,) * 11), BAD),
        (replace(RIGHT, problem=say("no camera sees the frame")), BAD),
    ],
)
def test_the_set_up(setup: SetupFigures, grade: Grade) -> None:
    assert certificate(setup=setup).grade is grade


def test_one_more_camera_is_advised_only_where_it_helps() -> None:
    def words(hidden: float, after: float) -> str:
        sight = SightFigures(grid(20.0), grid(hidden), (-300.0, 300.0, 800.0), after)
        spot = certificate((SOUND, OTHER, replace(SOUND, name="cam2")), sight=sight).spot
        assert spot is not None
        return spot.words.text()

    assert words(0.2, 2.0).startswith("One more camera helps most at the upper left corner, 42 cm from")
    assert "about 2.0 instead of 20 fields" in words(0.2, 2.0)
    assert words(0.05, 0.5).startswith("One more camera is not needed.")
    assert words(0.01, 0.5) == "One more camera would help little."


def test_with_fewer_than_three_cameras_one_more_is_recommended_and_why() -> None:
    def words(hidden: float) -> str:
        spot = certificate(cameras=(SOUND, OTHER), sight=replace(SIGHT, hidden=grid(hidden), extra_hidden=0.5)).spot
        assert spot is not None
        return spot.words.text()

    for hidden in (0.01, 0.2):
        assert words(hidden).startswith("Three cameras from three sides are recommended")
        assert "at the upper left corner" in words(hidden)
    assert "The next helps most at the upper left corner" in words(0.2)
    assert "about 0.5 instead of 20 fields" in words(0.2)
    assert "instead of 1.0" not in words(0.01)  # hardly any: it is recommended for what two see alike


def test_a_certificate_goes_round() -> None:
    setup = replace(RIGHT, doubtful=(Field(1, 1),), differences=(DIFFERENCE,))
    for one in (certificate(), certificate((SOUND, LOST), setup), certificate((LOST,), RIGHT, None)):
        data = one.to_json()
        again = Certificate.from_json(data)
        assert again == one
        assert again.to_json() == data
        assert data["verdict"] == one.grade.value


@pytest.mark.parametrize(
    "data", [None, [], {}, {"certificate": 2}, {"certificate": 1}, certificate().to_json() | {"maps": [{}]},
             certificate().to_json() | {"doubtful": ["Z"]}, certificate().to_json() | {"half_mm": [1]}],
)  # fmt: skip
def test_what_is_no_certificate(data: object) -> None:
    with pytest.raises(CertificateError):
        Certificate.from_json(data)


def test_numbers_are_written_as_people_do() -> None:
    def reprojection(language: str) -> str:
        check: Check = certificate().cameras[0].checks[1]
        return check.value.text(language)

    assert [reprojection(language) for language in LANGUAGES] == ["0.20 px", "0,20 px", "0,20 px", "0,20 px"]


def test_sight_is_told_with_its_worst_field() -> None:
    best = (*SIGHT.best_px[:9], (20.0,) * 9 + (3.0,))
    (check,) = [
        check for check in certificate(sight=replace(SIGHT, best_px=best)).checks
        if check.what.text().startswith("Heights")
    ]  # fmt: skip
    assert (check.grade, check.value.text()) == (WARNING, "at least 3.0 px a level")
