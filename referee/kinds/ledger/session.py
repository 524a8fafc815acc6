"""The adapter of games kept as a ledger: with cameras over a mat, or without any."""

from __future__ import annotations

from referee.kinds.ledger.declared import LedgerAdapter
from referee.kinds.ledger.mats import MatAdapter, MatEyes
from referee.match.events import AnyGame


def adapter(game: AnyGame, reader: MatEyes | None) -> LedgerAdapter:
    """Return the adapter of a game kept as a ledger. reader: reads its mat, ``None`` where nothing is looked at."""
    return LedgerAdapter(game) if reader is None else MatAdapter(game, reader)
