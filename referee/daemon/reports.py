"""Make reports on turns of the game under way when somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from referee.archive.measures import measures_folder
from referee.daemon.gamejournal import GameJournal
from referee.daemon.resultcache import ResultCache
from referee.match.events import AnyGame
from referee.report.dispute import disputed_turn
from referee.report.disputepage import Evidence
from referee.report.forms import turn_file
from referee.report.overlays import Overlays
from referee.storage.journal import JournalEntry, JournalError
from referee.values.turnform import TurnForm
from referee.values.words import Words


class TurnReports:
    """Makes reports. Safe for several threads.

    book: the game under way. cache: of what was made. table: folder with the table's measures and lenses, where
    they do not lie with the game. reliability: lines on how far the table is to be believed.
    """

    def __init__(
        self,
        book: Callable[[], GameJournal],
        cache: ResultCache,
        table: Path | None = None,
        reliability: Callable[[], tuple[Words, ...]] = tuple,
    ) -> None:
        self._book, self._cache, self._table, self._reliability = book, cache, table, reliability

    def turn(self, turn: int, language: str, form: TurnForm) -> bytes:
        """Return a turn as it stands now as a file; empty where nothing was ruled on it."""
        session = self._book()
        entries = list(session.journal.entries())
        lines = self._reliability()
        key = (session.journal.path, entries[-1].hash if entries else "", turn, language, form, lines)
        return self._cache.get(key, lambda: self._made(session, entries, turn, language, form, lines))

    def _made(
        self,
        session: GameJournal,
        entries: Sequence[JournalEntry],
        turn: int,
        language: str,
        form: TurnForm,
        lines: tuple[Words, ...],
    ) -> bytes:
        try:
            told = disputed_turn(entries, turn)
        except JournalError:
            return b""
        evidence = Evidence(self._picture(session), self._overlays(told.game, session), lines)
        return turn_file(form, told, evidence, language)

    def _picture(self, session: GameJournal) -> Callable[[str], bytes | None]:
        store = session.evidence
        return store.picture if store is not None else lambda content: None

    def _overlays(self, game: AnyGame, session: GameJournal) -> Overlays | None:
        kept = measures_folder(session.journal.path)
        return Overlays.at(game, kept if (kept / "table.json").is_file() else self._table)
