"""A state that is made, on a device that is paired: what it tells the table is kept and goes no further."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from referee.match.commands import Name
from referee.match.events import AnyGame
from referee.match.live import Live
from referee.match.state import TableState
from referee.service.pairing import open_auth, pairing_link
from referee.service.server import PageServer, address, bind
from referee.view import NOTHING, table_view
from tests.web.browser import open_page
from web.app import create_app
from web.tableparts import TableParts
from web.tableview import Outcome, PhoneCameras


class Told:
    """Commands that came, in their order."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, Mapping[str, object]]] = []

    def names(self) -> Sequence[str]:
        return [name.value for name in Name]

    def command(
        self, name: str, arguments: Mapping[str, object], who: str, seen: int | None = None, player: str = ""
    ) -> Outcome:
        self.commands.append((name, arguments))
        return Outcome(True)


@contextmanager
def paired(
    folder: Path,
    game: AnyGame,
    state: TableState,
    live: Live = NOTHING,
    size: tuple[int, int] = (1024, 768),
    look: tuple[str, str] = ("en", "light"),
    phones: PhoneCameras | None = None,
) -> Iterator[tuple[Page, Told]]:
    """Open the page over a state, on a paired device. look: language and theme."""
    with ExitStack() as parts:
        board, told = ViewPublisher(), Told()
        board.publish(lambda language: table_view(game, state, live, language))
        parts.callback(board.close)
        auth = open_auth(folder, parts)
        sock = parts.enter_context(bind("127.0.0.1", 0))
        app = create_app(board, TableParts(commands=told, auth=auth, phones=phones), HEARTBEAT_S=0.3)
        parts.enter_context(PageServer(app, sock))
        page = parts.enter_context(open_page(*size, locale=look[0], theme=look[1]))
        page.goto(pairing_link(address(sock), auth.desk.new_code()))
        expect(page.locator("#play")).to_have_attribute("data-phase", state.phase.value)
        expect(page.locator("#actions button").first).to_be_visible()
        yield page, told
