"""Draw a tower."""

from __future__ import annotations

import random

from referee.games.turris.bars import COLOURS, Bar, places_up_to
from referee.games.turris.completions import PartialTower
from referee.games.turris.tower import NO_TOWER, UNSEEN, Tower


def some_tower(seed: int, most: int = 30, levels: int = 4) -> Tower:
    rnd = random.Random(seed)
    tower = NO_TOWER
    for place in rnd.sample(places_up_to(levels), most):
        if not place.mask & tower.filled:
            tower = tower.turned(Bar(rnd.choice(COLOURS), place))
    return tower


def shows(reading: PartialTower, tower: Tower) -> bool:
    """Return whether a tower agrees with all that was seen."""
    cells = {cell for bar in tower.bars for cell in bar.place.cells}
    filled = {cell for cell, letter in reading.letters.items() if letter != UNSEEN}
    return filled <= cells and all(map(reading.allows, tower.bars))


def blurred(text: str, rnd: random.Random, share: float) -> str:
    """Return the text with some cells read in part or not at all."""
    out = ""
    for letter in text:
        if letter == "/" or rnd.random() >= share:
            out += letter
        elif letter == "." or rnd.random() < 0.5:
            out += "?"
        else:
            out += "X" if letter.isupper() else "x"
    return out
