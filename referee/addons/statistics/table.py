"""Offer a table's page the statistics."""

from __future__ import annotations

from datetime import datetime

from referee.addons.statistics.book import PlayerBook
from referee.addons.statistics.statistics import PlayerStatistics
from referee.daemon.addontable import AddOnTable


def join(table: AddOnTable) -> None:
    """Offer the statistics of those who want some, where games are kept."""
    if table.games is None:
        return
    book = PlayerBook(table.folder / "players.json", lambda: datetime.now().astimezone().date().isoformat())
    table.offer(PlayerStatistics(table.games, book, table.cache))
