"""Falls of towers at the drawn table: is anybody named? ``make falls``.

``python -m benchmarks.falls FILE [--game G] [--sight two|phone] [--first N] [--falls N]``

Each seed is a game by the referee's own weak players in which any tower of two stones or more falls before, during or
after a turn: along its row or in any of eight directions, whole or its upper part, with what stood on it. FILE gets a
line of JSON a fall and is carried on where it ends. Pictures are the referee's own drawings.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from tests.virtual.falls import DrawnFall

TURNS = {"terra-turrium": (4, 20), "torres": (16, 40)}
"""The turn in which a tower falls, at first and at last: by then some are two high or more."""


@dataclass(frozen=True, slots=True)
class FallLine:
    """One fall. outcome: what came of it (``DrawnFall.outcome``). rules: those broken by who was named."""

    game: str
    sight: str
    seed: int
    when: str
    turn: int
    tower: str
    lying: str
    fallen: str
    outcome: str
    rules: list[str]
    seconds: float

    @property
    def key(self) -> tuple[str, str]:
        """Return what was played, and how it was seen."""
        return self.game, self.sight


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the falls that FILE lacks, and print what came of all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.falls", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--game", choices=tuple(TURNS), default="terra-turrium")
    parser.add_argument("--sight", choices=("two", "phone"), default="two")
    parser.add_argument("--first", type=int, default=1000, help="seed of the first fall")
    parser.add_argument("--falls", type=int, default=100)
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    lines = (
        [FallLine(**json.loads(line)) for line in args.file.read_text().splitlines()] if args.file.exists() else []
    )
    done = {line.seed for line in lines if line.key == (args.game, args.sight)}
    args.file.parent.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.falls):
        if seed in done:
            continue
        lines.append(fall_line(args.game, seed, args.sight))
        with args.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(lines[-1])) + "\n")
        sys.stdout.write(f"{asdict(lines[-1])}\n")
        sys.stdout.flush()
    sys.stdout.write(summary([line for line in lines if line.key == (args.game, args.sight)]) + "\n")


def fall_line(game: str, seed: int, sight: str) -> FallLine:
    """Let a tower fall and return what came of it."""
    began = time.monotonic()
    drawn = DrawnFall.of(game, seed, TURNS[game], sight == "phone")
    turn, outcome = drawn.table.session.state.position.turn, drawn.outcome()
    named = {
        str(violation.rule)
        for one in drawn.table.heard.ruled
        for violation in (one.ruling.violations if one.ruling is not None else ())
    }
    return FallLine(
        *(game, sight, seed, drawn.when, turn, drawn.tower.name, drawn.lying.text, drawn.fallen.text),
        *(outcome, sorted(named), round(time.monotonic() - began, 1)),
    )


def summary(lines: Sequence[FallLine]) -> str:
    """Return how many falls there were, and what came of them."""
    found = Counter(line.outcome for line in lines)
    named = ", ".join(str(line.seed) for line in lines if line.outcome == "named")
    return f"{len(lines)} falls: {dict(found)}" + (f"; named: seeds {named}" if named else "")


if __name__ == "__main__":
    main()
