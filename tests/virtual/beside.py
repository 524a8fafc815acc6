"""The virtual table's page over a game some turns on, without a referee behind it.

SCREENS=DIR keeps pictures.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from referee.daemon import ViewPublisher
from referee.demo.virtualdesk import PlayedTable
from referee.games import game_named
from referee.kinds.grid.comparing import tasks
from referee.match.live import Live, RestoreTask
from referee.match.state import TableState
from referee.service.pairing import open_auth
from referee.service.server import PageServer, address, bind
from referee.values.board import Board
from referee.view import table_view
from referee.virtual.table import Pace, VirtualTable
from tests.virtual.laid import laid
from tests.web.browser import open_page
from tests.web.watched import some_turns_on
from web.app import create_app
from web.tableparts import TableParts

SCREENS = os.environ.get("SCREENS")
FLAT = """const plain = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : plain.call(this, kind, ...more);
};"""
"""No WebGL, as on an old tablet: the plain board. Without a graphics card, three dimensions take seconds to draw."""


@dataclass(frozen=True)
class Beside:
    """The page, how to have the referee say what it says of a breach, and the table a hand may touch."""

    page: Page
    breaks: Callable[[], None]
    table: VirtualTable
    before: str
    """What stood there before the turn."""


def _to_put_back(state: TableState) -> tuple[RestoreTask, ...]:
    turn = state.last
    assert turn is not None
    before, after = turn.before.observed, turn.ruled
    return tasks(before.like(after.observed), before) if isinstance(before, Board) and after is not None else ()


@contextmanager
def beside(
    name: str,
    size: tuple[int, int],
    look: tuple[str, str] = ("en", "light"),
    broken: bool = False,
    forced_colours: bool = False,
    flat: bool = False,
) -> Iterator[Page]:
    """Open the virtual table's page over a game some turns on; broken: with a breach that waits to be put back."""
    with referee_beside(name, size, look, broken, forced_colours, flat) as table:
        yield table.page


@contextmanager
def referee_beside(
    name: str,
    size: tuple[int, int],
    look: tuple[str, str] = ("en", "light"),
    broken: bool = False,
    forced_colours: bool = False,
    flat: bool = False,
    folder: Path | None = None,
) -> Iterator[Beside]:
    """Open the same page, with what makes the referee speak. folder: keeps devices; this one is paired then."""
    state = some_turns_on(name, 4, broken).naming({})
    game, (setup, kit) = game_named(name), laid(name)
    first = state.history[0].player.word
    ruled = state.last.ruled if state.last is not None else None
    lying = ruled.observed if ruled is not None else state.position.observed.text
    with ExitStack() as parts:
        table = VirtualTable(setup, kit, lambda scene: None, lying, Pace(0, 0, 0), lambda _: False)
        idea = table.scene.lying
        desk = PlayedTable(table, setup, game, lambda by: None, lambda: idea, lambda state: (first,))
        desk.follow(state)
        board = ViewPublisher()

        def says(now: TableState, breach: bool) -> None:
            seen = Live(tasks=_to_put_back(now) if breach else ())
            board.publish(lambda language: table_view(game, now, seen, language))

        says(state, broken)
        parts.callback(board.close)
        sock = parts.enter_context(bind("127.0.0.1", 0))
        auth = None if folder is None else open_auth(folder, parts)
        parts.enter_context(PageServer(create_app(board, TableParts(virtual=desk, auth=auth)), sock))
        page = parts.enter_context(open_page(*size, locale=look[0], theme=look[1], forced_colours=forced_colours))
        if flat:
            page.add_init_script(FLAT)
        pair = "" if auth is None else f"#pair={auth.desk.new_code().secret}"
        page.goto(f"{address(sock)}virtual{pair}")
        before = state.position.observed.text
        yield Beside(page, lambda: says(some_turns_on(name, 4, True).naming({}), True), table, before)
        if SCREENS:
            page.wait_for_timeout(800)
            kind = f"{'-broken' if broken else ''}{'-forced' if forced_colours else ''}"
            page.screenshot(path=f"{SCREENS}/strip-{name}-{size[0]}-{'-'.join(look)}{kind}.png")
