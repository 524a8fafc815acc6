"""Picture the reports for the documents: a disputed turn, its PDF, a whole game. ``make screens`` runs it, too.

The bundled recording is refereed from its pictures; what comes out is looked at in a real browser.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page
from pypdfium2 import PdfDocument

from referee.cli.report import turn_report
from referee.report.forms import TurnForm
from referee.report.gamefile import opened_game
from referee.report.session import session_of
from referee.report.sessionpage import session_page
from tests.again.recorded import bundled
from tests.web.browser import open_page
from tests.web.reported import served

OUT = Path(__file__).resolve().parent.parent / "docs" / "screens"
SIZES = {
    "session-phone-de": (390, 844, "dark", "de", 3),
    "session-tablet": (1024, 768, "dark", "en", 2),
    "session-desktop-fr": (1440, 900, "light", "fr", 5),
}
"""Width, height, theme, language, and the step that is shown."""
QUALITY = 80
TALLEST_PX = 2400


def shot(page: Page, name: str, full: bool) -> None:
    """Write what the page shows."""
    pixels = cv2.imdecode(np.frombuffer(page.screenshot(full_page=full), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    cv2.imwrite(str(OUT / f"{name}.webp"), pixels[:TALLEST_PX], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def _shelf(folder: Path) -> None:
    """Picture the shelf with a game opened, and a turn's report being asked for."""
    with served(folder) as url:
        with open_page(1024, 768, locale="fr") as shown:
            shown.goto(f"{url}#/games")
            shown.wait_for_selector(".game")
            shot(shown, "games-tablet-fr", full=False)
            shown.goto(f"{url}#/games/earlier")
            shown.wait_for_selector(".game-open pre")
            shot(shown, "game-open-tablet-fr", full=False)
        with open_page(390, 844, locale="de", theme="dark") as shown:
            shown.goto(url)
            shown.click("[data-key=report]")
            shown.wait_for_selector("[data-key=report-pdf]")
            shown.wait_for_timeout(300)
            shot(shown, "report-phone-de", full=False)


def main() -> int:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "game.journal"
        bundled(journal, looks=99)
        with opened_game(journal) as game:
            page = Path(folder) / "turn.html"
            page.write_bytes(turn_report(game, 1, "en"))
            with open_page(1000, 1400) as shown:
                shown.goto(page.as_uri())
                shot(shown, "dispute", full=True)
            paper = PdfDocument(turn_report(game, 1, "de", TurnForm.PAPER))
            sheets = [np.asarray(one.render(scale=1.3).to_numpy())[:, :, :3] for one in list(paper)[:2]]
            cv2.imwrite(str(OUT / "dispute-pdf-de.webp"), np.hstack(sheets), [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
            _shelf(Path(folder) / "shelf")
            for name, (width, height, theme, language, step) in SIZES.items():
                page.write_text(session_page(session_of(game.entries), game.picture, language), encoding="utf-8")
                with open_page(width, height, theme=theme) as shown:
                    shown.goto(page.as_uri())
                    shown.wait_for_selector("html[data-ready]")
                    for _ in range(step):
                        shown.keyboard.press("ArrowRight" if step < 0 else "ArrowLeft")
                    shown.wait_for_timeout(500)
                    shot(shown, name, full=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
