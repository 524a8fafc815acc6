"""A rehearsal with one phone in a hand: views while a look is open, and the short check that renews what holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from referee.addons.rehearsals.conditions import conditions_of
from referee.addons.rehearsals.rehearsal import Rehearsal
from referee.addons.rehearsals.rehearser import can_rehearse, rehearser_of
from referee.addons.rehearsals.rehearsing import Keeper, Rehearsing
from referee.addons.rehearsals.tally import Counts, Group, LookTally
from referee.games import package_named
from referee.values.words import Words
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import TableScene
from tests.daemon.sending import sent
from vision.geometry.view import roaming_name
from vision.reader import TableReader
from vision.sources.address import parse_source
from vision.sources.camera import Camera

pytestmark = [pytest.mark.process]
PACKAGE = package_named("terra-turrium")
GAME = PACKAGE.game
SIDES = ((-100.0, 45.0), (80.0, 50.0))


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true; a look may take long to read on a busy machine."""
    by = time.monotonic() + 120.0
    while not true():
        assert time.monotonic() < by, "it never came"
        time.sleep(0.02)


def test_a_phone_shows_a_task_from_its_sides_and_a_check_renews(tmp_path: Path) -> None:
    setup = make_table(tmp_path, GAME.name, held=True)
    reader = TableReader.open(tmp_path, [PHONE], GAME.kit)
    first = rehearser_of(GAME, reader, {}).first()
    drawn = DrawnCamera(PHONE, setup, GAME.kit)
    pictures = [drawn.picture(TableScene(first.asked, held={PHONE: side})) for side in SIDES]
    views, _ = reader.views({roaming_name(PHONE, n): picture for n, picture in enumerate(pictures, 1)})
    look = LookTally((Counts(), Counts(), Counts(), Counts(100)))
    group = Group((PHONE,), 2, (look,) * 6, ((0.0, 0.0, 0.0, 1.0),))
    old = Rehearsal("2025-01-01T09:00:00+0000", "", 7, 0, (group,), conditions_of(reader.table, views))
    tried, kept = list[Rehearsal](), list[Rehearsal]()

    def keep(made: Rehearsal, by: str) -> Words | None:
        assert by == "tablet"
        assert not rehearsing.stop().accepted  # it is being kept already
        assert not rehearsing.skip("tablet").accepted
        tried.append(made)
        if len(tried) == 1:
            raise RuntimeError("the journal is gone")
        kept.append(made)
        return None

    with Camera(PHONE, parse_source(f"phone:{PHONE}"), changed=threading.Condition()) as camera:
        rehearsing = Rehearsing(GAME, reader, {PHONE: camera}, dict, Keeper(lambda: old, lambda: True, keep))

        def shown() -> object:
            sides = rehearsing.view("en")["sides"]
            assert isinstance(sides, dict)
            return sides["shown"]

        assert rehearsing.begin(short=True).accepted
        assert not rehearsing.skip("tablet").accepted  # without the first nothing is known of what stands there
        assert rehearsing.look("tablet").accepted
        for count, picture in enumerate(pictures, 1):
            sent(camera, picture)
            until(partial(lambda wanted: shown() == wanted, count))
        assert not rehearsing.skip("tablet").accepted  # a look is open
        assert rehearsing.look("tablet").accepted  # these sides are enough
        until(lambda: not rehearsing.view("en")["looking"])
        assert rehearsing.view("en")["looks"] == 1
        said = list[str]()
        while rehearsing.view("en")["task"] is not None:
            assert rehearsing.skip("tablet").accepted
            assert not rehearsing.view("en")["looking"]
            said.append(str(rehearsing.view("en")["words"]))
    assert "failed" in said[-2]  # and nothing was lost by it
    assert "holds again" in str(rehearsing.view("en")["words"])
    assert [one.made_at for one in kept] == [old.made_at]
    assert kept[0].renewed_at


def test_a_kind_says_by_its_modules_whether_its_tables_have_tasks() -> None:
    assert [can_rehearse(package_named(name).game) for name in ("terra-turrium", "torres")] == [True, True]
    assert [can_rehearse(package_named(name).game) for name in ("turris", "terrabilis")] == [False, False]
