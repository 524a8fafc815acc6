"""Tables to play at."""

from __future__ import annotations

from referee.games.presets import LedgerPreset

PRESETS = (LedgerPreset(name="no-cameras", about="any table: all is declared on the page, no camera looks on"),)
