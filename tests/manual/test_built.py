"""The manual builds, needs nothing from elsewhere, and its search answers plain questions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from referee.daemon import ViewPublisher
from scripts.reference import DOCS
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served

pytestmark = [pytest.mark.long, pytest.mark.process]

QUESTIONS = {
    "which phones can I use?": "#which-phones",
    "does it work with Firefox on Android": "#which-phones",
    "can we play with house rules": "#can-we-play-by-house-rules",
    "does it know chess?": "#which-games",
    "how far do I hold the phone": "#how-far-away",
    "our light is bad": "#what-if-the-light",
    "do I need the internet?": "#do-i-need-the-internet",
    "is my living room filmed": "#is-anything-filmed",
    "what happens if the referee is wrong?": "#what-if-the-referee-is-wrong",
    "how many cameras do I need?": "#how-many-cameras",
    "what does it cost": "#what-does-it-cost",
    "how can I undo a turn": "#how-do-i-undo",
    "what do I have to print": "#do-i-need-to-print",
    "change a player's name": "#how-do-we-start-a-new-game",
    "pause the game": "#can-we-pause",
    "can we continue tomorrow": "#can-we-pause",
    "a player gives up": "#what-if-somebody-gives-up",
    "it says it can't tell": "#it-says-cant-tell",
    "the wrong player moved": "#what-if-the-wrong-player-moved",
    "how long does a ruling take?": "#how-long-does-a-ruling-take",
    "my board is bigger": "#does-our-board-have-to-be",
    "turn the sound off": "#how-do-i-switch-its-sound",
    "I am colour blind": "#can-somebody-play",
    "send a game to a friend": "#how-do-i-save-a-game",
    "how do I stop the referee": "#how-do-i-stop-the-referee",
    "who wins at Torres": "play/torres.html",
    "how do I install it on a Raspberry Pi": "set-up/install.html",
    "how do I pair a tablet": "pair",
}
"""Questions as people put them, and where an answer is."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site") / "manual"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=DOCS.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return site


def test_the_manual_builds_without_a_broken_link_and_holds_nothing_inline(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>" not in text, page
        assert "<style" not in text, page
        assert " style=" not in text, page
        assert not re.search(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?//', text), page
    assert "What to buy" in (site / "set-up" / "hardware.html").read_text(encoding="utf-8")


@needs_browser
def test_the_search_answers_plain_questions_with_its_first_pages(site: Path) -> None:
    lost = {}
    board = ViewPublisher()
    with closing(board), ExitStack() as parts:
        served = Served(board, MANUAL=site)
        parts.enter_context(served.parts)
        page = parts.enter_context(open_page())
        first_question = next(iter(QUESTIONS))
        page.goto(f"{served.url}docs/index.html?q={quote(first_question)}")
        results = page.locator(".md-search-result__item")
        for question, answer in QUESTIONS.items():
            if question != first_question:  # the search is opened and its index made once
                page.locator(".md-search-result__list").evaluate("node => node.replaceChildren()")
                page.fill(".md-search__input", question)
                page.press(".md-search__input", "End")
            expect(results.first).to_be_visible()
            first = [results.nth(place).locator("a:visible") for place in range(min(3, results.count()))]
            links = [str(link.get_attribute("href")) for page_links in first for link in page_links.all()]
            if not any(answer in link for link in links):
                lost[question] = links
    assert not lost
