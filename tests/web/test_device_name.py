"""What a device is called that nobody named, how a tab already open is paired, and what it says of a board."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, expect

from referee.daemon import ViewPublisher
from referee.games import game_named
from referee.service.pairing import open_auth, pairing_link
from referee.service.server import PageServer, address, bind
from referee.view import NOTHING, table_view
from tests.web.browser import needs_browser, open_page
from tests.web.paired import Told, paired
from tests.web.watched import some_turns_on
from web.app import create_app
from web.tableparts import TableParts

pytestmark = needs_browser
ASKED = """async () => {
  const { chooseOption } = await import("/kinds/ledger/choosing.js");
  chooseOption({ name: "Install", hindrance: "Red cannot pay." });
}"""
"""Choose an option that the rules don't allow."""


def called(page: Page) -> str:
    """Return what the device is called."""
    name: str = page.evaluate("fetch('/api/session').then(answer => answer.json())")["device"]["name"]
    return name


def test_an_unnamed_computer_gets_a_name_in_its_own_language(tmp_path: Path) -> None:
    with paired(tmp_path, game_named("torres"), some_turns_on("torres", 1), look=("fr", "light")) as (page, _):
        assert called(page) == "Ordinateur d’un joueur"


def test_a_code_opened_in_an_open_tab_pairs_it(tmp_path: Path) -> None:
    with ExitStack() as parts:
        board, auth = ViewPublisher(), open_auth(tmp_path, parts)
        state = some_turns_on("torres", 1)
        board.publish(lambda language: table_view(game_named("torres"), state, NOTHING, language))
        parts.callback(board.close)
        sock = parts.enter_context(bind("127.0.0.1", 0))
        app = create_app(board, TableParts(commands=Told(), auth=auth), HEARTBEAT_S=0.3)
        parts.enter_context(PageServer(app, sock))
        page = parts.enter_context(open_page(1024, 768))
        page.goto(address(sock))
        expect(page.get_by_text("Pair this device to take part")).to_be_visible()
        page.goto(pairing_link(address(sock), auth.desk.new_code()))  # only the part after # is another
        expect(page.get_by_text("This device is paired.")).to_be_visible()
        expect(page.get_by_role("button", name="Turn ended")).to_be_visible()
        assert called(page) == "A player’s computer"
        board_told = page.get_by_role("group", name="The board seen from above").first
        expect(board_told).to_have_attribute(
            "aria-label", re.compile("Without a piece: .*C3 height 1.*, all others height 0")
        )
        page.evaluate(ASKED)
        expect(page.get_by_role("button", name="Tell it all the same")).not_to_have_class("main")
        expect(page.get_by_role("button", name="Cancel")).to_have_class("main")
