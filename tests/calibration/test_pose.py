from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.corners import refine_corners
from calibration.errors import CalibrationError, PoseError
from calibration.pose import Pose, find_markers, find_markers_near, find_pose, pose_from_markers
from tests.scene import Scene, draw, lens, pose, table


def seen_markers(at: Pose, noise_px: float = 0.0, seed: int = 0) -> dict[int, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return {
        number: at.project(corners, lens()) + rng.normal(0, noise_px, (4, 2))
        for number, corners in table().markers.items()
    }


def off(found: Pose, true: Pose) -> tuple[float, float]:
    """Return the distance of the camera's places in mm and the angle between the rotations in degrees."""
    turn = (np.trace(found.rotation.T @ true.rotation) - 1) / 2
    return (
        float(np.linalg.norm(found.centre_mm - true.centre_mm)),
        float(np.degrees(np.arccos(np.clip(turn, -1, 1)))),
    )


places = st.tuples(st.floats(-180, 180), st.floats(450, 900), st.floats(20, 600))


@pytest.mark.long
@settings(max_examples=40)
@given(place=places, seed=st.integers(0, 1000))
def test_any_pose_is_found_in_noise(place: tuple[float, float, float], seed: int) -> None:
    true = pose(*place)
    found = pose_from_markers(seen_markers(true, 0.1, seed), lens(), table())
    away_mm, angle_deg = off(found, true)
    assert away_mm < 2.5  # of 6000 such poses the noise alone displaced the worst by 1.65 mm and 0.103 degrees
    assert angle_deg < 0.16
    assert found.markers == 8
    assert found.reprojection_px < 0.4


@pytest.mark.long
@settings(max_examples=25)
@given(place=places, wrong=st.integers(0, 7), shift=st.floats(6, 80))
def test_one_wrong_marker_is_left_out(place: tuple[float, float, float], wrong: int, shift: float) -> None:
    true = pose(*place)
    seen = seen_markers(true, 0.05)
    seen[wrong] = seen[wrong] + (shift, -shift / 2)
    found = pose_from_markers(seen, lens(), table())
    assert found.markers == 7
    assert off(found, true)[0] < 1.0  # the noise alone accounts for 0.6 mm


def test_markers_that_changed_places_are_left_out() -> None:
    seen = seen_markers(pose(), 0.05)
    seen[2], seen[3] = seen[3], seen[2]
    found = pose_from_markers(seen, lens(), table())
    assert found.markers == 6
    assert off(found, pose())[0] < 0.5


def test_a_half_hidden_corner_does_not_bend_the_pose() -> None:
    seen = seen_markers(pose(), 0.05)
    seen[4][1] += (2.0, 1.5)
    found = pose_from_markers(seen, lens(), table())
    assert found.markers == 8
    assert off(found, pose())[0] < 0.3


def test_swollen_paper_is_allowed_for() -> None:
    seen = {number: at + 0.06 * (at.mean(axis=0) - at) for number, at in seen_markers(pose(), 0.02).items()}
    found = pose_from_markers(seen, lens(), table())
    assert off(found, pose())[0] < 0.2
    assert found.reprojection_px < 0.15


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_markers_are_no_pose(count: int) -> None:
    few = dict(list(seen_markers(pose()).items())[:count])
    with pytest.raises(PoseError, match="the frame can't be seen by cam1") as caught:
        pose_from_markers(few, lens(), table(), "cam1")
    assert caught.value.markers == count


def test_three_markers_are_enough() -> None:
    few = dict(list(seen_markers(pose(), 0.05).items())[:3])
    assert off(pose_from_markers(few, lens(), table()), pose())[0] < 3


def test_markers_that_do_not_agree_are_no_pose() -> None:
    rng = np.random.default_rng(1)
    scattered = {number: rng.uniform(0, 700, (4, 2)) for number in range(8)}
    with pytest.raises(PoseError, match="8 of its 8 markers are found, but not where"):
        pose_from_markers(scattered, lens(), table())


@pytest.mark.parametrize(
    "look",
    [
        Scene(),
        Scene(gain=0.25, noise=2),
        Scene(gain=1.4),
        Scene(blur=1.6),
        Scene(noise=9),
        Scene(paper=(150, 200, 215)),
        Scene(shadow_mm=(0, -170)),
    ],
)
@pytest.mark.parametrize("azimuth_deg", [-90, 20])
def test_the_pose_is_found_in_pictures(look: Scene, azimuth_deg: float) -> None:
    true = pose(azimuth_deg)
    found = find_pose(draw(look, true), lens(), table())
    away_mm, angle_deg = off(found, true)
    assert found.markers >= 7
    assert away_mm < 1.5
    assert angle_deg < 0.16


@pytest.mark.parametrize("moved_deg", [0.0, 0.4, 5.0, 60.0])
def test_a_pose_from_an_earlier_picture_changes_nothing_but_the_time(moved_deg: float) -> None:
    """However far the camera was moved since then, by nothing, by a bump or to another side."""
    last = pose(20 - moved_deg)
    picture = draw(Scene(noise=4), pose(20))
    whole, near = find_pose(picture, lens(), table()), find_pose(picture, lens(), table(), last=last)
    assert near.markers == whole.markers
    assert np.abs(near.centre_mm - whole.centre_mm).max() < 0.02
    assert np.abs(near.rotation - whole.rotation).max() < 1e-4


def test_markers_are_looked_for_only_about_their_last_places() -> None:
    picture = draw(Scene(), pose())
    seen = find_markers(picture, table())
    places = {number: pose().project(at, lens()) for number, at in table().markers.items()}
    near = find_markers_near(picture, table(), places)
    assert near.keys() == seen.keys()
    assert max(np.abs(near[number] - seen[number]).max() for number in seen) < 0.01
    elsewhere = {number: at + np.array([300.0, 0.0]) for number, at in places.items()}
    assert not find_markers_near(picture, table(), elsewhere)
    assert not find_markers_near(picture, table(), {0: np.full((4, 2), np.nan), 1: np.full((4, 2), -500.0)})


def test_pale_markers_are_found_about_their_places_as_in_the_whole_picture() -> None:
    """Once the others make a pose the whole picture need not be looked through with other contrast."""
    picture = draw(Scene(), pose())
    seen = find_markers(picture, table())
    for number in (1, 3, 5):
        low, high = seen[number].min(axis=0).astype(int) - 12, seen[number].max(axis=0).astype(int) + 12
        part = picture[low[1] : high[1], low[0] : high[0]]
        part[:] = 150 + (part.astype(np.float32) - 150) * 0.04
    whole, near = find_markers(picture, table()), find_markers(picture, table(), lens())
    assert len(near) > len(seen) - 3, "some of the pale ones are found"
    assert near.keys() == whole.keys()
    assert max(np.abs(near[number] - whole[number]).max() for number in whole) < 0.01


def test_a_marker_covered_since_then_is_not_made_up() -> None:
    picture = draw(Scene(), pose())
    corners = find_markers(picture, table())[3]
    cv2.fillConvexPoly(picture, corners.round().astype(np.int32), (128, 128, 128))
    assert find_pose(picture, lens(), table(), last=pose()).markers == 7


def test_a_picture_without_the_frame() -> None:
    with pytest.raises(PoseError, match="0 of its 8 markers"):
        find_pose(np.full((720, 960, 3), 80, np.uint8), lens(), table())


def test_a_picture_of_another_size_is_an_error() -> None:
    with pytest.raises(CalibrationError, match="640 x 480, but its lens was calibrated at 960 x 720"):
        find_pose(np.zeros((480, 640, 3), np.uint8), lens(), table(), "left")


def test_a_marker_seen_twice_is_dropped() -> None:
    picture = draw(Scene(), pose())
    seen = find_markers(picture, table())
    low, high = seen[5].min(axis=0).astype(int) - 16, seen[5].max(axis=0).astype(int) + 16
    stamp = picture[low[1] : high[1], low[0] : high[0]]
    picture[10 : 10 + stamp.shape[0], 820 : 820 + stamp.shape[1]] = stamp
    assert set(find_markers(picture, table())) == set(seen) - {5}


def test_a_pose_is_rigid() -> None:
    for rotation in (np.eye(3) * 1.1, np.diag([1.0, 1, -1]), np.full((3, 3), np.nan)):
        with pytest.raises(CalibrationError):
            Pose(rotation, np.zeros(3), 3, 0)


def test_corners_are_refined_below_a_pixel() -> None:
    true = np.array([[40.3, 50.2], [101.7, 44.6], [108.4, 103.1], [35.9, 110.8]])
    large = np.full((160 * 8, 160 * 8), 210, np.uint8)
    cv2.fillPoly(large, [np.round((true + 0.5) * 8 - 0.5).astype(np.int32)], 30)
    picture = cv2.resize(large, (160, 160), interpolation=cv2.INTER_AREA)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)
    rough = true + np.array([[1.0, -0.8], [-0.9, 1.1], [0.7, 0.7], [-1.0, -0.6]])
    assert np.abs(refine_corners(picture, rough) - true).max() < 0.15
    blank = np.full((160, 160), 99, np.uint8)
    assert np.array_equal(refine_corners(blank, rough), rough)
