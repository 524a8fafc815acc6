"""Board texts in which things can't be told: ``?`` for a field, ``?r`` for a flag on a stack of unknown height."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.values.board import DIGITS, BoardError, Colour, Field

_CELL = re.compile("([0-9A-Z?])([rygb?]?)")
"""A field: a height, and what is known of its flag."""


def fields_of(text: str, rows: int, cols: int) -> Iterator[tuple[Field, int | None, str | None]]:
    """Each field of a board text with its height (``None`` for ``?``) and its flag.

    The flag is a colour's word, ``None`` where none stands, ``?`` where it can't be told.
    """
    colours = {colour.letter: colour.word for colour in Colour} | {"?": "?", "": None}
    lines = text.split("/")
    if len(lines) != rows:
        raise BoardError(f"board text has {len(lines)} rows, not {rows}")
    for index, line in enumerate(lines):
        found = _CELL.findall(line)
        if len(found) != cols or "".join(height + flag for height, flag in found) != line:
            raise BoardError(f"board text does not fit a row of {cols} fields: {line[:40]!r}")
        for col, (height, flag) in enumerate(found):
            yield Field(rows - 1 - index, col), None if height == "?" else DIGITS.index(height), colours[flag]
