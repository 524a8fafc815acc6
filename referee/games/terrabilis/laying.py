"""Lay a recorded turn by hand, as far as anybody has to see it: nothing, as all is declared."""

from __future__ import annotations

from referee.games.record import RecordEntry
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.kinds.ledger.observation import NOTHING


def laid(position: TerrabilisPosition, entry: RecordEntry) -> str:
    """Return the text of an observation in which nothing is seen."""
    return NOTHING
