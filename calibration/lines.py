"""Finds the line of a JSON text on which a value stands, so that an error in a file says where to look."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """Return the line, from 1, of the value at a path of keys and indices; in an object, the line of its key.

    A path that leads nowhere gives the line of the last part that is there; ``None`` when not even the first is.
    """
    at, found = _skip(text, 0), None
    for part in path:
        step = _into_object(text, at, str(part)) if text[at] == "{" else _into_array(text, at, part)
        if step is None:
            break
        stands, at = step
        found = text.count("\n", 0, stands) + 1
    return found


def _into_object(text: str, at: int, key: str) -> tuple[int, int] | None:
    """Return where a key of the object that starts at ``at`` stands, and where its value does.

    ``None`` for a key that is not there.
    """
    at = _skip(text, at + 1)
    while text[at] != "}":
        name, end = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        if name == key:
            return at, value
        at = _next(text, value)
    return None


def _into_array(text: str, at: int, index: str | int) -> tuple[int, int] | None:
    """Return where an element of the array that starts at ``at`` stands, twice; ``None`` for no such element."""
    if text[at] != "[" or not isinstance(index, int):
        return None
    at = _skip(text, at + 1)
    for _ in range(index):
        if text[at] == "]":
            return None
        at = _next(text, at)
    return None if text[at] == "]" else (at, at)


def _next(text: str, at: int) -> int:
    """Return the place past the value that starts at ``at``, and the comma after it."""
    _, end = _DECODER.raw_decode(text, at)
    end = _skip(text, end)
    return _skip(text, end + 1) if text[end] == "," else end


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
