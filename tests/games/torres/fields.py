"""Fields, stacks and castles of a board, as plainly as can be."""

from __future__ import annotations

from collections.abc import Mapping

COLUMNS = "ABCDEFGH"
FIELDS = [column + str(row) for row in range(1, 9) for column in COLUMNS]
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTER = {
    "red": "r",
    "yellow": "y",
    "green": "g",
    "blue": "b",
    "orange": "o",
    "purple": "p",
    "white": "w",
    "black": "n",
}
KINDS = ("door", "shift", "diagonal", "extra", "under", "leap", "ap6", "ap7", "relocate", "jump")

Heights = Mapping[str, int]
Pieces = Mapping[str, str]


def read(text: str) -> tuple[dict[str, int], dict[str, str]]:
    """Return the heights of all fields, and the pieces on those that have one."""
    heights, pieces = {}, {}
    for row, line in zip(range(8, 0, -1), text.split("/"), strict=True):
        column = -1
        for char in line:
            if char in DIGITS:
                column += 1
                heights[COLUMNS[column] + str(row)] = DIGITS.index(char)
            else:
                pieces[COLUMNS[column] + str(row)] = char
    return {field: heights[field] for field in FIELDS}, pieces


def write(heights: Heights, pieces: Pieces) -> str:
    """Return the board text."""
    rows = []
    for row in range(8, 0, -1):
        names = [column + str(row) for column in COLUMNS]
        rows.append("".join(DIGITS[heights[name]] + pieces.get(name, "") for name in names))
    return "/".join(rows)


def flat(heights: Heights) -> tuple[int, ...]:
    return tuple(heights[field] for field in FIELDS)


def off(field: str, right: int, up: int) -> str | None:
    column, row = COLUMNS.index(field[0]) + right, int(field[1]) + up
    return COLUMNS[column] + str(row) if 0 <= column < 8 and 1 <= row <= 8 else None


SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
BESIDE = {field: [near for way in SIDES if (near := off(field, *way))] for field in FIELDS}
CORNERS = {
    field: [near for way in ((1, 1), (1, -1), (-1, 1), (-1, -1)) if (near := off(field, *way))] for field in FIELDS
}


def castle(heights: Heights, field: str) -> frozenset[str]:
    found, todo = {field}, [field]
    while todo:
        for near in BESIDE[todo.pop()]:
            if heights[near] and near not in found:
                found.add(near)
                todo.append(near)
    return frozenset(found)


def castles(heights: Heights) -> set[frozenset[str]]:
    return {castle(heights, field) for field in FIELDS if heights[field]}
