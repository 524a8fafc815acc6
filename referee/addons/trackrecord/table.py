"""Offer a table's page its own track record, and what puts a wrong ruling right."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from referee.addons.trackrecord.casekeeper import CaseKeeper
from referee.addons.trackrecord.counting import TITLES, GameCount, added_up
from referee.addons.trackrecord.likelyboards import LikelyBoards
from referee.archive.measures import measures_folder
from referee.archive.shelf import Shelf
from referee.daemon.addontable import AddOnTable
from referee.daemon.resultcache import ResultCache
from referee.report.session import session_of
from referee.storage.journal import JournalError, read_journal


class OwnRecord:
    """Counts what became of the rulings of the games that were refereed at a table. Safe for several threads."""

    def __init__(self, games: Path, cache: ResultCache) -> None:
        """Take the folder of games refereed here, and a cache for the counts."""
        self._shelf, self._cache = Shelf(games), cache
        self._mutex = threading.Lock()

    def told(self, language: str) -> bytes:
        """Return the records as JSON, each with its lines."""
        with self._mutex:
            cards = self._shelf.cards()
            heads = tuple((card.path, card.head) for card in cards)
            return self._cache.get(
                ("record", heads, language), lambda: self._made([path for path, _ in heads], language)
            )

    def _made(self, paths: list[Path], language: str) -> bytes:
        counts, unread = [], 0
        for path in paths:
            try:
                state = session_of(read_journal(path, recover=False)).state
                counts.append(GameCount.of(state, measures_folder(path)))
            except JournalError:
                unread += 1  # damaged, or of a game that is not installed
        records = [
            {
                **one.to_json(),
                "title": TITLES[one.origin].text(language),
                "lines": [line.text(language) for line in one.lines],
            }
            for one in added_up(counts)
        ]
        return json.dumps({"records": records, "unread": unread}, ensure_ascii=False).encode()


def join(table: AddOnTable) -> None:
    """Offer the record, where games are kept, and boards in the place of wrong ones; keep labelled looks."""
    if table.game is not None:
        table.offer(LikelyBoards(table.game, table.journal))
        keeper = CaseKeeper(table.journal, table.state)
        table.publisher.on_publish(keeper.wake)
        table.once_served.append(keeper.start)
        table.parts.callback(keeper.close)
    if table.games is not None:
        table.offer(OwnRecord(table.games, table.cache))
