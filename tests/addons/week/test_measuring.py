"""What a camera's pictures say of it, from one to the next."""

from __future__ import annotations

import numpy as np
import pytest

from referee.addons.week.measuring import PictureFigures, Usual, befallen, picture_figures
from referee.values.camerahealth import Befell
from tests.scene import Scene, draw, lens, pose, table

SCENE = Scene(heights={(2, 2): 2, (3, 4): 3})


def figures(scene: Scene = SCENE, azimuth_deg: float = -85.0) -> PictureFigures:
    return picture_figures(draw(scene, pose(azimuth_deg), seed=3), table(), lens())


def after(scene: Scene, azimuth_deg: float = -85.0, fixed: bool = True) -> dict[Befell, float]:
    """Return what befell a camera that saw the usual scene before."""
    _, usual = befallen(Usual(), figures(), fixed)
    return dict(befallen(usual, figures(scene, azimuth_deg), fixed)[0])


def test_a_sharp_picture_of_the_frame() -> None:
    found = figures()
    assert len(found.corners_px) == 8
    assert found.edge_px is not None
    assert 1 < found.edge_px < 4
    assert found.reprojection_px is not None
    assert found.reprojection_px < 1
    assert found.burnt < 0.02
    assert 60 < found.mean < 200


def test_a_blurred_picture_has_wider_edges_and_no_lens_no_pose() -> None:
    blurred = picture_figures(draw(SCENE.with_(blur=2.5), pose(), seed=3), table(), None)
    assert blurred.edge_px is not None
    assert blurred.edge_px > 1.5 * (figures().edge_px or 0)
    assert blurred.reprojection_px is None


def test_nothing_befalls_a_camera_when_pieces_or_a_hand_come() -> None:
    assert after(SCENE) == {}
    assert after(SCENE.with_(heights={(1, 1): 4, (4, 4): 2, (2, 5): 3}, arm=(120, 150, 190))) == {}


@pytest.mark.parametrize("fixed", [True, False])
def test_a_camera_that_was_moved(fixed: bool) -> None:
    befell = after(SCENE, -83.5, fixed)
    assert set(befell) == ({Befell.MOVED} if fixed else set())
    assert all(amount > 5 for amount in befell.values())


def test_another_light_darkness_and_light_again() -> None:
    assert after(SCENE.with_(gain=0.6)).keys() == {Befell.LIGHT}
    assert after(SCENE.with_(gain=0.9)) == {}
    _, usual = befallen(Usual(), figures(), True)
    dark = figures(SCENE.with_(gain=0.08))
    told, usual = befallen(usual, dark, True)
    assert [what for what, _ in told] == [Befell.DARK]
    told, usual = befallen(usual, dark, True)
    assert told == ()
    told, _ = befallen(usual, figures(), True)
    assert [what for what, _ in told] == [Befell.LIGHT]  # and nothing was moved meanwhile


@pytest.mark.parametrize("shade", [40, 250])
def test_a_cover_over_the_frame_is_no_other_light(shade: int) -> None:
    """All but two markers lie under a dark or a bright cloth; the light is the same before, meanwhile and after."""
    seen = figures()
    picture = draw(SCENE, pose(), seed=3)
    covered = np.full_like(picture, shade)
    for number in (4, 5):
        (left, top), (right, bottom) = (
            each(seen.corners_px[number], axis=0).astype(int) for each in (np.min, np.max)
        )
        part = np.s_[top - 8 : bottom + 8, left - 8 : right + 8]
        covered[part] = picture[part]
    under = picture_figures(covered, table(), lens())
    assert len(under.corners_px) == 2
    _, usual = befallen(Usual(), seen, True)
    told, usual = befallen(usual, under, True)
    assert told == ()
    assert befallen(usual, seen, True)[0] == ()
    assert befallen(befallen(Usual(), under, True)[1], seen, True)[0] == ()


def test_a_picture_without_the_frame_is_measured_as_a_whole() -> None:
    found = picture_figures(np.full((480, 640, 3), 90, np.uint8), table(), None)
    assert (len(found.corners_px), found.edge_px, found.mean) == (0, None, 90)
