"""A search for a tower takes a bounded number of steps, wherever it begins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.games.turris.play import game
from tests.vision.tower.scene import table, views
from tests.vision.tower.starts import starts
from vision.tower.draft import Draft
from vision.tower.drawing import Drawing
from vision.tower.grid import CELLS, TowerSizes
from vision.tower.palette import Palette, learn
from vision.tower.rays import FACES, sight_of
from vision.tower.scenery import Sceneries
from vision.tower.search import hull, improve
from vision.tower.setting import Setting
from vision.tower.stage import set_stage

pytestmark = pytest.mark.long

TOWERS = 2, 3, 4, 6
"""Those of the first eight at which searches try the most."""
MOST_TRIED = 1500
"""Changes that a search tries at most; with eight pictures each takes about a millisecond."""


@pytest.mark.parametrize("number", TOWERS)
def test_a_search_ends_soon_wherever_it_begins(number: int) -> None:
    rnd = random.Random(number)
    sizes = TowerSizes.of(table())
    shown = views(rnd.choice(list(game(rnd, {})))[1].text)
    sights = [sight for view in shown if (sight := sight_of(view, sizes)) is not None]
    kept = range(len(sights))
    setting = Setting(Drawing(set_stage(sights)), kept, Sceneries(sights, sizes).of(kept))
    blank = Palette(np.zeros((2, 3)), np.zeros((setting.looks, FACES)), np.full(3, 10.0), False)
    palette = learn(*Draft(setting, blank, hull(setting)).faces(np.arange(CELLS)), -0.1)
    for name, start in {"hull": hull(setting), **starts(number)}.items():
        draft = Draft(setting, palette, start)
        improve(draft)
        assert draft.tried <= MOST_TRIED, name
