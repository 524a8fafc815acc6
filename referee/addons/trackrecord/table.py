"""Offer a table's page its own track record, and what puts a wrong ruling right."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from referee.addons.trackrecord.casekeeper import CaseKeeper
from referee.addons.trackrecord.counting import MEANINGS, TITLES, GameCount, added_up
from referee.addons.trackrecord.likelyboards import LikelyBoards
from referee.archive.measures import measures_folder
from referee.archive.shelf import Shelf
from referee.daemon.addontable import AddOnTable
from referee.report.session import session_of
from referee.storage.journal import JournalError, read_journal
from referee.values.words import Words

NAME = "track-record"
"""Under which a certificate states the record."""
_LOG = logging.getLogger(__name__)


class OwnRecord:
    """Counts what became of the rulings of the games that were refereed at a table. Safe for several threads.

    A game is counted once, until it goes on. A thread of its own, once started, keeps the lines of all games but the
    one that is played: nobody waits for them.
    """

    def __init__(self, games: Path, playing: Callable[[], Path | None] = lambda: None) -> None:
        """Take the folder of games refereed here, and what gives the journal that is being written."""
        self._shelf, self._playing = Shelf(games), playing
        self._mutex = threading.Lock()
        self._counted: dict[tuple[Path, str], GameCount | None] = {}
        self._lines: tuple[Words, ...] = ()
        self._known: Path | None = None
        self._wake, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="own-record", daemon=True)

    def lines(self) -> tuple[Words, ...]:
        """Return a line for each origin with rulings, of the games before the one that is played; at once."""
        return self._lines

    def stated(self) -> Mapping[str, object]:
        """Return what a certificate states of the record: the lines as they are now."""
        return {"lines": [line.to_json() for line in self._lines]} if self._lines else {}

    def start(self) -> None:
        """Begin to count."""
        self._wake.set()
        self._thread.start()

    def close(self) -> None:
        """Count no more."""
        self._stop.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    def published(self) -> None:
        """Count anew where another game is played by now."""
        if self._playing() != self._known:
            self._wake.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            try:
                self._known = self._playing()
                self._lines = tuple(
                    one.line for one in added_up(filter(None, self._counts(self._known))) if one.rulings
                )
            except OSError as error:
                _LOG.warning("the table's own record can't be counted: %s", error)

    def _counts(self, but: Path | None = None) -> list[GameCount | None]:
        """Return the count of each game but one, ``None`` for one that can't be read."""
        with self._mutex:
            heads = {(card.path, card.head) for card in self._shelf.cards()}
            self._counted = {key: count for key, count in self._counted.items() if key in heads}
            for path, head in sorted(heads - self._counted.keys()):
                if path != but and not self._stop.is_set():
                    self._counted[path, head] = _count_of(path)
            return [count for (path, _), count in self._counted.items() if path != but]

    def told(self, language: str) -> bytes:
        """Return the records as JSON, each with its lines."""
        counts = self._counts()
        records = [
            {
                **one.to_json(),
                "title": TITLES[one.origin].text(language),
                "meaning": MEANINGS[one.origin].text(language),
                "lines": [line.text(language) for line in one.lines],
            }
            for one in added_up(filter(None, counts))
        ]
        return json.dumps({"records": records, "unread": counts.count(None)}, ensure_ascii=False).encode()


def _count_of(path: Path) -> GameCount | None:
    """Count a game; ``None`` for one that is damaged, or that is not installed."""
    try:
        return GameCount.of(session_of(read_journal(path, recover=False)).state, measures_folder(path))
    except JournalError:
        return None


def join(table: AddOnTable) -> None:
    """Offer the record, where games are kept, and boards in the place of wrong ones; keep labelled looks."""
    if table.game is not None:
        table.offer(LikelyBoards(table.game, table.journal))
        keeper = CaseKeeper(table.journal, table.state)
        table.publisher.on_publish(keeper.wake)
        table.once_served.append(keeper.start)
        table.parts.callback(keeper.close)
    if table.games is not None:
        record = OwnRecord(table.games, lambda: table.journal().path)
        table.offer(record)
        table.reliability.append(record.lines)
        if table.live is not None:
            table.live.guide.state_also(NAME, record.stated)
        table.publisher.on_publish(record.published)
        table.once_served.append(record.start)
        table.parts.callback(record.close)
