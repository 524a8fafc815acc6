"""Reports on turns of the game under way, made when somebody asks for one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from referee.archive.measures import measures_folder
from referee.daemon.session import GameSession
from referee.match.events import AnyGame
from referee.report.dispute import disputed_turn
from referee.report.disputepage import Evidence, dispute_report
from referee.report.html import html_of
from referee.report.overlays import Overlays
from referee.report.pdf import pdf_of
from referee.storage.journal import JournalError


class TurnReports:
    """Makes reports, one at a time: each takes a second or more that the eyes may need. Safe for several threads.

    book: the game under way. table: folder with the table's measures and lenses, where they do not lie with the game.
    """

    def __init__(self, book: Callable[[], GameSession], table: Path | None = None) -> None:
        self._book, self._table = book, table
        self._mutex = threading.Lock()
        self._made: tuple[tuple[object, ...], bytes] | None = None

    def turn(self, turn: int, language: str, as_pdf: bool) -> bytes | None:
        """The report on a turn as it stands now; ``None`` where nothing was ruled on it."""
        with self._mutex:
            session = self._book()
            entries = list(session.journal.entries())
            key = (entries[-1].hash if entries else "", turn, language, as_pdf)
            if self._made is None or self._made[0] != key:
                try:
                    told = disputed_turn(entries, turn)
                except JournalError:
                    return None
                evidence = Evidence(self._picture(session), self._overlays(told.game, session))
                report = dispute_report(told, evidence)
                made = pdf_of(report, language) if as_pdf else html_of(report, language).encode()
                self._made = (key, made)
            return self._made[1]

    def _picture(self, session: GameSession) -> Callable[[str], bytes | None]:
        store = session.evidence
        return store.picture if store is not None else lambda content: None

    def _overlays(self, game: AnyGame, session: GameSession) -> Overlays | None:
        kept = measures_folder(session.journal.path)
        return Overlays.at(game, kept if (kept / "table.json").is_file() else self._table)
