"""A phone in the hand at a virtual table: where it goes, and what it sees from there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from calibration.table import TableSetup
from referee.games import game_named
from referee.match.decision import ShowFrom
from referee.match.live import ViewsWanted
from referee.session.readers import reader_at
from referee.values.board import Field
from referee.values.words import say
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import HandPlace, TableScene
from referee.virtual.sight import MOST_UNASKED, DrawnSight
from referee.virtual.walk import PhoneWalk
from tests.virtual.laid import BOARDS
from vision.nextview import side_of
from vision.posefinder import PoseFinder

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
    walk = PhoneWalk()
    sides = [walk.on() for _ in range(5)]
    assert len(set(sides)) == 5
    walk.follow(ViewsWanted(1, 10, show=SHOW))
    assert walk.on() == (150, 35)
    assert walk.on() != (150, 35), "a side that told nothing is not shown twice in a row"
    walk.go(-30.0, 95.0)
    assert walk.at == (330.0, 80.0)


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
