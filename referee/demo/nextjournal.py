"""Name the journal of the game after a demo's game."""

from __future__ import annotations

import itertools
from pathlib import Path


def next_journal(path: Path) -> Path:
    """Return the first name after a journal's that is not taken: game-2.journal, game-3.journal, ..."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))
    return next(name for name in numbered if not name.exists())
