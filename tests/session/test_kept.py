"""Of a look only the board reaches the disk: whoever sits beside it is gone, and the board is as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens import undistort_points
from calibration.masked import FLAT
from calibration.picturefile import decode_picture
from referee.daemon.gamejournal import start_journal
from referee.demo.recording import BUNDLED, Recording
from referee.games import package_named
from referee.match.events import GameStarted
from referee.session.capture import Capture
from referee.session.pictures import encoded, only_boards
from referee.session.readers import reader_of
from referee.storage.evidence import EvidenceStore
from referee.storage.journal import Journal
from tests.archive.game import GAME
from tests.games.terra_turrium.positions import position
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.reading import CameraView

OAK = Path(__file__).parent.parent / "data" / "mats" / "oak"
SKIN, SHIRT = (90, 30, 250), (250, 30, 90)
"""Colours (BGR) of people that nothing on a table has."""
AROUND_MM = 45.0
TEN = 10

Shot = tuple[PoseFinder, str, NDArray[np.uint8]]


def shots() -> Iterator[Shot]:
    """Yield pictures of a grid, a tower and a mat: who reads them, by which camera."""
    tower = package_named("turris").recording
    assert tower is not None
    for folder, looks in ((BUNDLED, 4), (tower, 2)):
        recorded = Recording.open(folder)
        reader = reader_of(package_named(str(recorded.game)).game, folder)
        assert reader is not None
        for look in recorded.looks[:looks]:
            for camera, picture in look.load().items():
                yield reader, camera, picture
    reader = reader_of(package_named("terrabilis").game, OAK)
    assert reader is not None
    yield reader, "cam0", decode_picture((OAK / "000.jpg").read_bytes())


def beside(view: View, reader: PoseFinder) -> NDArray[np.bool_]:
    """Return the pixels (h, w) that show nothing of the board, nor of what may stand on it.

    A line of sight is followed in steps of a centimetre.
    """
    table = reader.table
    width, height = view.lens.size
    x, y = np.meshgrid(np.arange(0, width, 16), np.arange(0, height, 16))
    ideal = undistort_points(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64), view.lens)
    ways = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(view.lens.matrix).T @ view.pose.rotation
    corners = np.concatenate(list(table.markers.values()))
    high_mm = table.base_mm + 13 * table.cube_mm[2] + table.flag.tallest_mm + AROUND_MM
    low = np.append(corners[:, :2].min(axis=0) - AROUND_MM, -5.0)
    high = np.append(corners[:, :2].max(axis=0) + AROUND_MM, high_mm)
    free = np.ones(len(ways), np.bool_)
    for far_mm in np.arange(0.0, 3000.0, 10.0):
        at = view.pose.centre_mm + far_mm * ways
        free &= ~((at >= low) & (at <= high)).all(axis=1)
    return np.asarray(cv2.resize(free.reshape(x.shape).astype(np.uint8), (width, height)), np.bool_)


def crowded(picture: NDArray[np.uint8], place: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Paste people into a place of a picture: patches of two colours."""
    y, x = np.indices(place.shape) // 12
    people = np.where(((x + y) % 2)[..., None] == 0, SKIN, SHIRT).astype(np.uint8)
    return np.asarray(np.where(place[..., None], people, picture), np.uint8)


def people_in(picture: NDArray[np.uint8]) -> int:
    """Return how many pixels have the colours of people, or nearly so."""
    off = [np.abs(picture.astype(np.int64) - colour).max(axis=2) for colour in (SKIN, SHIRT)]
    return int((np.minimum(*off) < 40).sum())


@pytest.mark.long
def test_people_beside_the_board_are_gone_from_the_disk(tmp_path: Path) -> None:
    store, number = EvidenceStore(tmp_path / "pictures", spare_bytes=0), 0
    for number, (reader, camera, picture) in enumerate(shots(), 1):
        place = beside(reader.view(picture, camera), reader)
        full = crowded(picture, place)
        assert people_in(full) > 1000
        views, cameras = reader.views({camera: full})
        assert len(views) == 1, cameras
        kept = store.keep(encoded(only_boards(Capture.of({camera: full}, 0.0), cameras).newest))
        shown = decode_picture(store.picture(kept[camera]) or b"")
        assert shown.shape == picture.shape
        assert people_in(shown) == 0, number
        assert np.abs(shown[place].astype(int) - FLAT).max() < 100
        fields = board_of(views[0], reader)
        assert np.abs(shown[fields].astype(int) - picture[fields]).mean() < 4
    assert number >= TEN


def board_of(view: View, reader: PoseFinder) -> NDArray[np.bool_]:
    """Return the pixels (h, w) of the printed frame and all within it."""
    corners = np.concatenate(list(reader.table.markers.values()))
    seen = view.project(corners).astype(np.float32)
    mask = np.zeros(view.picture_bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(cv2.convexHull(seen)).astype(np.int32), 1)
    return mask.astype(np.bool_)


def test_a_picture_without_the_frame_is_not_kept() -> None:
    """Nobody can tell who is in it."""
    recorded = Recording.open(BUNDLED)
    reader = reader_of(package_named(str(recorded.game)).game, BUNDLED)
    assert reader is not None
    one, other = recorded.looks[0].load().items()
    pictures = dict([one, (other[0], np.full_like(other[1], 90))])
    _, cameras = reader.views(pictures)
    assert cameras[other[0]].reprojection_px is None
    assert list(only_boards(Capture.of(pictures, 0.0), cameras).newest) == [one[0]]


def test_hands_over_the_board_are_kept_unless_they_are_to_be_left_out(tmp_path: Path) -> None:
    shown = {"cam0": np.zeros((48, 64, 3), np.uint8)}
    seen = {"cam0": CameraView(8, 0.2, outline=(((0, 0), (63, 0), (63, 47)),))}
    for hands, clear, kept in ((True, False, True), (False, False, False), (False, True, True)):
        folder = tmp_path / f"{hands}-{clear}"
        evidence = EvidenceStore(folder / "pictures", spare_bytes=0, hands=hands)
        started = GameStarted(GAME.position(position()))
        with Journal(folder / "game.journal") as journal:
            game = start_journal(journal, started, evidence)
            assert bool(game.keep(only_boards(Capture.of(shown, 0.0), seen, clear))) is kept
