"""Measure a game of 60 turns by two cameras: size and speed of its export, and how fast its page opens.

``python -m scripts.long_game [--turns N]``. The pictures are those of the bundled recording, each marked so that it
is another; the rest of the events are as a table writes them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import cv2

from referee.archive.export import export
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.kinds.grid.readings import encoded
from referee.match.events import CameraNote, GameStarted, Legal, LookTaken, ReadingMade, TurnRuled, Unsure
from referee.report.gamefile import opened_game
from referee.report.session import session_of
from referee.report.sessionpage import session_page
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from tests.web.browser import open_page

OPENED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
BELIEF_SIGNS = 4000
"""Length of a reading's belief as the journal keeps it."""


def pictures(turns: int) -> Iterator[dict[str, bytes]]:
    """Yield the pictures of every look, as a table keeps them."""
    looks = Recording.open(BUNDLED).looks
    for number, look in enumerate(islice(cycle(looks), turns)):
        shown = look.load()
        for picture in shown.values():
            cv2.putText(picture, str(number), (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 2)
        yield encoded(shown)


def written(path: Path, turns: int) -> None:
    """Write the game as a journal with its pictures."""
    recording = Recording.open(BUNDLED)
    game = game_named(recording.game)
    position = game.position(recording.position)
    store = EvidenceStore(pictures_folder(path), spare_bytes=0)
    board = position.observed
    with Journal(path) as journal:
        journal.append(GameStarted.kind, GameStarted(position, "60 turns").to_json())
        for number, shots in enumerate(pictures(turns), 1):
            ruling = game.check(position, board)
            notes = tuple(CameraNote(name, 8, 0.2) for name in shots)
            sure = ((0.98,) * board.heights.shape[1],) * board.heights.shape[0]
            kept = tuple(store.keep(shots).items())
            read = ReadingMade(board.text, sure, (), True, (), notes, 50.0, kept, belief="0" * BELIEF_SIGNS)
            found = Legal(ruling) if ruling.legal else Unsure()
            for event in (LookTaken(number), read, TurnRuled(board.text, found)):
                journal.append(event.kind, event.to_json())
            position = ruling.next or position


def timed(what: str, do: Callable[[], object]) -> None:
    """Do something and tell how long it took, by the clock and of the processor."""
    clock, processor = time.perf_counter(), sum(os.times()[:4])
    do()
    took = f"{time.perf_counter() - clock:.2f} s, {sum(os.times()[:4]) - processor:.2f} s of the processor"
    sys.stdout.write(f"{what}: {took}\n")
    sys.stdout.flush()


def main() -> int:
    """Make the game, and measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=60)
    turns = options.parse_args().turns
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        journal, packed, page, script = (folder / name for name in ("g.journal", "g.zip", "g.html", "verify.py"))
        written(journal, turns)
        timed("export", lambda: export(journal, packed, BUNDLED))
        sys.stdout.write(f"export: {packed.stat().st_size / 1e6:.1f} MB\n")
        with zipfile.ZipFile(packed) as pack:
            script.write_bytes(pack.read("verify.py"))
        command = [sys.executable, "-c", "from referee.cli import main; main()", "journal", "verify", str(packed)]
        timed("verified by the product", lambda: subprocess.run(command, check=True, capture_output=True))
        alone = [sys.executable, "-I", str(script), str(packed)]
        timed("verified by verify.py", lambda: subprocess.run(alone, check=True, capture_output=True))
        with opened_game(journal) as game:
            made = session_page(session_of(game.entries), game.picture)
        page.write_text(made, encoding="utf-8")
        sys.stdout.write(f"session page: {page.stat().st_size / 1e6:.1f} MB\n")
        for width, height in ((1024, 768), (390, 844)):
            with open_page(width, height) as shown:
                shown.goto(page.as_uri())
                shown.wait_for_selector("html[data-ready]")
                sys.stdout.write(f"opened at {width} x {height}: {shown.evaluate(OPENED):.0f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
