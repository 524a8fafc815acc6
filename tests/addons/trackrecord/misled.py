"""A game at a virtual table whose cameras are shown another board now and then: the rulings on it are wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from referee.addons.trackrecord.casekeeper import CaseKeeper
from referee.addons.trackrecord.likelyboards import LikelyBoards
from referee.archive.measures import keep_measures
from referee.daemon import CommandQueue, Helpers, TableSight, ViewPublisher, start_journal
from referee.daemon.assembly import turn_loop
from referee.daemon.preview import eyes_of
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.match.commands import Name, actions
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.readers import reader_at
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from referee.virtual.folder import VIRTUAL_TABLE, make_table
from referee.virtual.scene import TableScene
from referee.virtual.sight import DrawnSight

_WORKING = (Phase.READING, Phase.RULING)


class MisledTable:
    """A table refereed in a thread of its own, its pictures drawn when they are asked for."""

    def __init__(self, folder: Path, package: GamePackage, began: Position, parts: ExitStack) -> None:
        game, self.path = package.game, folder / "games" / "game.journal"
        table = folder / "table"
        setup = make_table(table, game.name, False)
        files = {path.relative_to(table).as_posix(): path.read_bytes() for path in table.rglob("*.json")}
        self.path.parent.mkdir(parents=True)
        self.journal = parts.enter_context(Journal(self.path))
        keep_measures(self.path, files, must=True)
        kept = start_journal(
            self.journal,
            GameStarted(began, VIRTUAL_TABLE, (("red", "Anna Bauer"), ("yellow", "Bernd"))),
            EvidenceStore(pictures_folder(self.path)),
        )
        self._drawn = DrawnSight(setup, game.kit)
        self._commands = CommandQueue()
        self._changed = threading.Condition()
        self._state: TableState = kept.state
        self.likely = LikelyBoards(game, lambda: self.journal)
        self.keeper = CaseKeeper(lambda: self.journal, lambda: self._state)
        sight = TableSight(self._drawn, eyes_of(game.kit, reader_at(game, setup, table)))
        helpers = Helpers(on_change=lambda state, live: self._follow(state))
        over = threading.Event()
        loop = turn_loop(game, kept, sight, self._commands, ViewPublisher().publish, parts, helpers)
        self.show(began.observed.text)
        thread = threading.Thread(target=loop.run, args=(over.is_set,), daemon=True)
        thread.start()
        self.keeper.start()

        def end() -> None:
            over.set()
            thread.join()
            self.keeper.close()

        parts.callback(end)

    @classmethod
    @contextmanager
    def refereed(cls, folder: Path, package: GamePackage, began: Position) -> Iterator[Self]:
        """Begin a game from a position."""
        with ExitStack() as parts:
            yield cls(folder, package, began, parts)

    def _follow(self, state: TableState) -> None:
        with self._changed:
            self._state = state
            self._changed.notify_all()
        self.keeper.wake()

    def show(self, text: str) -> None:
        """Let the cameras see a board."""
        self._drawn.show(TableScene(text))

    def press(self, name: Name, **arguments: object) -> TableState:
        """Give a command; return the table once what follows from it is known."""
        outcome = self._commands.command(name, arguments, "Anna's phone")
        assert outcome.accepted, outcome.words
        return self.rested(lambda state: not state.awaiting and state.phase not in _WORKING)

    def rested(self, holds: Callable[[TableState], bool]) -> TableState:
        """Return the table once something holds of it."""
        with self._changed:
            assert self._changed.wait_for(lambda: holds(self._state), 60), self._state.phase
            return self._state

    def touched(self, changes: Mapping[str, str]) -> TableState:
        """Do what one touch on a board does on the page."""
        if Name.RULE_BOARD not in actions(self._state):
            self.press(Name.READING_WRONG)
        return self.press(Name.RULE_BOARD, fields=dict(changes))
