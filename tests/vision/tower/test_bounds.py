"""A search for a tower takes a bounded number of steps, wherever it begins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.games.turris.play import game
from tests.vision.tower.scene import table, views
from tests.vision.tower.starts import starts
from vision.tower.draft import Draft
from vision.tower.grid import CELLS, TowerSizes
from vision.tower.palette import Palette, learn
from vision.tower.rays import FACES, sight_of
from vision.tower.scenery import scenery_of
from vision.tower.search import hull, improve
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
    stage = set_stage(sights, scenery_of(sights, sizes))
    blank = Palette(np.zeros((2, 3)), np.zeros((stage.looks, FACES)), np.full(3, 10.0), False)
    palette = learn(*Draft(stage, blank, hull(stage)).faces(np.arange(CELLS)), -0.1)
    for name, start in {"hull": hull(stage), **starts(number)}.items():
        draft = Draft(stage, palette, start)
        improve(draft)
        assert draft.tried <= MOST_TRIED, name
