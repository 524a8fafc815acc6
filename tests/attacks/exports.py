"""Exports and backups that strangers made: whatever reads one ends with a sentence, in little memory and time.

Bombs are ZIPs of some kilobytes that unpack without end (tests/archive/bombs.py). Stripped exports lack files
and events.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from referee.archive.export import VERIFIER
from tests.archive.bombs import ALONE, BOMBS, COMMAND, limited
from tests.archive.game import lines
from tests.archive.stripping import STRIPPED, without
from tests.archive.verifying import Exported
from tests.attacks.outcome import Outcome

MOST_S = 60.0
VERIFIER_MB, COMMAND_MB, AUDIT_MB = 400, 1500, 6000
"""Address space: the audit's libraries take most of theirs before anything is read."""
CRASHED = ("please report", "Traceback", "MemoryError")


def readers(packed: Path, folder: Path) -> Iterator[tuple[str, str, int, tuple[object, ...]]]:
    """Yield everything that reads a ZIP: its name, how it is started, its memory in MB, and what it is given."""
    yield "verify.py", ALONE, VERIFIER_MB, (VERIFIER, packed)
    for name, words in (
        ("journal verify", ("journal", "verify", packed)),
        ("replay", ("replay", packed)),
        ("report", ("report", packed, "--out", folder / "report.html")),
        ("audit", ("audit", "--game", packed)),
        ("import", ("import", packed, "--data", folder / "data")),
        ("restore", ("restore", packed, "--data", folder / "data")),
    ):
        yield name, COMMAND, AUDIT_MB if name in ("audit", "import", "report") else COMMAND_MB, words


def told(done: subprocess.CompletedProcess[str]) -> str:
    """Return what is wrong with how a program ended; empty where a sentence said that the file is bad."""
    said = done.stdout + done.stderr
    crash = next((word for word in CRASHED if word in said), "")
    if crash or done.returncode not in (1, 2) or not said.strip() or len(said) > 30_000:
        return f"status {done.returncode}, {len(said)} characters: {said.strip()[-200:]}"
    return ""


def bombs(folder: Path, outcome: Outcome) -> None:
    """Give every bomb to everything that reads ZIPs, one after the other, then all of them as an archive."""
    archive = folder / "archive"
    archive.mkdir()
    for bomb, make in BOMBS.items():
        packed = make(archive / f"{bomb}.zip")
        worst, wrong = 0.0, ""
        for name, code, most_mb, words in readers(packed, folder):
            began_s = time.monotonic()
            found = told(limited(code, most_mb, *words))
            worst = max(worst, time.monotonic() - began_s)
            wrong = wrong or (f"; {name}: {found}" if found else "")
        size = f"{packed.stat().st_size / 1000:.0f} kB"
        outcome.holds(not wrong and worst < MOST_S, f"{bomb} ({size}): {worst:.1f} s at most{wrong}")
    wrong = told(limited(COMMAND, AUDIT_MB, "archive", "audit", archive, "--out", folder / "out", "--processes", "1"))
    outcome.holds(not wrong, f"an archive of them is audited{wrong and ': ' + wrong}")
    outcome.holds(not list(folder.glob("data/games/*")), "nothing of them came into the data folder")


def stripped(folder: Path, outcome: Outcome) -> None:
    """Strip a game's export of some of its files and of its last events: none may pass."""
    game = Exported.made(folder)
    passed, tried = [], 0
    for names in STRIPPED:
        for cut in range(len(lines(game.files)) + 1):
            tried += 1
            if not all(game.found(without(game.files, names, cut))):
                passed.append(f"without {', '.join(names)} and {cut} events")
    outcome.holds(not passed, f"{tried} stripped exports, {len(passed)} pass {passed[:3] or ''}")


def attack() -> Outcome:
    """Attack with every kind of ZIP."""
    outcome = Outcome("exports and backups that strangers made")
    for way in (bombs, stripped):
        with tempfile.TemporaryDirectory(prefix="referee-exports-") as folder:
            way(Path(folder), outcome)
    return outcome
