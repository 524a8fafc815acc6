"""House symbols: a face that bears a sign is told as the number it was shown for, however it lies; pips stay pips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from tests.vision.ledger.laid import Picture, laid, plain, with_letter, with_spots, with_star
from vision.geometry.view import View
from vision.ledger.dice import DieSeen
from vision.ledger.places import NOWHERE, Places
from vision.ledger.reader import MatReader, read_mat
from vision.ledger.showing import Refusal, refused, shown_face, with_face, without
from vision.ledger.symbols import MOST_KEPT, SIDE_PX, Sign, with_sign
from vision.ledger.teaching import save_places, taught_places

OAK = Path(__file__).parents[2] / "data" / "mats" / "oak"
RED, WHITE, BLACK = (40, 40, 160), (235, 235, 235), (25, 25, 25)
MIDDLE = np.array([110.0, -45.0])
"""The middle of where dice are rolled, mm."""
LYING = [((12.0, -9.0), 1.9, 0.7), ((-30.0, 20.0), 4.0, 1.15), ((30.0, 25.0), 2.6, 0.45)]
"""Beside the middle (mm), turn, brightness of all that is seen."""


@cache
def mat() -> tuple[MatReader, View]:
    reader = MatReader.open(OAK)
    (view,), _ = reader.views({"cam0": np.asarray(cv2.imread(str(OAK / "000.jpg")), np.uint8)})
    return reader, view


def seen(face: Picture, beside: Sequence[float] = (0.0, 0.0), turn: float = 0.4, light: float = 1.0) -> View:
    reader, view = mat()
    at = MIDDLE + np.array(beside)
    return replace(view, picture_bgr=laid(view, face, reader.die_mm, (float(at[0]), float(at[1])), turn, light))


def tap(view: View, beside_px: tuple[float, float] = (3.0, -2.0)) -> tuple[float, float]:
    x, y = view.project(np.array([[*MIDDLE, mat()[0].die_mm]]))[0]
    return float(x) + beside_px[0], float(y) + beside_px[1]


def taught(faces: dict[int, Picture], places: Places = NOWHERE) -> Places:
    reader, _ = mat()
    for number, face in faces.items():
        view = seen(face)
        shown = shown_face(view, reader.die_mm, tap(view))
        assert refused(shown, number, places) is None
        places = with_face(places, number, shown.picture)
    return replace(places, rolled_on=reader.places.rolled_on)


def read(view: View, places: Places) -> DieSeen:
    dice, _ = read_mat([view], mat()[0].table, places)
    return dice[0]


@pytest.mark.long
@pytest.mark.parametrize(("body", "ink"), [(RED, WHITE), (WHITE, BLACK)])
def test_a_sign_is_told_as_the_number_it_was_shown_for_however_it_lies(
    body: tuple[int, int, int], ink: tuple[int, int, int]
) -> None:
    star, letter = with_star(body, ink, 5), with_letter(body, ink, "K")
    places = taught({6: star, 1: letter})
    for beside, turn, light in LYING:
        view = seen(star, beside, turn, light)
        assert read(view, places).face == 6
    assert read(view, replace(places, symbols={})).face is None


@pytest.mark.long
def test_pips_and_signs_that_were_not_shown_are_never_told_as_a_sign() -> None:
    places = taught({6: with_star(RED, WHITE, 5)})
    single, pair = [(0.5, 0.5)], [(0.25, 0.25), (0.75, 0.75)]
    faces = [
        (with_spots(RED, WHITE, single), 1),
        (with_spots(RED, WHITE, pair), 2),
        (with_letter(RED, WHITE, "K"), None),
        (with_star(RED, WHITE, 4), None),
        (plain(RED), None),
    ]
    for number, (face, told) in enumerate(faces):
        for way in (number, number + 1):
            beside, turn, light = LYING[way % len(LYING)]
            assert read(seen(face, beside, turn, light), places).face == told


def test_what_can_not_be_a_sign_of_its_own_is_refused() -> None:
    reader, _ = mat()
    star = with_star(RED, WHITE, 5)
    places = taught({6: star})
    for face, why in (
        (plain(RED), Refusal.EMPTY),
        (with_spots(RED, WHITE, [(0.25, 0.25), (0.75, 0.75)]), Refusal.PIPS),
        (star, Refusal.OTHER),
    ):
        view = seen(face, turn=1.3)
        assert refused(shown_face(view, reader.die_mm, tap(view)), 1, places) is why


def test_the_die_that_was_tapped_is_meant_though_a_surer_one_lies_beside_it() -> None:
    reader, view = mat()
    pips = with_spots(RED, WHITE, [(0.25, 0.25), (0.75, 0.75)])
    one = reader.die_mm
    at = (float(MIDDLE[0]), float(MIDDLE[1]))
    both = replace(view, picture_bgr=laid(view, pips, one, (at[0] + 1.05 * one, at[1]), 0.0))
    both = replace(view, picture_bgr=laid(both, with_star(RED, WHITE, 5), one, at, 0.0))
    x, y = view.project(np.array([[at[0] + 0.45 * one, at[1], one]]))[0]
    assert shown_face(both, one, (float(x), float(y))).told is None


def test_what_was_shown_is_kept_as_pixels_alone(tmp_path: Path) -> None:
    places = taught({6: with_star(RED, WHITE, 5)})
    for _ in range(MOST_KEPT):
        places = with_face(places, 6, places.symbols[6][0])
    save_places(tmp_path, places)
    written = (tmp_path / "symbol-6.png").read_bytes()
    assert b"eXIf" not in written
    kept = taught_places(tmp_path).symbols
    assert [len(faces) for faces in kept.values()] == [MOST_KEPT]
    assert all((face == places.symbols[6][0]).all() for face in kept[6])
    save_places(tmp_path, without(places, 6))
    assert not (tmp_path / "symbol-6.png").exists()


@pytest.mark.parametrize("shape", [(SIDE_PX, SIDE_PX - 1, 3), (SIDE_PX + 1, SIDE_PX, 3)])
def test_a_file_that_is_no_face_is_named(tmp_path: Path, shape: tuple[int, ...]) -> None:
    cv2.imwrite(str(tmp_path / "symbol-2.png"), np.zeros(shape, np.uint8))
    with pytest.raises(CalibrationError, match=r"symbol-2\.png: is no picture of a die's face"):
        taught_places(tmp_path)


def test_where_sign_and_pips_speak_against_each_other_nothing_is_told() -> None:
    two, any_ = (0.004, 0.98, 0.004, 0.004, 0.004, 0.004), (0.3, 0.3, 0.1, 0.1, 0.1, 0.1)
    assert max(with_sign(2.0, two, Sign(6, clear=True), 0.9)[1]) < 0.9
    assert max(with_sign(2.0, two, Sign(6, clear=False), 0.9)[1]) < 0.9
    assert with_sign(2.0, two, Sign(2, clear=False), 0.9) == (2.0, two)
    assert with_sign(2.0, any_, Sign(6, clear=False), 0.9) == (2.0, any_)
    odds, faces = with_sign(2.0, any_, Sign(6, clear=True), 0.9)
    assert odds > 2.0
    assert faces.index(max(faces)) == 5
