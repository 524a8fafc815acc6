"""The example game of docs/develop/adding-a-game.md stands beside the games that are installed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "example-game"))
