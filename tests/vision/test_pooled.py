"""All pictures of a doubtful field correct its heights together; what is sure or in no picture stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, log_probabilities
from tests.scene import Scene, draw, lens, pose, table
from vision.geometry.view import View
from vision.heights import pooled, scorer
from vision.heights.change import CameraLook
from vision.heights.pieces import FLAGS, Pieces
from vision.heights.pooled import Shows, common, corrections, with_pooled
from vision.heights.scorer import LEVELS, camera_says, rectified, score_views, together

TABLE: TableSetup = table()
SCENE = Scene(heights={(r, c): 1 + (r + 2 * c) % 3 for r in range(6) for c in range(6) if (r * 5 + c * 3) % 4})
CASTLES = Pieces("wk", (0, 7, 9))
FEATURES = 96


@pytest.fixture(scope="module")
def views() -> list[View]:
    return [
        View(f"phone#{k}", draw(SCENE, pose(side)), lens(), pose(side)) for k, side in enumerate((-85, 20, 130), 1)
    ]


@pytest.fixture(scope="module")
def look(views: list[View]) -> dict[str, CameraLook]:
    return {view.camera: rectified(view, TABLE) for view in views}


def drawn_lots(fields: int, pictures: int) -> tuple[list[np.ndarray], tuple[np.ndarray, ...]]:
    """Return channels of pictures of some fields, and those that all share, drawn by chance."""
    rng = np.random.default_rng(5)
    base = log_probabilities(rng.normal(size=(fields, LEVELS)) * 2)
    shape = fields, LEVELS
    shown = [
        Shows(
            rng.random((*shape, FEATURES)).astype(np.float16),
            -rng.random(shape),
            -rng.random(shape),
            rng.random(shape),
            rng.random(fields),
            rng.random(fields),
        ).channels(base, np.zeros(shape))
        for _ in range(pictures)
    ]
    return shown, common(base, np.zeros(shape))


def test_the_order_of_pictures_makes_no_difference() -> None:
    shown, shared = drawn_lots(4, 3)
    inside = [np.ones(4, np.bool_)] * 3
    assert np.allclose(corrections(shown, inside, shared), corrections(shown[::-1], inside, shared), atol=1e-5)


def test_a_picture_that_does_not_hold_a_field_has_no_say_in_it() -> None:
    shown, shared = drawn_lots(4, 3)
    there, nowhere = np.ones(4, np.bool_), np.zeros(4, np.bool_)
    two = corrections(shown[:2], [there] * 2, shared)
    assert np.allclose(corrections(shown, [there, there, nowhere], shared), two, atol=1e-5)


def test_features_are_of_both_sets_and_for_tables_of_flags(look: dict[str, CameraLook]) -> None:
    camera = look["phone#1"]
    features = camera_says(camera, TABLE, FLAGS)[2]
    assert features.shape == (6, 6, LEVELS, FEATURES)
    assert features.any(axis=(0, 1, 2)).sum() > FEATURES / 2
    assert camera_says(camera, TABLE, CASTLES)[2].shape[3] == 0


def test_doubtful_heights_alone_are_corrected(views: list[View], look: dict[str, CameraLook]) -> None:
    each = score_views(look, TABLE)
    belief = together(each, TABLE)
    doubtful = log_probabilities(belief.heights).max(axis=2) < np.log(pooled.IN_DOUBT)
    assert doubtful.any()
    assert not doubtful.all()
    told = with_pooled(belief, each, look, views, TABLE, None, FLAGS)
    assert np.array_equal(told.heights[~doubtful], belief.heights[~doubtful])
    assert not np.allclose(log_probabilities(told.heights)[doubtful], log_probabilities(belief.heights)[doubtful])
    assert np.array_equal(told.flags, belief.flags)


def test_pictures_are_not_read_anew(
    views: list[View], look: dict[str, CameraLook], monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer.camera_says.cache_clear()
    each = score_views(look, TABLE)
    monkeypatch.setattr(scorer, "_infer", lambda *_: pytest.fail("the networks ran again"))
    with_pooled(together(each, TABLE), each, look, views, TABLE, None, FLAGS)


def test_what_is_corrected_is_believed_more(
    views: list[View], look: dict[str, CameraLook], monkeypatch: pytest.MonkeyPatch
) -> None:
    each = score_views(look, TABLE)
    belief = together(each, TABLE)
    monkeypatch.setattr(pooled, "corrections", lambda _shown, _held, shared: np.zeros(shared[0].shape))
    told = with_pooled(belief, each, look, views, TABLE, None, FLAGS)
    logs = log_probabilities(belief.heights)
    doubtful = logs.max(axis=2) < np.log(pooled.IN_DOUBT)
    assert np.allclose(told.heights[doubtful], pooled.SURER * logs[doubtful])


def test_fields_that_two_pictures_show_add_up_as_before(views: list[View], look: dict[str, CameraLook]) -> None:
    logs = log_probabilities(together(score_views(look, TABLE), TABLE).heights)
    places = logs.max(axis=2) < np.log(pooled.IN_DOUBT)
    part = np.ones((6, 6, LEVELS), np.bool_)
    part[places] = False
    cut = look | {"phone#3": replace(look["phone#3"], part=part)}
    each = score_views(cut, TABLE)
    belief = together(each, TABLE)
    told = with_pooled(belief, each, cut, views, TABLE, None, FLAGS)
    assert places.any()
    assert np.array_equal(told.heights[places], belief.heights[places])
    two = dict(list(look.items())[:2])
    assert with_pooled(belief, each, two, views[:2], TABLE, None, FLAGS) is belief


def test_cameras_that_stand_still_add_up_as_before(views: list[View], look: dict[str, CameraLook]) -> None:
    fixed = {name.replace("#", ""): one for name, one in look.items()}
    each = score_views(fixed, TABLE)
    belief = together(each, TABLE)
    assert with_pooled(belief, each, fixed, views, TABLE, None, FLAGS) is belief


def test_a_sure_board_and_castles_stay_as_they_are(views: list[View], look: dict[str, CameraLook]) -> None:
    each = score_views(look, TABLE)
    belief = together(each, TABLE)
    sure = replace(belief, heights=np.where(np.arange(LEVELS) == 1, 0.0, -20.0) + np.zeros((6, 6, 1)))
    assert np.array_equal(with_pooled(sure, each, look, views, TABLE, None, FLAGS).heights, sure.heights)
    nothing = BoardBelief(belief.heights, belief.flags[..., :3], "wk")
    assert with_pooled(nothing, each, look, views, TABLE, None, CASTLES) is nothing
