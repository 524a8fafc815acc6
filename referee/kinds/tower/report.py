"""Towers of bars in reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.games.contract import Act, AnyGame, Observation, Position
from referee.kinds.tower.drawing import levels_of, tower_svg
from referee.kinds.tower.observation import TowerEvidence
from referee.match.events import ReadingMade
from referee.report.kind import GroundPlan
from referee.values.declaring import Declared
from referee.values.kit import Kit, PieceKind
from referee.values.words import Words, say
from vision.geometry.view import View
from vision.tower.explain import overlay as tower_overlay

SURENESS = say(
    "Drawn on the pictures is what was read then: the outlines of the bars. Blue is at least 99.9 % sure, orange (~) "
    "99 %, magenta (?) is left open."
)
HIGHEST = say("levels of the tower")
LEGEND: Words | None = None
EMPTY = "."
"""A cell in which nothing lies."""
MOST_ACTS = 6
"""Acts of a turn that are tried without each other, at most."""


def drawing(
    text: str, like: Observation, kit: Kit, frames: Mapping[str, str], title: str, shown: Mapping[str, str]
) -> str:
    """Draw a tower as SVG, level by level."""
    return tower_svg(text, kit, frames, title, shown)


def places(text: str, like: Observation, kit: Kit) -> Mapping[str, str]:
    """Return each cell's sign."""
    return {
        f"{chr(ord('a') + number % kit.columns)}{kit.rows - number // kit.columns}.{level}": sign
        for level, cells in enumerate(levels_of(text), 1)
        for number, sign in enumerate(cells)
    }


def tower_text(cells: Mapping[str, str], kit: Kit) -> str:
    """Return the tower text with these cells; what is not named is empty."""
    tallest = max((int(name.split(".")[1]) for name, sign in cells.items() if sign != EMPTY), default=0)
    return "/".join(
        "".join(
            cells.get(f"{chr(ord('a') + column)}{row}.{level}", EMPTY)
            for row in range(kit.rows, 0, -1)
            for column in range(kit.columns)
        )
        for level in range(1, tallest + 1)
    )


def plan(like: Observation, kit: Kit) -> GroundPlan | None:
    """Return the plan of the tower's columns."""
    return GroundPlan(kit.rows, kit.columns, "a")


def pieces(texts: Sequence[str], kit: Kit) -> tuple[PieceKind, ...]:
    """Return both players' bars."""
    return kit.pieces


def shown(text: str, letters: Mapping[str, str]) -> str:
    """Return a cell's sign as it is."""
    return text


def sureness(reading: ReadingMade, like: Observation) -> Mapping[str, float]:
    """Return nothing: a journal does not keep it cell by cell."""
    return {}


def highest(before: str, after: str, like: Observation, kit: Kit) -> int:
    """Return the levels of the tower that a turn left."""
    return len(levels_of(after))


def heights(texts: Sequence[str], like: Observation) -> tuple[tuple[Words, list[int]], ...]:
    """Return the levels of the tower after each turn."""
    return ((say("levels of the tower"), [len(levels_of(text)) for text in texts]),)


def near(game: AnyGame, before: Position, text: str, acts: Sequence[Act], declared: Declared) -> Iterable[str]:
    """Return the tower with some of the turn's acts left undone."""
    kit, observed = game.kit, before.observed
    was = places(observed.text, observed, kit)
    for left in range(1, len(acts) + 1):
        for undone in combinations(acts[:MOST_ACTS], left):
            cells = dict(places(text, observed, kit))
            for place in (place for act in undone for place in act.fields):
                cells[place.name] = was.get(place.name, EMPTY)
            yield tower_text(cells, kit)


def drawer(
    game: AnyGame, before: Position, reading: ReadingMade, table: TableSetup
) -> Callable[[View], NDArray[np.uint8]]:
    """Return what draws the outlines of bars on a view."""
    told = TowerEvidence.parse(reading.belief)
    return lambda view: tower_overlay(view, table, told)
