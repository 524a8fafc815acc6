"""Commands killed while they write, links planted where they write, names that steer a terminal.

The next command clears away what a kill left, no link leads out of the folder, and no sign but letters and line ends
comes out.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from click.testing import CliRunner

from referee.archive.export import export
from referee.cli import main
from referee.storage.aside import ENDING
from tests.archive.game import write_journal
from tests.attacks.outcome import Outcome

PROGRAM = [sys.executable, "-c", "from referee.cli import main; main()"]
STEERING = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F))} - {"\n", "\t"}
LATEST_S = 30.0
UNFINISHED = (ENDING, ".part", ".tmp", "-wal", "-shm")


def commands(folder: Path) -> dict[str, list[object]]:
    """Everything that writes into a folder, by its name; exports and backups of the game lie there already."""
    out, data = folder / "out", folder / "data"
    return {
        "import": ["import", folder / "game.zip", "--data", out, "--again"],
        "restore": ["restore", folder / "backup.zip", "--data", out],
        "backup": ["backup", out / "backup.zip", "--data", data],
        "export": ["journal", "export", data / "games" / "game.journal", "-o", out / "game.zip"],
    }


def told(*words: object) -> tuple[int, str]:
    """Status and words of a command that is left alone."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    return done.exit_code, done.output


def _names(folder: Path) -> set[str]:
    """Return the names of what lies in a folder and below; it may change meanwhile."""
    return {f"{place}/{name}" for place, folders, files in os.walk(folder) for name in (*folders, *files)}


def kill(words: list[object], out: Path, chance: random.Random) -> bool:
    """Start a command, kill it soon after something new lies in its folder, and return whether it was killed."""
    before = _names(out)
    run = subprocess.Popen([*PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until_s = time.monotonic() + LATEST_S
    while run.poll() is None and _names(out) <= before and time.monotonic() < until_s:
        pass
    time.sleep(chance.uniform(0.0, 0.02))
    run.kill()
    return run.wait() < 0


def kills(folder: Path, tried: int, outcome: Outcome) -> None:
    """Kill each command again and again, then let it end."""
    chance = random.Random(22)
    for name, words in commands(folder).items():
        out = folder / "out"
        out.mkdir(exist_ok=True)
        killed = most = 0
        for _ in range(tried):
            killed += kill(words, out, chance)
            most = max(most, sum(name.endswith(ENDING) for name in _names(out)))
        status, said = told(*words)
        left = [
            name for name in map(os.path.basename, _names(out)) if name.startswith(".") or name.endswith(UNFINISHED)
        ]
        fine = not left and "please report" not in said and most < 3
        what = f"{name} killed {killed} of {tried} times, then status {status}: {most} aside at most, left {left}"
        outcome.holds(fine, what)
        out.rename(folder / f"out of {name}")


def links(folder: Path, outcome: Outcome) -> None:
    """Plant a link at every name that a command has written, and at names it may use meanwhile."""
    for name, words in commands(folder).items():
        out, victim = folder / "out", folder / "victim"
        out.mkdir()
        victim.write_bytes(b"mine")
        for made in ("game.zip", "backup.zip"):
            for planted in (made, f"{made}.part", f".{made}{ENDING}", f".{made}.{ENDING}", f"{made}.tmp"):
                (out / planted).symlink_to(victim)
        told(*words)
        outcome.holds(victim.read_bytes() == b"mine", f"{name} among planted links: what they lead to is as it was")
        out.rename(folder / f"links of {name}")


def _steering(chance: random.Random) -> str:
    return "a" + "".join(chance.choice([*sorted(STEERING - {"\0"}), "\n", "b", "[", "2J"]) for _ in range(12))


def _shown(folder: Path, name: str) -> Iterator[str]:
    """Yield what commands say about a game of a name."""
    games = folder / "games"
    journal = write_journal(games / f"{name}.journal")
    (games / f"{name} damaged.journal").write_bytes(journal.read_bytes()[:5000])
    packed = folder / f"{name}.zip"
    export(journal, packed)
    for words in (
        ("games", "list", "--folder", games),
        ("games", "show", "--folder", games, name),
        ("games", "show", "--folder", games, f"{name} damaged"),
        ("journal", "verify", packed),
        ("journal", "verify", games / f"{name} damaged.journal"),
        ("import", packed, "--data", folder / f"{name} data"),
        ("backup", folder / f"{name} backup.zip", "--data", folder),
        ("replay", packed, games / f"{name} nowhere"),
    ):
        yield told(*words)[1]


def signs(folder: Path, tried: int, outcome: Outcome) -> None:
    """Names of files with whatever steers a terminal."""
    chance, said = random.Random(13), list[str]()
    for number in range(tried):
        place = folder / f"signs {number}"
        place.mkdir()
        said += _shown(place, _steering(chance))
    steered = sum(bool(STEERING & set(words)) for words in said)
    reported = sum("please report" in words for words in said)
    told_of = f"{len(said)} answers about {tried} steering names: {steered} steer, {reported} ask to be reported"
    outcome.holds(not steered and not reported, told_of)


def attack(tried: int = 10) -> Outcome:
    """All three. tried: how often each command is killed, and how many names there are."""
    outcome = Outcome("leftovers, links and names")
    steps: tuple[Callable[[Path], None], ...] = (
        lambda folder: kills(folder, tried, outcome),
        lambda folder: links(folder, outcome),
        lambda folder: signs(folder, tried, outcome),
    )
    for step in steps:
        with tempfile.TemporaryDirectory(prefix="referee-leftovers-") as made:
            folder = Path(made)
            journal = write_journal(folder / "data" / "games" / "game.journal")
            export(journal, folder / "game.zip")
            assert told("backup", folder / "backup.zip", "--data", folder / "data")[0] == 0
            step(folder)
    return outcome
