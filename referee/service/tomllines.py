"""Find the line of a TOML text on which each key is set, for errors that name it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any


def lines_of_keys(text: str) -> dict[str, int]:
    """Return the line on which each dotted key of a TOML text is set, and the line that first names each table.

    ``tomllib`` doesn't say where a key stands. A text cut off after a whole statement is still TOML, so a key stands
    in the statement with which it first appears.
    """
    lines = text.splitlines(keepends=True)
    found: dict[str, int] = {}
    start = 0
    for end in range(1, len(lines) + 1):
        try:
            tree = tomllib.loads("".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        while start < end - 1 and not lines[start].partition("#")[0].strip():
            start += 1
        for key in _keys(tree):
            found.setdefault(key, start + 1)
        start = end
    return found


def _keys(tree: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in tree.items():
        yield prefix + name
        if isinstance(value, dict):
            yield from _keys(value, f"{prefix}{name}.")
