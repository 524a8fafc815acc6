"""Read a copy's data from a file, and find the invented copy that comes along for trying things out."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.reading import parse_copy

EXAMPLE = Path(__file__).with_name("example.json")
"""An invented copy: its values are on no real card."""
MOST_BYTES = 1_000_000


def load_copy(path: Path) -> GameCopy:
    """Read a copy's file. Raises RequestError, naming the file and what to do."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RequestError("copy", f"{path} is longer than {MOST_BYTES} bytes: this is no copy's file")
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RequestError("copy", f"{path} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RequestError("copy", f"{path} is no JSON text: {error}") from error
    try:
        return parse_copy(data)
    except RequestError as error:
        raise RequestError("copy", f"{path}: {error}") from error


@cache
def example() -> GameCopy:
    """Return the invented copy that comes along."""
    return load_copy(EXAMPLE)
