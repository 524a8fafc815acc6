"""The recorded game as files: the page plays it from any address, without a referee."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click
import pytest

from scripts.site import build, placed_below
from tests.web.browser import open_page

LONG_MS = 60_000


@pytest.mark.parametrize(
    ("text", "depth", "expected"),
    [
        ('<link href="/static/theme.css"><a href="/">', 0, '<link href="static/theme.css"><a href="index.html">'),
        ('import { html } from "/static/dom.js";', 2, 'import { html } from "../../static/dom.js";'),
        (
            "const one = await import('/kinds/grid/board.js');",
            1,
            "const one = await import('../kinds/grid/board.js');",
        ),
        ("src: `/api/pictures/${name}`", 1, "src: `api/pictures/${name}`"),
        ("href: `/help?lang=${known.language}#rules`", 1, "href: `help-${known.language}.html#rules`"),
        ("background: url(/static/icon.svg)", 1, "background: url(../static/icon.svg)"),
    ],
)
def test_addresses_hold_below_any_folder(text: str, depth: int, expected: str) -> None:
    assert placed_below(text, depth) == expected


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("kept")
    with pytest.raises(click.ClickException, match="something else than a site"):
        build(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "kept"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_told: object) -> None:
        """Write nothing down."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the site from a folder below the server's own."""
    root: Path = tmp_path_factory.mktemp("server")
    build(root / "below" / "here")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=root))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/below/here/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.browser
@pytest.mark.process
@pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="plays the recorded game: make browser does")
@pytest.mark.parametrize(("language", "words"), [("en", "Not legal"), ("de", "Nicht erlaubt")])
def test_the_recorded_game_plays_from_files(site: str, language: str, words: str) -> None:
    from playwright.sync_api import expect

    with open_page(390, 844, locale=language) as page:
        missing: list[str] = []
        page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        page.on("pageerror", lambda error: missing.append(str(error)))
        page.goto(site)
        expect(page.locator("#headline")).to_have_text(words, timeout=LONG_MS)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        seen = page.locator(".evidence img").first
        seen.scroll_into_view_if_needed()
        expect(seen).to_have_js_property("complete", True)
        assert seen.evaluate("image => image.naturalWidth") > 0
        page.locator("[data-key=report]").click()
        page.locator("[data-key=report-html]").click()
        expect(page.locator("#toast")).to_be_visible()
        page.goto(f"{site}#/table")
        expect(page.locator(".look-list img").first).to_have_js_property("complete", True)
        assert not [address for address in missing if "favicon" not in address]
