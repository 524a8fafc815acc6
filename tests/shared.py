"""Where more cases, tables and photographs lie: too large for the project, in a folder that REFEREE_SHARED names.

What runs depends on this alone, not on where the checkout lies; a few of the cases lie beside the tests.
"""

from __future__ import annotations

import os
from pathlib import Path

# Taken out of the environment: the referee that tests start refuses variables of its name that set nothing.
SHARED = Path(os.environ.pop("REFEREE_SHARED", "") or os.devnull)
TABLES = SHARED / "tables"


def case_files(game: str, own: Path, pattern: str = "*.jsonl") -> list[Path]:
    """Give the files of cases in a folder of a game's tests, and those that are shared."""
    return [*sorted(own.glob(pattern)), *sorted((SHARED / "cases" / game).glob(pattern))]
