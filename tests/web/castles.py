"""A whole game of castles on the page: a real referee, its cameras looking into folders of the bundled recording."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from referee.demo.recording import Recording
from referee.games import package_named
from tests.web.whole import Game

FOLDER = package_named("torres").recording
assert FOLDER is not None
RECORDING = Recording.open(FOLDER)


class CastleTable:
    """A table whose cameras look into folders, into which pictures are put while the referee runs."""

    def __init__(self, folder: Path, position: dict[str, Any] | None = None) -> None:
        self.folder = folder / "table"
        shutil.copytree(RECORDING.folder, self.folder, ignore=shutil.ignore_patterns("pictures", "game.json"))
        self.cameras = {name: folder / name for name in RECORDING.looks[0].pictures}
        for path in self.cameras.values():
            path.mkdir()
        self.game = folder / "game.json"
        self.game.write_text(json.dumps(position or RECORDING.position), encoding="utf-8")
        self.count = 0

    def show(self, look: int) -> None:
        """Put the pictures of a look of the recording before the cameras."""
        self.count += 1
        for name, path in RECORDING.looks[look].pictures.items():
            made = self.cameras[name] / f".{self.count:04d}"
            shutil.copy(path, made)
            made.rename(self.cameras[name] / f"{self.count:04d}.jpg")

    @property
    def options(self) -> tuple[str, ...]:
        urls = [f"{name}=folder:{path}?watch=yes" for name, path in self.cameras.items()]
        return (str(self.folder), "--game", str(self.game), *(part for url in urls for part in ("--camera", url)))


class CastleGame(Game):
    """A running table and the page of one player, with what the game of castles needs besides."""

    def turn(self, look: int, **declared: Any) -> None:
        """The board stands as in a look, this is declared on the page, and the turn is over."""
        before = self.state()["turn"]
        self.show(look)
        self.declare(**declared)
        self.press("turn_ended")
        expect(self.page.locator("#play")).to_have_attribute("data-turn", str(before + 1), timeout=120_000)

    def declare(self, **declared: Any) -> None:
        """Fill in the form as fingers do; it goes along with the turn's end."""
        page = self.page
        if not declared:
            return
        page.click("[data-key=declare-open]")
        for key, value in declared.items():
            if isinstance(value, int):
                for _ in range(value):
                    page.click(f"[data-key={key}-more]")
            else:
                page.select_option(f"[data-key={key}]", value)

    def by_hand(self, **changes: Any) -> None:
        """The position corrected, as the page's commands allow."""
        self.tell("correct", changes=changes)
