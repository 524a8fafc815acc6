"""A ledger of turns on drawn tables: ``make ledger`` plays; with ``--page`` only its page is written.

Each seed is a table of its own: its game, light, exposure, the faults of its cameras and where they stand are drawn
by it, and so is a game by players who err. A line of the ledger says which version refereed it and what became of
each turn (``benchmarks.record``). Games with a wrong accusation stay under build/ledger with journal and pictures.
All of this is drawn, by the same hand that drew what the referee learnt from: it shows faults and proves little.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import table
from benchmarks.record import GameLine, game_line, script_text
from referee.addons.trackrecord.bounds import highest_rate, one_in
from referee.demo.scripted import play_script
from referee.games import package_named
from referee.virtual.script import Direction, Script, parse_script
from training.wear import worn

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "docs" / "evidence" / "drawn-turns.jsonl"
PAGE = LEDGER.with_suffix(".md")
KEPT = ROOT / "build" / "ledger"
SETTINGS = tuple((game, sight) for game in ("terra-turrium", "torres") for sight in ("two", "phone"))
"""What the seeds play in turn, and how it is seen."""
TURNS = 10
"""A game ends after so many: many tables tell more than long games."""
BAD = ("accused", "missed", "wrong")


@dataclass(frozen=True, slots=True)
class MadeTable:
    """A table as its seed has it. light: 1 is as usual. bumps: how often each fixed camera was pushed."""

    seed: int
    game: str
    sight: str
    light: float
    bumps: tuple[int, int]

    @classmethod
    def of(cls, seed: int) -> MadeTable:
        """Draw a table."""
        rnd = random.Random(seed)
        light = rnd.choice((0.4, 0.6, 0.8, 1.0, 1.2))
        return cls(seed, *SETTINGS[seed % len(SETTINGS)], light, (rnd.randrange(3), rnd.randrange(3)))

    def befallen(self, script: Script) -> Script:
        """Return a script with what befalls its table ahead of the first turn."""
        pushed = [name for name, times in zip(("left", "right"), self.bumps, strict=True) for _ in range(times)]
        bumps = [Direction("bump", (name,)) for name in pushed] if self.sight == "two" else []
        return replace(script, before=(Direction("dim", (str(self.light),)), *bumps))

    def worn(self, camera: str, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Put on a picture what its camera does to each: exposure, tint, uneven light, blur, noise, compression."""
        rng = np.random.default_rng([self.seed, *camera.encode()])
        return np.asarray(worn(picture, rng, np.exp(rng.normal(size=3) * 0.1)), np.uint8)


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A game of the ledger. version: the commit that refereed it. cause: of what came out wrong, named by people."""

    version: str
    light: float
    game: GameLine
    cause: str = ""

    @classmethod
    def read(cls, text: str) -> LedgerLine:
        """Read a line of the ledger."""
        data = json.loads(text)
        return cls(**data | {"game": GameLine(**data["game"])})


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the seeds that the ledger lacks until the time is up, then write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drawnturns", description=__doc__)
    parser.add_argument("--ledger", type=Path, default=LEDGER, metavar="FILE")
    parser.add_argument("--first", type=int, default=1, help="seed of the first table")
    parser.add_argument("--minutes", type=float, default=60.0, help="no game begins later")
    parser.add_argument("--page", action="store_true", help="only write the page")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    lines = ledger_lines(args.ledger)
    version, until_s = _version(), time.monotonic() + (0.0 if args.page else 60 * args.minutes)
    done, seed = {line.game.seed for line in lines if line.version == version}, args.first
    while time.monotonic() < until_s:
        if seed not in done:
            lines.append(LedgerLine(version, MadeTable.of(seed).light, played(MadeTable.of(seed))))
            with args.ledger.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(lines[-1])) + "\n")
        seed += 1
    args.ledger.with_suffix(".md").write_text(page(lines), encoding="utf-8")


def ledger_lines(file: Path) -> list[LedgerLine]:
    """Return the lines of a ledger; none where there is no file."""
    return [LedgerLine.read(line) for line in file.read_text().splitlines()] if file.exists() else []


def played(made: MadeTable) -> GameLine:
    """Referee a game at a table; keep what it left behind where a legal turn was called illegal."""
    text = script_text(package_named(made.game), made.seed, "erring", TURNS)
    script = made.befallen(parse_script(text))
    folder = KEPT / str(made.seed)
    shutil.rmtree(folder, ignore_errors=True)
    began = time.process_time()
    result = play_script(script, True, threading.Event(), lambda text: None, made.sight == "phone", made.worn, folder)
    seconds = round(time.process_time() - began, 1)
    line = game_line((made.game, "erring", made.sight), made.seed, script, result, seconds)
    if not line.bad.get("accused"):
        shutil.rmtree(folder, ignore_errors=True)
    return line


def _version() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return told.stdout.strip()


def page(lines: Sequence[LedgerLine]) -> str:
    """Return the page of a ledger."""
    versions = list(dict.fromkeys(line.version for line in lines))
    rows = [_row(version, [line for line in lines if line.version == version]) for version in versions]
    by = [(line.game.game, line.game.sight, f"light {line.light:g}") for line in lines]
    parts = [
        (what, *_counts([line for line, named in zip(lines, by, strict=True) if what in named]))
        for what in sorted({name for named in by for name in named})
    ]
    bad = [
        (line.version, line.game.seed, line.game.game, line.game.sight, what, numbers, line.cause or "not looked at")
        for line in lines
        for what, numbers in line.game.bad.items()
    ]
    return HEAD + "\n".join(
        (
            *table(("version", *COLUMNS, *BOUNDED), rows),
            "",
            "## By game, sight and light, all versions",
            "",
            *table(("", *COLUMNS), parts),
            "",
            "## What came out wrong",
            "",
            *(table(("version", "seed", "game", "sight", "what", "turns", "cause"), bad) if bad else ("Nothing.",)),
            "",
        )
    )


BOUNDED = ("turns accused, 95 %", "turns missed, 95 %", "tables with one accused, 95 %")
COLUMNS = ("tables", "ended", "turns", "as played", "open", "found", "unsure", *BAD)


def _counts(lines: Sequence[LedgerLine]) -> tuple[int, ...]:
    found = outcomes_of(lines)
    counted = (found[name] for name in COLUMNS[3:])
    return len(lines), sum(line.game.ended for line in lines), found.total(), *counted


def outcomes_of(lines: Iterable[LedgerLine]) -> Counter[str]:
    """Add up what became of the turns of games."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(line.game.outcomes)
    return found


def _row(version: str, lines: Sequence[LedgerLine]) -> tuple[object, ...]:
    found = outcomes_of(lines)
    accusing = sum("accused" in line.game.bad for line in lines)
    rates = (
        highest_rate(found["accused"], found.total()),
        highest_rate(found["missed"], found.total()),
        highest_rate(accusing, len(lines)),
    )
    bounds = (f"fewer than 1 in {one_in(rate)}" if one_in(rate) > 1 else "nothing" for rate in rates)
    return version, *_counts(lines), *bounds


HEAD = """# Turns on drawn tables

**Drawn by the computer, not real.** Each seed makes a table of its own: light, exposure, faults of its cameras and
where they stand are drawn at random, and so is a game by players who err in two turns of five. The referee sees the
pictures of two fixed cameras or of one guided phone. What fails here fails everywhere; what holds here proves little.
Written by `make ledger`, which goes on where it ended; `drawn-turns.jsonl` has a line for each game.

The bounds are confidence sequences: they hold whenever one looks. Turns of one game are alike, so tables are counted,
too. To claim fewer than 1 in 1,000 takes 8,070 turns without one.

*found*: a breach that was ruled illegal. *unsure*: left to people. *accused*: a legal turn ruled illegal. *missed*: a
breach ruled legal. *wrong*: kept as certain and not played. *ended*: games that came to their end; another one
stopped where its script met a ruling that it did not foresee.

"""


if __name__ == "__main__":
    main()
