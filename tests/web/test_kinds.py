"""A kind of observation from another distribution brings its part of the page, and a broken one harms no other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

import referee.kinds
from referee.daemon import ViewPublisher
from referee.service.server import PageServer, address, bind
from referee.values.installed import entries
from tests.web.browser import needs_browser, open_page
from web.api.words import page_words
from web.app import create_app

WIDGET = """
import { svg } from "/static/dom.js";
import { translate } from "/static/i18n.js";

export const widget = {
  surface: "svg",
  draw: (node, { up }) => {
    node.setAttribute("viewBox", "0 0 100 20");
    node.setAttribute("aria-label", translate("{n} cups", { n: up.length }));
    node.replaceChildren(...up.map((one, at) =>
      svg("circle", { cx: 10 + 20 * at, cy: 10, r: 8, class: one ? "cup cup-up" : "cup" })));
  },
};
"""
GERMAN = """msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"

#: a_row_of_cups/page/widget.js
msgid "{n} cups"
msgstr "{n} Becher"

#: a_row_of_cups/view.py
msgid "A cup was turned."
msgstr "Ein Becher wurde umgedreht."
"""
STYLE = ".cup { fill: rgb(1, 2, 3); }"


@pytest.fixture
def cups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install a kind as a distribution of its own. Yield its page folder."""
    page = tmp_path / "a_row_of_cups" / "page"
    page.mkdir(parents=True)
    (page.parent / "__init__.py").touch()
    (page / "widget.js").write_text(WIDGET, encoding="utf-8")
    (page / "board.css").write_text(STYLE, encoding="utf-8")
    catalogue = page.parent / "locale" / "de" / "LC_MESSAGES"
    catalogue.mkdir(parents=True)
    (catalogue / "cups.po").write_text(GERMAN, encoding="utf-8")
    info = tmp_path / "a_row_of_cups-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-row-of-cups\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{referee.kinds.GROUP}]\ncups = a_row_of_cups\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    _forget()
    yield page
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    """Have distributions looked through anew."""
    entries.cache_clear()
    page_words.cache_clear()


@contextmanager
def drawn(board: ViewPublisher, path: str = "") -> Iterator[Page]:
    """Open a page on which the kind's board is shown."""
    board.publish(dict(board.snapshot()) | {"board": {"kind": "cups", "up": [True, False, True]}})
    with ExitStack() as parts:
        sock = parts.enter_context(bind("127.0.0.1", 0))
        parts.enter_context(PageServer(create_app(board, HEARTBEAT_S=0.3), sock))
        page = parts.enter_context(open_page())
        page.goto(address(sock) + path)
        yield page
        board.close()


def test_the_page_names_it_and_its_files_are_served(cups: Path, client: FlaskClient) -> None:
    head = client.get("/").text
    assert '<link rel="modulepreload" href="/kinds/cups/widget.js" data-kind="cups">' in head
    assert '<link rel="stylesheet" href="/kinds/cups/board.css">' in head
    assert "/kinds/cups/tablet.css" not in head  # what a kind does not bring is not asked for
    assert "cups" not in client.get("/virtual").text
    with client.get("/kinds/cups/widget.js") as answer:
        assert answer.data.decode() == WIDGET


def test_its_widget_speaks_the_languages_it_brings(cups: Path, client: FlaskClient) -> None:
    said = client.get("/api/words?lang=de").get_json()["words"]
    assert said["{n} cups"] == "{n} Becher"
    assert said["Settings"] == "Einstellungen"
    assert "A cup was turned." not in said  # its own code says that, not the page
    assert "{n} cups" not in client.get("/api/words?lang=fr").get_json()["words"]


def test_what_is_not_installed_is_not_there(client: FlaskClient) -> None:
    assert "cups" not in client.get("/").text
    assert client.get("/kinds/cups/widget.js").status_code == 404


@needs_browser
@pytest.mark.browser
def test_its_widget_draws_its_board(cups: Path, board: ViewPublisher) -> None:
    with drawn(board) as page:
        expect(page.locator("#board .cup")).to_have_count(3)
        expect(page.locator("#board .cup-up")).to_have_count(2)
        assert page.locator(".cup").first.evaluate("one => getComputedStyle(one).fill") == "rgb(1, 2, 3)"
        page.goto(f"{page.url.split('#')[0]}#/record")
        expect(page.locator("[data-key=as-picture]")).to_be_visible()


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("widget", ["export const widget = {", "export const other = {};"])
def test_a_widget_that_cannot_be_used_is_said_and_the_page_lives(
    cups: Path, board: ViewPublisher, widget: str
) -> None:
    (cups / "widget.js").write_text(widget, encoding="utf-8")
    with drawn(board) as page:
        expect(page.locator("#board-words")).to_have_text("The page can’t draw this board: load it again.")
        expect(page.locator("#headline")).not_to_be_empty()
        board.publish(dict(board.snapshot()) | {"board": {"kind": "grid", "columns": ["A"], "rows": [1], "fields": [
            {"name": "A1", "height": 2, "piece": None}]}})  # fmt: skip
        expect(page.locator("#board .cell")).to_have_count(1)
