"""The printed sheets, rendered at 600 dpi and read back: true to size, and every marker where table.json has it."""

from __future__ import annotations

import dataclasses
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from calibration.corners import refine_corners
from calibration.errors import CalibrationError
from calibration.layout import design_frame, marker_size, pieces, quiet_mm
from calibration.printing.paper import PAPERS, PaperName
from calibration.printing.sheets import sheets_pdf
from calibration.printing.strips import place_pieces
from calibration.printing.target_page import target_corner
from calibration.table import Charuco, TableSetup
from referee.cli.sheet_words import sheet_texts
from referee.values.words import LANGUAGES
from tests.scene import table

DPI = 600
PX = DPI / 25.4
BOARDS = {"small": (150.0, 150.0), "usual": (284.0, 284.0), "long": (500.0, 300.0)}


@cache
def setup(board: str) -> TableSetup:
    size = marker_size(BOARDS[board])
    fields = (BOARDS[board][0] / 8, BOARDS[board][1] / 8)
    return dataclasses.replace(
        table(),
        pitch_mm=fields,
        marker_size_mm=size,
        markers=design_frame(BOARDS[board], -3.0, size),
        margin_fields={},
        charuco=Charuco((10, 7), 25.0, 18.0, "DICT_5X5_100"),
    )


def pages(known: TableSetup, paper: PaperName, language: str = "en") -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(sheets_pdf(known, paper, sheet_texts(known, paper, language)))


def rendered(document: pypdfium2.PdfDocument, page: int) -> NDArray[np.uint8]:
    """Render a page at 600 dpi, grey."""
    return np.asarray(document[page].render(scale=DPI / 72, grayscale=True).to_numpy().squeeze(), np.uint8)


def to_px(points_mm: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
    """Return places on a sheet, mm from its lower left, as pixels of the page rendered."""
    return np.stack([points_mm[..., 0], height_mm - points_mm[..., 1]], axis=-1) * PX - 0.5


def found_markers(grey: NDArray[np.uint8], dictionary: str) -> dict[int, NDArray[np.float64]]:
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    small = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    corners, ids, _ = cv2.aruco.ArucoDetector(kind).detectMarkers(small)
    if ids is None:
        return {}
    fine = [refine_corners(np.asarray(small, np.uint8), np.asarray(at, np.float64).reshape(4, 2)) for at in corners]
    full = [(at + 0.5) * 4 - 0.5 for at in fine]
    return {int(n): refine_corners(grey, at) for n, at in zip(np.reshape(ids, -1), full, strict=True)}


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "paper"), [("small", "letter"), ("usual", "a4"), ("usual", "letter"), ("long", "a4")]
)
def test_every_marker_is_printed_at_its_place(board: str, paper: PaperName) -> None:
    known = setup(board)
    document = pages(known, paper)
    placed = place_pieces(pieces(known), PAPERS[paper])
    seen: set[int] = set()
    for page in range(placed[-1].page + 1):
        found = found_markers(rendered(document, 1 + page), known.marker_dictionary)
        own = [one for one in placed if one.page == page]
        assert set(found) == {number for one in own for number in one.piece.markers}
        for one in own:
            for number in one.piece.markers:
                true_px = to_px(one.on_page(known.markers[number]), PAPERS[paper][1])
                assert np.abs(found[number] - true_px).max() / PX < 0.1
        seen |= set(found)
    assert seen == set(known.markers)


@pytest.mark.parametrize("board", BOARDS)
def test_the_pieces_put_together_are_the_frame(board: str) -> None:
    """Piece by piece, walking around: what lies on the table is what table.json says, without gap or overlap."""
    known = setup(board)
    parts = pieces(known)
    assert [part.joins for part in parts] == [*(part.name for part in parts[1:]), parts[0].name]
    held = [number for part in parts for number in part.markers]
    assert sorted(held) == sorted(known.markers)
    half_x, half_y = BOARDS[board][0] / 2, BOARDS[board][1] / 2
    quiet = quiet_mm(known.marker_size_mm)
    for part in parts:
        inner = part.start + np.array([part.along[1], -part.along[0]]) * part.width_mm
        edge = half_x if abs(part.along[1]) > 0.5 else half_y
        assert abs(float(inner @ np.array([-part.along[1], part.along[0]]))) == pytest.approx(edge)
        for number in part.markers:
            place = part.place(known.markers[number])
            assert place.min() > quiet - 0.01
            assert place[:, 0].max() < part.length_mm - quiet + 0.01
            assert place[:, 1].max() < part.width_mm - quiet + 0.01
    for one, other in pairwise(parts):
        meet = one.start + one.along * one.length_mm
        turned = abs(float(one.along @ other.along)) < 0.5
        wanted = other.start + (other.along * 0 if not turned else -one.along * other.width_mm)
        assert np.allclose(meet, wanted)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_target_is_true_to_size(paper: PaperName) -> None:
    known = setup("small")
    document = pages(known, paper)
    grey = rendered(document, len(document) - 1)
    target = known.charuco
    across = PAPERS[paper][1], PAPERS[paper][0]
    assert grey.shape[1] > grey.shape[0]
    kind = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard(target.squares, target.square_mm, target.marker_mm, kind)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(board).detectBoard(small)
    assert ids is not None
    assert corners is not None
    assert len(np.reshape(ids, -1)) == 9 * 6
    assert marker_ids is not None
    assert len(np.reshape(marker_ids, -1)) == 35
    found_px = (np.reshape(corners, (-1, 2)) + 0.5) * 2 - 0.5
    left, top = target_corner(target, across)
    places = np.asarray(board.getChessboardCorners(), np.float64)[np.reshape(ids, -1), :2] * (1, -1) + (left, top)
    assert np.abs(found_px - to_px(places, across[1])).max() / PX < 0.1


@pytest.mark.parametrize(("paper", "page"), [("a4", 0), ("letter", 1), ("a4", -1), ("letter", -1)])
def test_the_ruler_is_100_mm_long(paper: PaperName, page: int) -> None:
    """Its line is looked for in the lowest 20 mm of the page."""
    document = pages(setup("small"), paper)
    grey = rendered(document, page % len(document))
    for row in range(grey.shape[0] - int(20 * PX), grey.shape[0]):
        dark = np.flatnonzero(grey[row] < 128)
        if len(dark) and (dark[-1] - dark[0] + 1) / PX > 99 and len(dark) > 0.98 * (dark[-1] - dark[0] + 1):
            assert (dark[-1] - dark[0] + 1) / PX == pytest.approx(100.12, abs=0.1)
            return
    pytest.fail("there is no line of 100 mm")


def test_who_has_a_phone_in_the_hand_alone_is_given_no_target_to_glue() -> None:
    known = setup("usual")
    held = dataclasses.replace(known, cameras=("phone",), held=("phone",))
    with_target, without = (pages(one, "a4") for one in (known, held))
    assert len(without) == len(with_target) - 1
    guide = without[0].get_textpage().get_text_range()
    assert "target" not in guide
    assert "calibrate" not in guide
    assert "Show the board with the phone" in guide


def test_the_printer_is_told_not_to_scale() -> None:
    assert b"/PrintScaling /None" in sheets_pdf(setup("small"), "a4", sheet_texts(setup("small"), "a4", "en"))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_nothing_is_cut_off_by_the_printer(paper: PaperName) -> None:
    """6 mm of every edge stay white on the pages of the guide and the frame, in the longest language too."""
    for language in LANGUAGES:
        document = pages(setup("usual"), paper, language)
        for page in range(len(document) - 1):
            image = document[page].render(scale=100 / 72, grayscale=True).to_numpy().squeeze()
            edge = round(6 * 100 / 25.4)
            inside = image[edge:-edge, edge:-edge]
            assert (image < 200).sum() == (inside < 200).sum(), (language, page)


def test_a_refined_frame_is_printed_as_it_lies() -> None:
    """After the frame was measured its markers lie a little turned and shifted, and the strips still hold them."""
    known = setup("usual")
    rng = np.random.default_rng(1)
    markers = {number: at + np.array([*rng.normal(0, 0.8, 2), 0]) for number, at in known.markers.items()}
    moved = dataclasses.replace(known, markers=markers)
    assert sorted(n for part in pieces(moved) for n in part.markers) == sorted(markers)


def test_markers_that_are_no_frame_are_refused() -> None:
    known = setup("usual")
    inner = {**known.markers, 2: known.markers[2] - [0, 90, 0]}
    with pytest.raises(CalibrationError, match="band around the board"):
        pieces(dataclasses.replace(known, markers=inner))


def test_a_target_too_large_for_the_paper() -> None:
    known = dataclasses.replace(setup("usual"), charuco=Charuco((11, 8), 30.0, 22.0, "DICT_5X5_100"))
    with pytest.raises(CalibrationError, match="squares of 25 mm fit"):
        pages(known, "a4")


def test_a_board_larger_than_the_dictionary() -> None:
    with pytest.raises(CalibrationError, match="more markers than there are"):
        design_frame((2000, 2000), 0, 40)
