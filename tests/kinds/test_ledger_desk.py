"""The desk at which a mat is taught: what is tapped lands in the table's folder, what is wrong is told."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from referee.games.terrabilis.engine import GAME
from referee.kinds.ledger.desk import MatDesk
from tests.vision.ledger.laid import laid, with_spots, with_star
from vision.geometry.view import PHOTOGRAPHS
from vision.ledger.places import NOWHERE
from vision.ledger.reader import MatReader
from vision.ledger.teaching import taught_places
from vision.sources.camera import Camera

OAK = Path(__file__).parents[1] / "data" / "mats" / "oak"


class OnePicture:
    """A camera that shows one picture of the mat, or nothing."""

    def __init__(self, name: str) -> None:
        self.shown: Any = np.asarray(cv2.imread(str(OAK / name)), np.uint8)
        self.state = SimpleNamespace(seeing=True)

    def newest(self) -> Any:
        return SimpleNamespace(load=lambda: self.shown)


class Desk:
    def __init__(self, folder: Path) -> None:
        shutil.copytree(OAK, folder, ignore=shutil.ignore_patterns("*.jpg", "places.json", "mat.png"))
        self.taught = MatReader.open(OAK)
        self.folder, self.camera = folder, OnePicture("000.jpg")
        self.playing = MatReader(self.taught.table, folder, NOWHERE)
        self.desk = MatDesk(GAME, self.playing, {"cam0": cast(Camera, self.camera)})

    def taps(self, points_mm: Any) -> list[list[float]]:
        """Return where places of the mat are tapped in its picture."""
        (view,), _ = self.taught.views({"cam0": self.camera.shown})
        flat = np.atleast_2d(np.asarray(points_mm, np.float64))
        at = view.project(np.column_stack([flat, np.zeros(len(flat))]))
        return [[float(x) / 959, float(y) / 719] for x, y in at]

    def part(self, name: str) -> dict[str, Any]:
        parts: Any = self.desk.view("en")["parts"]
        return next(part for part in parts if part["id"] == name)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "oak")


def test_taps_become_places_that_count_at_once_and_stay(desk: Desk) -> None:
    track = desk.taught.places.track
    assert desk.desk.show("track", "cam0", desk.taps(track)).accepted
    assert np.allclose(desk.playing.places.track, track, atol=0.5)
    assert np.allclose(taught_places(desk.folder).track, track, atol=0.5)
    part = desk.part("track")
    assert part["taught"] == len(track)
    assert np.allclose(part["marks"]["cam0"], desk.taps(track), atol=0.002)


def test_the_empty_mat_is_pictured(desk: Desk) -> None:
    assert desk.desk.view("en")["empty"] is False
    assert desk.desk.photograph("cam0").accepted
    assert desk.desk.view("de")["empty"] is True
    assert taught_places(desk.folder).mat is not None


def test_photographs_teach_where_no_camera_looks_on(desk: Desk) -> None:
    """Their lens becomes known with the first one."""
    newest: list[Any] = []
    teacher = MatDesk(GAME, desk.playing, {}, lambda: newest[-1] if newest else None)
    assert teacher.view("en")["cameras"] == []
    assert not teacher.photograph(PHOTOGRAPHS).accepted
    desk.playing.know(PHOTOGRAPHS, desk.taught.lens("cam0"))
    newest.append(desk.camera.shown)
    assert teacher.view("en")["cameras"] == [{"name": PHOTOGRAPHS, "sees": True}]
    assert teacher.photograph(PHOTOGRAPHS).accepted
    track = desk.taught.places.track
    assert teacher.show("track", PHOTOGRAPHS, desk.taps(track)).accepted
    assert np.allclose(taught_places(desk.folder).track, track, atol=0.5)


@pytest.mark.parametrize("turned", [False, True])
def test_any_two_opposite_corners_make_an_area(desk: Desk, turned: bool) -> None:
    corners = [(40.0, -110.0), (180.0, 20.0)]
    given = [(corners[0][0], corners[1][1]), (corners[1][0], corners[0][1])] if turned else corners
    assert desk.desk.show("rolled_on", "cam0", desk.taps(given)).accepted
    assert desk.playing.places.rolled_on is not None
    assert np.allclose(desk.playing.places.rolled_on, corners, atol=1.0)


def test_a_colour_is_taken_from_the_picture_once_its_places_are_known(desk: Desk) -> None:
    desk.camera.shown = OnePicture("002.jpg").shown
    tap = desk.taps(desk.taught.places.spots[:1])
    refused = desk.desk.show("counters.green", "cam0", tap)
    assert (refused.accepted, refused.code) == (False, "order")
    assert refused.words is not None
    assert "Impact Zone" in refused.words.text()
    assert desk.desk.show("zone", "cam0", desk.taps(desk.taught.places.spots)).accepted
    assert desk.desk.show("counters.green", "cam0", tap).accepted
    assert desk.playing.places.counters["green"].shape == (3,)
    assert desk.desk.show("counters.green", "cam0", []).accepted
    assert desk.playing.places.counters == {}


def test_cards_of_one_player_leave_the_others_alone(desk: Desk) -> None:
    for word, points in desk.taught.places.cards.items():
        assert desk.desk.show(f"cards.{word}", "cam0", desk.taps(points)).accepted
    assert desk.desk.show("cards.red", "cam0", []).accepted
    assert list(taught_places(desk.folder).cards) == ["blue"]


@pytest.mark.parametrize(
    ("part", "taps", "code", "told"),
    [
        ("nowhere", [[0.5, 0.5]], "no-part", "no such part"),
        ("rolled_on", [[0.5, 0.5]], "taps", "further apart"),
        ("rolled_on", [[0.5, 0.5], [0.505, 0.5]], "taps", "further apart"),
        ("zone", [[0.5, 0.5], [0.6, 0.6], [0.501, 0.5]], "taps", "Tap 3 lies on tap 1"),
    ],
)
def test_what_is_wrong_with_taps_is_told(desk: Desk, part: str, taps: Any, code: str, told: str) -> None:
    outcome = desk.desk.show(part, "cam0", taps)
    assert (outcome.accepted, outcome.code) == (False, code)
    assert outcome.words is not None
    assert told in outcome.words.text()
    assert not (desk.folder / "places.json").exists()


@pytest.mark.parametrize("how", ["covered", "away", "unknown"])
def test_without_the_frame_nothing_is_taught(desk: Desk, how: str) -> None:
    if how == "covered":
        desk.camera.shown = np.zeros_like(desk.camera.shown)
    desk.camera.state.seeing = how != "away"
    name = "cam9" if how == "unknown" else "cam0"
    assert desk.desk.photograph(name).code == "no-frame"
    assert desk.desk.show("zone", name, [[0.5, 0.5]]).code == "no-frame"
    assert (desk.desk.picture(name) is None) == (how != "covered")
    view: Any = desk.desk.view("fr")
    assert [camera["sees"] for camera in view["cameras"]] == [how == "unknown"]


def test_a_tapped_face_is_kept_as_the_symbol_of_its_number(desk: Desk) -> None:
    red, white, at = (40, 40, 160), (235, 235, 235), (110.0, -45.0)
    (view,), _ = desk.taught.views({"cam0": desk.camera.shown})

    def tapped(face: Any, part: str) -> Any:
        desk.camera.shown = laid(view, face, desk.playing.die_mm, at, 0.4)
        x, y = view.project(np.array([[*at, desk.playing.die_mm]]))[0]
        return desk.desk.show(part, "cam0", [[float(x) / 959, float(y) / 719]])

    assert desk.desk.show("rolled_on", "cam0", desk.taps([(40.0, -110.0), (180.0, 20.0)])).accepted
    assert desk.part("symbols.6")["taught"] == 0
    assert tapped(with_star(red, white, 5), "symbols.6").accepted
    assert desk.part("symbols.6")["taught"] == 1
    assert list(taught_places(desk.folder).symbols) == [6]
    assert desk.playing.read({"cam0": desk.camera.shown}).dice[0].face == 6
    for face, told in (
        (with_star(red, white, 5), "symbol of another"),
        (with_spots(red, white, [(0.5, 0.5)]), "as the 1"),
    ):
        outcome = tapped(face, "symbols.2")
        assert (outcome.accepted, outcome.code) == (False, "taps")
        assert told in outcome.words.text()
    assert desk.desk.show("symbols.6", "cam0", []).accepted
    assert desk.playing.places.symbols == taught_places(desk.folder).symbols == {}


def test_sizes_are_kept_and_bounded(desk: Desk) -> None:
    assert desk.desk.measure({"card-width": 44.0, "pawn-width": 15.0}).accepted
    assert desk.playing.places.card_mm[0] == 44.0
    assert taught_places(desk.folder).pawn_mm == (22.0, 7.5)
    for sizes in ({"card-width": 0.5}, {"card-width": 900.0}, {"hat": 20.0}):
        assert desk.desk.measure(sizes).code == "sizes"


def test_a_folder_that_can_not_be_written_is_told_and_nothing_counts(desk: Desk) -> None:
    shutil.rmtree(desk.folder)
    outcome = desk.desk.show("zone", "cam0", desk.taps(desk.taught.places.spots))
    assert (outcome.accepted, outcome.code) in {(False, "disk"), (False, "no-frame")}
    assert not len(desk.playing.places.spots)
