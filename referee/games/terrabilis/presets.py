"""Define tables to play at."""

from __future__ import annotations

from referee.kinds.ledger.presets import LedgerPreset, MatPreset
from referee.values.words import say

PRESETS = (
    LedgerPreset(name="no-cameras", about=say("any table: all is declared on the page, no camera looks on")),
    MatPreset(
        name="mat", about=say("cameras see the mat with dice, pawns and counters"), mat_mm=(460.0, 330.0), die_mm=16.0
    ),
)
