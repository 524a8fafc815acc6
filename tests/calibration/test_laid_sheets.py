"""The printed pieces, cut out and laid around a board in a picture: located, and no hand seen where there is none."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from calibration.frame import refine_frame, sight_frame
from calibration.layout import design_frame, pieces
from calibration.pose import Pose, find_pose
from calibration.printing.paper import PAPERS
from calibration.printing.sheets import sheets_pdf
from calibration.printing.strips import place_pieces
from calibration.table import TableSetup
from referee.cli.sheet_words import sheet_texts
from tests.scene import SIZE, lens, pose, table
from vision.geometry.view import View
from vision.obstruction.obstruction import find_foreign

PX = 6.0
"""Pixels per mm of the pages and of the table from above."""
HALF_MM = 230.0


def on_table(points_mm: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return table points as pixels of the view from above."""
    return np.stack([(points_mm[..., 0] + HALF_MM) * PX, (HALF_MM - points_mm[..., 1]) * PX], axis=-1).astype(
        np.float32
    )


def laid(known: TableSetup, off_mm: float = 0.0) -> tuple[NDArray[np.uint8], dict[int, NDArray[np.float64]]]:
    """Lay the cut pieces on the table, each a little off. Return the view from above, and where the markers lie."""
    rng = np.random.default_rng(2)
    document = pypdfium2.PdfDocument(sheets_pdf(known, "a4", sheet_texts(known, "a4", "de")))
    side = int(2 * HALF_MM * PX)
    picture = np.full((side, side, 3), (70, 95, 60), np.uint8)
    true: dict[int, NDArray[np.float64]] = {}
    for placed in place_pieces(pieces(known), PAPERS["a4"]):
        page = document[1 + placed.page].render(scale=PX * 25.4 / 72).to_numpy()
        piece = placed.piece
        shift = rng.normal(0, off_mm, 2) if off_mm else np.zeros(2)
        inwards = np.array([piece.along[1], -piece.along[0]])
        spots = np.array([(0.0, 0.0), (piece.length_mm, 0), (piece.length_mm, piece.width_mm), (0, piece.width_mm)])
        lie = piece.start + spots[:, :1] * piece.along + spots[:, 1:] * inwards + shift
        from_px = placed.from_piece(spots) * (1, -1) * PX + (-0.5, PAPERS["a4"][1] * PX - 0.5)
        warp = cv2.getAffineTransform(from_px[:3].astype(np.float32), on_table(lie)[:3])
        moved = cv2.warpAffine(page, warp, (side, side), flags=cv2.INTER_LINEAR)
        mask = np.zeros((side, side), np.uint8)
        cv2.fillConvexPoly(mask, np.round(on_table(lie)).astype(np.int32), 255)
        picture[mask > 0] = (moved[mask > 0] * 0.8).astype(np.uint8)
        for number in piece.markers:
            true[number] = known.markers[number] + np.array([*shift, 0.0])
    half_x, half_y = 142.0, 142.0
    board = np.array([[-half_x, half_y], [half_x, half_y], [half_x, -half_y], [-half_x, -half_y]])
    cv2.fillConvexPoly(picture, np.round(on_table(board)).astype(np.int32), (60, 90, 150))
    return picture, true


def seen(above: NDArray[np.uint8], at: Pose, height_mm: float) -> NDArray[np.uint8]:
    """Return what a camera without distortion sees of a flat table."""
    corners = np.array([[-HALF_MM, HALF_MM], [HALF_MM, HALF_MM], [HALF_MM, -HALF_MM], [-HALF_MM, -HALF_MM]])
    in_space = np.column_stack([corners, np.full(4, height_mm)])
    warp = cv2.getPerspectiveTransform(on_table(corners), at.project(in_space, lens(False)).astype(np.float32))
    soft = cv2.GaussianBlur(above, (0, 0), 2.4)  # the picture has a fifth of the pixels
    return np.asarray(cv2.warpPerspective(soft, warp, SIZE, borderValue=(70, 95, 60)), np.uint8)


@pytest.fixture(scope="module")
def known() -> TableSetup:
    return dataclasses.replace(
        table(),
        columns=10,
        rows=10,
        pitch_mm=(22.0, 22.0),
        cube_mm=(20.5, 20.5, 13.0),
        marker_size_mm=28.0,
        markers=design_frame((284, 284), -2.0, 28.0),
        margin_fields={},
    )


@pytest.mark.long
@pytest.mark.parametrize("azimuth_deg", [-90, 25])
def test_the_laid_sheets_are_located_and_nothing_foreign_is_seen(known: TableSetup, azimuth_deg: float) -> None:
    above, _ = laid(known)
    true = pose(azimuth_deg, 750, 430)
    picture = seen(above, true, -2.0)
    found = find_pose(picture, lens(False), known)
    assert found.markers >= 15
    assert np.linalg.norm(found.centre_mm - true.centre_mm) < 1.0
    none = np.zeros((10, 10), np.int64)
    foreign = find_foreign([View("left", picture, lens(False), found)], known, none, none.astype(bool))
    assert foreign.clear, foreign


@pytest.mark.long
def test_pieces_laid_a_little_off_are_measured(known: TableSetup) -> None:
    above, true = laid(known, off_mm=1.0)
    sightings = []
    for azimuth in (-90, -60, 25, 60):
        picture = seen(above, pose(azimuth, 750, 430), -2.0)
        sight = sight_frame(picture, lens(False), known, "left")
        assert sight is not None
        sightings.append(sight)
    fit = refine_frame(sightings, known)
    before = np.mean([np.linalg.norm(known.markers[n] - true[n], axis=1) for n in true])
    after = np.mean([np.linalg.norm(fit.markers[n] - true[n], axis=1) for n in true])
    spread = np.ptp([(fit.markers[n] - true[n]).mean(axis=0)[:2] for n in true], axis=0)
    assert before > 0.9
    assert after < before / 2  # what is left is how far the frame as a whole lies from the board's middle
    assert spread.max() < 0.5
