"""Referee photographed games into journals, export and audit them, and compare with the photographs' figures.

``python -m scripts.again TABLE... [--keep DIR] [--against SCORE_AUDIT]``. TABLE: folders with ``truth.json``. A line
for every ruling that is not right, then and today, as tools/score_audit.py names them; then each table's figures.
``--against`` runs that script on the same tables and fails where the figures today are worse. They may be better:
that script leaves a turn open that can't be told, while at a table players say at once what became of it.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from referee.again.audit import AgainAudit
from referee.again.comparison import Cause, JudgedAgain, rules_of
from referee.archive.export import export, game_of
from referee.archive.measures import measures_folder
from referee.match.events import TurnRuled
from referee.report.gamefile import opened_game
from referee.session.readers import reader_of
from tests.again.recorded import Truth, recorded

Judged = tuple[str, Truth, JudgedAgain]
KINDS = ("right", "unsure", "accused", "missed", "wrong_rule")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def games_of(table: Path) -> list[str]:
    """Return the names of a table's games that have turns."""
    games = json.loads((table / "truth.json").read_text(encoding="utf-8"))["games"]
    return [game["name"] for game in games if any(frame.get("turn") for frame in game["frames"])]


def audited_again(table: Path, name: str, folder: Path) -> Iterator[Judged]:
    """Referee a game from its pictures, export it, and judge the export again: name, truth, and both rulings.

    The last ruling of each turn counts: those before it asked for another side, or whether this was the turn.
    """
    path = folder / f"{table.name}-{name}.journal"
    truth = recorded(table, name, path)
    packed = path.with_suffix(".zip")
    export(path, packed, measures_folder(path))
    with opened_game(packed) as file:
        game = game_of(file.entries)
        judged = AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries)
        pairs = list(zip(truth, judged, strict=True))
    for at, (what, one) in enumerate(pairs):
        if at + 1 == len(pairs) or pairs[at + 1][0].frame != what.frame:
            yield f"{table.name}/{name}/{what.frame}", what, one


def kind_of(ruled: TurnRuled | None, truth: Truth) -> str:
    """Return how a ruling came out, as tools/score_audit.py counts it."""
    if ruled is None or ruled.verdict.value == "unsure":
        return "unsure"
    said = ruled.verdict.value
    if truth.right(said, rules_of(ruled)):
        return "right"
    return "accused" if truth.legal else "missed" if said == "legal" else "wrong_rule"


def figures(table: Path, folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Count how the rulings of a table's games came out then and today; print those that are not right."""
    then, today = Counter[str](), Counter[str]()
    for game in games_of(table):
        for name, truth, one in audited_again(table, game, folder):
            was, now = kind_of(one.past.then, truth), kind_of(one.now, truth)
            then[was] += 1
            today[now] += 1
            today["board"] += one.now is not None and one.now.observed == truth.board
            then["board"] += one.past.then.observed == truth.board
            if (was, now) != ("right", "right"):
                why = "" if one.cause is Cause.SAME else f": {one.cause.value}"
                say(f"  {name}: then {was}, today {now}{why}")
    return then, today


def told(count: Counter[str]) -> str:
    """Return the figures as a line."""
    turns = sum(count[kind] for kind in KINDS)
    return f"rulings right {count['right']}/{turns}  " + "  ".join(
        f"{kind.replace('_', ' ')} {count[kind]}" for kind in (*KINDS[1:], "board")
    )


def scored(script: Path, table: Path) -> Counter[str]:
    """Return what tools/score_audit.py counts when the photographs are audited."""
    command = shlex.join([sys.executable, "-c", "from referee.cli import main; main()", "audit"])
    asked = [sys.executable, str(script), "--command", command, str(table)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    line = next(line for line in reversed(done.stdout.splitlines()) if line.startswith("{"))
    return Counter({kind: json.loads(line)[kind] for kind in (*KINDS, "board")})


def main() -> int:
    """Audit every table. Return 1 where any figure is worse."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tables", nargs="+", type=Path)
    options.add_argument("--keep", type=Path, help="folder for the journals and exports")
    options.add_argument("--against", type=Path, help="tools/score_audit.py")
    asked = options.parse_args()
    worse = False
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for table in asked.tables:
            then, today = figures(table, folder)
            say(f"{table.name}, refereed: {told(then)}\n{table.name}, again:    {told(today)}")
            if asked.against is not None:
                pictures = scored(asked.against, table)
                say(f"{table.name}, pictures: {told(pictures)}")
                worse |= any(today[kind] > pictures[kind] for kind in KINDS[1:]) or today["board"] < pictures["board"]
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
