"""Picture the screens of a game of castles for the documents: ``python -m scripts.castle_screens``.

A real referee watches the bundled recording's pictures, a real browser shows them. Look at what comes out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect

from scripts.screens import DESKTOP, OUT, PHONE, TABLET, UPRIGHT, Camera
from tests.web.castles import CastleGame, CastleTable

FOLDER = OUT / "torres"
BEFORE = "00001k000/02000000/01r100100/10000000/00000001/0010013b0/000002b00/00010000"
WITH_A_CARD = "00001k000/03r100000/011r10100/10000000/00000001/0010013b0/000002b00/00010000"
TOO_MANY = "00001k000/02000010/01r100100/10000000/00000001/0010013b0/100002b00/00010000"
LAST = "00001k000/03r210000/0112r0100/10000000/00000201/0010013b0/000002b30/0001000b0"
SCORED = "01001k000/03r22r0000/01120100/10100000/00000201/0010013b0/000002b30/0001000b0"


def play(game: CastleGame, camera: Camera) -> None:
    """Go through a game, taking what is worth seeing."""
    page = game.page
    game.phase("playing")
    game.pair()
    page.wait_for_timeout(6000)
    camera.take("knights-tablet", TABLET)
    game.show(6)
    cards = {"blue": {"held": 0, "played": ["leap"]}, "red": {"held": 1, "played": []}}
    score = {"blue": 1, "red": 0}
    game.by_hand(stage="play", round=2, to_move="red", board=BEFORE, cards=cards, score=score)
    page.click("[data-key=declare-open]")
    camera.take("declare-tablet", TABLET)
    camera.take("declare-phone-de", PHONE, "de", "dark")
    page.click("[data-key=declare-open]")
    by_hand(game, WITH_A_CARD)
    expect(page.locator("[data-key=reply-leap]")).to_be_visible()
    camera.take("question-tablet", TABLET)
    camera.take("question-phone-de", PHONE, "de", "dark")
    page.click("[data-key=reply-leap]")
    expect(page.locator("#ruling")).to_have_attribute("data-tone", "legal")
    game.by_hand(board=BEFORE, to_move="red", round=2)
    by_hand(game, TOO_MANY)
    game.phase("violation")
    camera.take("breach-tablet-fr", TABLET, "fr", "dark")
    game.press("put_back")
    game.show(11)
    game.by_hand(board=LAST, to_move="red", round=4)
    by_hand(game, SCORED)
    expect(page.locator("#account")).to_be_visible()
    page.wait_for_timeout(6000)
    camera.take("scores-tablet", TABLET)
    camera.take("scores-phone-de", PHONE, "de", "dark")
    camera.take("scores-upright-fr", UPRIGHT, "fr", "light")
    camera.take("scores-desktop", DESKTOP, "en", "dark")
    game.show(12)
    game.by_hand(stage="play", phase=3, round=4, first="red", to_move="blue", board=SCORED)
    by_hand(game, SCORED.replace("000002k01", "00000201"))
    game.phase("finished")
    camera.take("won-tablet-de", TABLET, "de", "dark")
    camera.take("won-phone", PHONE)
    game.open("new")
    camera.take("new-game-upright-de", UPRIGHT, "de", "light")


def by_hand(game: CastleGame, board: str) -> None:
    """End the turn and say how the board stands, whatever the cameras see."""
    game.tell("turn_ended")
    game.page.wait_for_function(
        "() => ['unsure', 'blind', 'violation'].includes(document.getElementById('play').dataset.phase)",
        timeout=120_000,
    )
    game.tell("rule_board", board=board)


def main() -> int:
    """Take every screen."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REFEREE_DATA_FOLDER"] = f"{folder}/data"
        table = CastleTable(Path(folder))
        table.show(0)
        with CastleGame.played(table, Path(folder) / "data", TABLET) as game:
            play(game, Camera(game, FOLDER))
    return 0


if __name__ == "__main__":
    sys.exit(main())
