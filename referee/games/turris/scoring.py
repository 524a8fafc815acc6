"""Look at the five pictures of a tower, and count the areas in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.games.turris.bars import COLOURS, BarColour
from referee.games.turris.cells import WIDTH, cell_at, cell_name
from referee.games.turris.tower import Tower

FACES = ("south", "east", "north", "west")
ROOF = "roof"
PICTURES = (*FACES, ROOF)

Square = tuple[int, int]
"""A square of a picture: from the left, and from the bottom, both from 0."""


@dataclass(frozen=True, slots=True)
class SeenCell:
    """What shows at a square: the first filled cell met, its colour, and how far behind the front it lies."""

    cell: int
    colour: BarColour
    depth: int


Picture = Mapping[Square, SeenCell]
"""The filled squares of a face or the roof."""


@dataclass(frozen=True, slots=True)
class Score:
    """One player's result in one picture: the squares of the largest connected area."""

    picture: str
    area: frozenset[Square]

    @property
    def points(self) -> int:
        """Return a point for each square."""
        return len(self.area)


Scores = Mapping[BarColour, tuple[Score, ...]]


def cell_behind(face: str, column: int, level: int, depth: int) -> int:
    """Return the cell seen on a face at a column from the left (0-2), so many cells behind the front.

    The roof's column and level are the tower's column and row, and depth counts levels from 1.
    """
    last = WIDTH - 1
    if face == "south":
        return cell_at(column, depth, level)
    if face == "north":
        return cell_at(last - column, last - depth, level)
    if face == "east":
        return cell_at(last - depth, column, level)
    return cell_at(depth, last - column, level)


def pictures_of(tower: Tower, recessed: bool) -> dict[str, Picture]:
    """Return what is seen of a tower straight at each face and at the roof.

    recessed: squares behind the outer row count. The roof shows each column's topmost cell always; its squares are
    column and row, its depths count from the highest level.
    """
    colours = {cell: bar.colour for bar in tower.bars for cell in bar.place.cells}
    found: dict[str, Picture] = {face: _face(colours, face, tower.levels, recessed) for face in FACES}
    roof: dict[Square, SeenCell] = {}
    for column in range(WIDTH):
        for row in range(WIDTH):
            for depth in range(tower.levels):
                cell = cell_at(column, row, tower.levels - depth)
                if cell in colours:
                    roof[column, row] = SeenCell(cell, colours[cell], depth)
                    break
    return found | {ROOF: roof}


def _face(colours: Mapping[int, BarColour], face: str, levels: int, recessed: bool) -> Picture:
    picture: dict[Square, SeenCell] = {}
    for column in range(WIDTH):
        for level in range(1, levels + 1):
            for depth in range(WIDTH if recessed else 1):
                cell = cell_behind(face, column, level, depth)
                if cell in colours:
                    picture[column, level - 1] = SeenCell(cell, colours[cell], depth)
                    break
    return picture


def largest_area(picture: Picture, colour: BarColour) -> frozenset[Square]:
    """Return the largest set of squares of a colour connected by sides; of equal ones the first from the left."""
    todo = {square for square, seen in picture.items() if seen.colour is colour}
    best: frozenset[Square] = frozenset()
    for start in sorted(todo):
        if start not in todo:
            continue
        todo.remove(start)
        area, edge = {start}, [start]
        while edge:
            x, y = edge.pop()
            for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if square in todo:
                    todo.remove(square)
                    area.add(square)
                    edge.append(square)
        if len(area) > len(best):
            best = frozenset(area)
    return best


def scores_of(tower: Tower, recessed: bool) -> Scores:
    """Return every player's result in each of the five pictures."""
    seen = pictures_of(tower, recessed)
    return {
        colour: tuple(Score(name, largest_area(picture, colour)) for name, picture in seen.items())
        for colour in COLOURS
    }


def total(scores: tuple[Score, ...]) -> int:
    """Return a player's result."""
    return sum(score.points for score in scores)


def areas_json(tower: Tower, recessed: bool) -> list[dict[str, object]]:
    """Return the results square by square, as the page draws them: the cells that count in each picture."""
    seen = pictures_of(tower, recessed)
    return [
        {
            "picture": name,
            "player": colour.word,
            "points": len(area),
            "cells": [cell_name(picture[square].cell) for square in sorted(area)],
        }
        for name, picture in seen.items()
        for colour in COLOURS
        for area in (largest_area(picture, colour),)
    ]


def scores_json(scores: Scores) -> dict[str, dict[str, int]]:
    """Return the results as formats write them."""
    return {
        colour.word: {score.picture: score.points for score in each} | {"total": total(each)}
        for colour, each in scores.items()
    }


def winners_of(scores: Scores) -> tuple[BarColour, ...]:
    """Return who has won: the higher result, both where they are equal."""
    best = max(total(each) for each in scores.values())
    return tuple(colour for colour, each in scores.items() if total(each) == best)
