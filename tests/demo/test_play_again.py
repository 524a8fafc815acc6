"""A recorded game at its end is played again on the page, several times, each in a journal of its own."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from referee.storage.journal import Journal
from tests.demo.command import Demo
from tests.demo.table import cut
from tests.web.browser import needs_browser, open_page


def kinds(path: Path) -> list[str]:
    with Journal(path) as journal:
        return [entry.kind for entry in journal.entries()]


@needs_browser
def test_at_its_end_the_page_offers_to_play_again_as_often_as_one_likes(tmp_path: Path) -> None:
    journal, short = tmp_path / "game.journal", cut(tmp_path / "recording", 2)
    with Demo(journal, "--recording", str(short), "--pace", "0") as demo, open_page() as page:
        page.goto(demo.until(r"open (http://\S+) instead")[1])
        for number in (2, 3):
            expect(page.locator("#ended")).to_have_text("The recording has ended.", timeout=60_000)
            expect(page.locator("[data-act=turn_ended]")).to_have_count(0)
            page.click("[data-act=play_again]")
            assert demo.until(r"Played again; journal: (\S+)")[1] == str(tmp_path / f"game-{number}.journal")
            demo.until("The recording has ended")
        page.goto(f"{page.url.split('#')[0]}#/new")
        expect(page.locator("[data-key=again]")).to_be_visible(timeout=60_000)
    first, *more = (kinds(tmp_path / name) for name in ("game.journal", "game-2.journal", "game-3.journal"))
    assert "source_ended" in first
    assert first.count("ruling") == 1
    assert more == [first, first]
    taken_up = Demo(journal, "--recording", str(short), "--pace", "0", "--once")
    assert taken_up.wait() == 0, taken_up.said
    assert kinds(journal) == first  # taken up at its end it stays there
