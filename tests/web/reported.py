"""Serve a game's report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.daemon import ViewPublisher
from referee.daemon.gamejournal import GameJournal, carried_on
from referee.daemon.pastgames import PastGames
from referee.daemon.reports import TurnReports
from referee.daemon.resultcache import ResultCache
from referee.games import game_named
from referee.service.server import PageServer, address, bind
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, read_journal
from referee.view import table_view
from tests.archive.game import write_journal
from web.app import create_app
from web.tableparts import TableParts

GAME = game_named("terra-turrium")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a page whose game stands at a turn that is not legal; yield its address.

    An earlier game is on the shelf.
    """
    earlier = write_journal(folder / "earlier.journal")
    with ExitStack() as parts:
        journal = parts.enter_context(Journal(folder / "now.journal"))
        for entry in read_journal(earlier):
            journal.append(entry.kind, entry.data)
            if entry.kind == "ruling":
                break
        state = carried_on(journal, GAME)
        assert state is not None
        session = GameJournal(journal, state, EvidenceStore(pictures_folder(earlier)))
        board, cache = ViewPublisher(), ResultCache()
        board.publish(lambda language: table_view(GAME, session.state, language=language))
        shelf = PastGames(folder, lambda: journal.path, cache)
        offered = TableParts(reports=TurnReports(lambda: session, cache), games=shelf)
        sock = parts.enter_context(bind("127.0.0.1", 0))
        parts.enter_context(PageServer(create_app(board, offered), sock))
        parts.callback(board.close)
        yield address(sock)
