"""Many kills, over as many games as they need."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from referee.demo.recording import BUNDLED
from tests.kills.game import Count, Game


def run(
    count: int,
    folder: Path,
    chance: random.Random,
    tell: Callable[[str], None] = lambda words: None,
    recording: Path = BUNDLED,
) -> Count:
    """Kill so often; each game is then taken up and must end as one never killed. Fails at the first loss."""
    counted = Count()
    expected = Game(_fresh(folder, 0), recording, chance, Count()).play_on()
    assert expected, "the game has no rulings"
    number = 0
    while counted.kills < count:
        number += 1
        game = Game(_fresh(folder, number), recording, chance, counted)
        ended = False
        while counted.kills < count and not ended:
            ended = game.kill_once()
            if counted.kills % 10 == 0:
                tell(str(counted))
        rulings = game.play_on()
        assert rulings == expected, f"game {number} came out otherwise: {rulings}"
    return counted


def _fresh(folder: Path, number: int) -> Path:
    path = folder / str(number)
    path.mkdir(parents=True)
    return path
