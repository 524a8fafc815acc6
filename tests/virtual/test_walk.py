"""A phone in the hand at a virtual table: where it goes, and what it sees from there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.games import game_named
from referee.match.decision import ShowFrom
from referee.match.live import ViewsWanted
from referee.session.readers import reader_at
from referee.values.belief import log_probabilities
from referee.values.board import Board, Field
from referee.values.words import say
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import HandPlace, TableScene
from referee.virtual.sight import MOST_UNASKED, DrawnSight
from referee.virtual.walk import PhoneWalk
from tests.virtual.laid import BOARDS
from vision.geometry.view import roaming_name
from vision.nextview import next_view, side_of
from vision.posefinder import PoseFinder
from vision.reader import TableReader

SHOW = ShowFrom(150, 35, (Field(1, 0),), say("Come"))
KIT = game_named("terra-turrium").kit
SCENE = TableScene(BOARDS["terra-turrium"])


@cache
def held() -> tuple[TableSetup, PoseFinder]:
    """Return a table whose only camera is a phone in a hand, and what finds where it is held."""
    with TemporaryDirectory() as folder:
        setup = make_table(Path(folder), "terra-turrium", held=True)
        reader = reader_at(game_named("terra-turrium"), setup, Path(folder))
        reader.lens(PHONE)
        return setup, reader


def test_the_walk_goes_to_the_side_that_is_wanted_and_on_around_without_a_wish() -> None:
    walk = PhoneWalk(held()[0])
    sides = [walk.on() for _ in range(5)]
    assert len(set(sides)) == 5
    walk.follow(ViewsWanted(1, 10, show=SHOW))
    assert walk.on() == (150, 35)
    assert walk.on() != (150, 35), "a side that told nothing is not shown twice in a row"
    walk.go(-30.0, 95.0)
    assert walk.at == (330.0, 80.0)


@pytest.mark.long
@pytest.mark.parametrize("stones", [1, 2])
def test_a_pit_that_no_side_shows_is_told_by_a_look_down_into_it(stones: int) -> None:
    setup, _ = held()
    pit = Field.from_name("F8")
    heights = np.ones((10, 10), np.int8)
    heights[pit.row - 1 : pit.row + 2, pit.col - 1 : pit.col + 2] = 5
    heights[pit.row, pit.col] = stones
    with TemporaryDirectory() as folder:
        make_table(Path(folder), "terra-turrium", held=True)
        reader = TableReader.open(Path(folder), [PHONE], KIT)
    eye, walk = DrawnCamera(PHONE, setup, KIT), PhoneWalk(setup)
    scene = TableScene(Board(heights, np.zeros((10, 10), np.int8), "rygb").text)
    pictures: dict[str, NDArray[np.uint8]] = {}

    def told() -> NDArray[np.float64]:
        shown = eye.picture(replace(scene, held={PHONE: walk.held}))
        pictures[roaming_name(PHONE, 1 + len(pictures))] = shown.copy()
        reading = reader.read(pictures)
        assert reading.clear
        sure = np.exp(log_probabilities(reading.belief.heights))
        told = (sure.max(axis=2) > 0.98) & (sure.argmax(axis=2) != heights)
        assert not told.any()
        places = [one.centre_mm for one in reading.look.values()]
        found = next_view(reading.belief, reading.belief, [pit], places, setup)
        if found is not None:
            advice = ShowFrom(
                found.azimuth_deg, found.elevation_deg, (pit,), say("Come"), found.towards, found.distance_mm
            )
            walk.follow(ViewsWanted(len(pictures), 10, show=advice))
        return np.asarray(sure[pit.row, pit.col], np.float64)

    for azimuth in (0, 90, 180, 270):
        walk.go(azimuth, 65)
        flat = told()
    assert flat.max() < 0.4, "none, one and two stones look alike"
    walk.on()
    assert len(walk.held) > 2, "it is sent near"
    deep = told()
    assert deep.argmax() == stones
    assert deep[stones] > 0.5


@pytest.mark.long
@pytest.mark.parametrize("side", [(0, 50), (90, 40), (225, 60)])
def test_the_phone_sees_the_whole_frame_from_the_side_it_is_held_at(side: tuple[int, int]) -> None:
    setup, reader = held()
    sight = DrawnSight(setup, KIT)
    sight.show(SCENE)
    sight.walk.follow(ViewsWanted(0, 10, show=ShowFrom(*side, (), say("Come"))))
    view = sight.view(1.0)
    assert view is not None
    (found,), cameras = reader.views(view.newest)
    corners = found.project(np.concatenate(list(setup.markers.values())))
    assert (corners > 0).all()
    assert (corners < found.lens.size).all()
    assert cameras[PHONE].markers >= 0.6 * len(setup.markers), "towers hide a few"
    azimuth, elevation = side_of(found.pose.centre_mm)
    assert abs((azimuth - side[0] + 180) % 360 - 180) < 3
    assert abs(elevation - side[1]) < 4


@pytest.mark.long
def test_the_phone_goes_near_where_it_is_sent() -> None:
    setup, reader = held()
    sight, field = DrawnSight(setup, KIT), Field.from_name("I3")
    sight.show(SCENE)
    sight.walk.follow(ViewsWanted(1, 10, show=ShowFrom(60, 75, (field,), say("Come"), field, 450)))
    view = sight.view(1.0)
    assert view is not None
    (found,), _ = reader.views(view.newest)
    middle = np.array([*setup.centre_mm(field.row, field.col), 0.0])
    assert np.linalg.norm(found.pose.centre_mm - middle) == pytest.approx(450, abs=5)
    assert side_of(found.pose.centre_mm) == pytest.approx((60, 75), abs=1)
    in_picture = found.project(middle) / found.lens.size
    assert in_picture == pytest.approx((0.5, 0.5), abs=0.02), "it looks at the field"


@pytest.mark.long
def test_views_come_while_a_look_is_asked_for_and_a_few_of_a_table_that_changed() -> None:
    sight = DrawnSight(held()[0], KIT)
    assert sight.held
    assert sight.view(1.0) is None
    sight.show(SCENE)
    assert sight.fresh(0.0, 1) is None
    assert sight.view(None) is None
    assert [sight.view(0.0) is not None for _ in range(MOST_UNASKED + 1)] == [True] * MOST_UNASKED + [False]
    assert sight.view(1.0) is not None
    sight.show(TableScene(SCENE.lying, HandPlace(0, 0, 30, 20)))
    assert sight.view(1.0) is None
