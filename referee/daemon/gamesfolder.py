"""Find the game a table carries on among its journals, and name the next one's."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from referee.archive.measures import keep_measures
from referee.daemon.gamejournal import GameJournal, carried_on, start_journal
from referee.games.contract import Position
from referee.match.events import AnyGame, GameStarted
from referee.match.phases import Phase
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import DamagedError, Journal, JournalError

SUFFIX = ".journal"


@dataclass(frozen=True, slots=True)
class GamesFolder:
    """A folder of journals of one table.

    table: its name, with which the files begin. make_room: asked to make room when the disk is full. measures: the
    table's files, kept beside every game. hands: whether pictures are kept in which something stands over the board.
    """

    folder: Path
    table: str
    now: Callable[[], datetime] = datetime.now
    make_room: Callable[[], bool] = lambda: False
    measures: Mapping[str, bytes] = field(default_factory=dict)
    hands: bool = True

    def newest(self) -> Path | None:
        """Return the journal begun last, by its name."""
        found = sorted(self.folder.glob(f"{self.table}-[0-9]*{SUFFIX}"), key=lambda path: path.stem)
        return found[-1] if found else None

    def carry_on(self, game: AnyGame, position: Position | None = None) -> GameJournal | None:
        """Open the game begun last, if it isn't over; only if it began at ``position``, where one is given.

        Raises JournalError for a journal that can't be read, saying what to do, or that another referee is writing.
        """
        path = self.newest()
        if path is None:
            return None
        try:
            journal = Journal(path, make_room=self.make_room)
        except DamagedError as error:
            repair = f"referee games repair --folder {shlex.quote(str(self.folder))} {shlex.quote(path.stem)}"
            raise JournalError(
                f"{error}. '{repair}' keeps the events before the damage as the game, and the damaged file beside "
                "it; with --new another game begins, and this one stays as it is"
            ) from error
        try:
            state = carried_on(journal, game)
            first = next(journal.entries(), None)
            other = position is not None and first is not None and first.data["position"] != position.to_json()
        except BaseException:
            journal.close()
            raise
        if state is None or state.phase is Phase.FINISHED or other:
            journal.close()
            return None
        keep_measures(path, self.measures)
        return GameJournal(journal, state, self._evidence(path), self._another)

    def begin(self, started: GameStarted) -> GameJournal:
        """Begin a new game in a journal of its own. Raises JournalError."""
        journal, evidence = self._another()
        return start_journal(journal, started, evidence, self._another)

    def _another(self) -> tuple[Journal, EvidenceStore]:
        stem = f"{self.table}-{self.now().strftime('%Y%m%d-%H%M%S')}"
        newest = self.newest()
        # Never before the newest, and never over it: the clock may have been set back.
        if newest is not None and stem <= newest.stem:
            stem = f"{newest.stem}_1"
        path = self.folder / f"{stem}{SUFFIX}"
        keep_measures(path, self.measures)
        return Journal(path, make_room=self.make_room), self._evidence(path)

    def _evidence(self, path: Path) -> EvidenceStore:
        return EvidenceStore(pictures_folder(path), hands=self.hands)
