"""Cameras of a virtual table: each says whether its cable is in, and how its pictures show the frame."""

from __future__ import annotations

from pathlib import Path

from referee.daemon.preview import PlainEyes
from referee.games import package_named
from referee.opponents import new_position
from referee.virtual.folder import make_table
from referee.virtual.sight import DrawnSight
from referee.virtual.table import VirtualTable
from vision.posefinder import PoseFinder


def test_a_camera_whose_cable_is_pulled_is_lost_and_the_other_goes_on(tmp_path: Path) -> None:
    package = package_named("terra-turrium")
    game = package.game
    setup = make_table(tmp_path, game.name)
    sight = DrawnSight(setup, game.kit)
    table = VirtualTable(setup, game.kit, sight.show, new_position(package, 4).observed.text)
    assert [(one.name, one.ok) for one in sight.cameras()] == [("left", True), ("right", True)]
    table.fault("unplug", "left")
    assert [(one.name, one.ok) for one in sight.cameras()] == [("left", False), ("right", True)]
    capture = sight.fresh(0.0, 1)
    assert capture is not None
    eyes = PlainEyes(PoseFinder(setup, tmp_path))
    eyes.remember(capture.newest)
    (seen,) = eyes.sights().values()
    assert seen.markers >= 0.6 * len(setup.markers)
    assert 0 < seen.edge_px < 4
    table.fault("plug")
    assert all(one.ok for one in sight.cameras())
