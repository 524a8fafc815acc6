"""Damaged journals, and damaged exports: whatever is asked of one ends with a sentence and an exit status.

Bytes are changed, cut, doubled, zeroed and moved as bad disks, half copies and tamperers do. Nothing may crash, and
nothing that says a journal is whole may say so of events that are not those that were written.
"""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from referee.archive.export import export
from referee.archive.repair import repair_game
from referee.archive.shelf import Shelf
from referee.cli import main
from referee.daemon.gamesfolder import GamesFolder
from referee.games import game_named
from referee.storage.evidence import pictures_folder
from referee.storage.journal import JournalEntry, JournalError, read_journal
from tests.archive.damaging import DAMAGES
from tests.archive.game import unpacked, write_journal
from tests.attacks.outcome import Outcome

CRASHED = "please report it"
GAME = game_named("terra-turrium")
STEM = "table-20260101-000000"


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Damage a file as a bad disk, a half copy or somebody who meddles does."""
    made = bytearray(content)
    at, length = chance.randrange(len(made)), chance.choice((1, 1, 4, 40, 512, 4096))
    how = chance.randrange(7)
    if how == 0:
        made[at : at + length] = chance.randbytes(length)
    elif how == 1:
        made[at : at + length] = bytes(len(made[at : at + length]))
    elif how == 2:
        del made[at:]
    elif how == 3:
        del made[at : at + length]
    elif how == 4:
        made[at:at] = chance.randbytes(length)
    elif how == 5:
        made[at] ^= 1 << chance.randrange(8)
    else:
        page, other = (4096 * chance.randrange(max(1, len(made) // 4096)) for _ in range(2))
        made[page : page + 4096], made[other : other + 4096] = made[other : other + 4096], made[page : page + 4096]
    return bytes(made)


def in_events(content: bytes, chance: random.Random) -> bytes:
    """Damage in the text of the events, which the structure of the file does not show."""
    places = [found.start() for found in re.finditer(rb'"(?:kind|data|at|number|previous)"', content)]
    at = chance.choice(places) + chance.randrange(200)
    bad = chance.choice((b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\0", b'"', b"}", b"9" * 30, b"\x1b[2J"))
    return content[:at] + bad + content[at + len(bad) :]


class Damage:
    """One game and its export, damaged again and again in a folder of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._chance = random.Random(seed)
        self._folder = folder / "games"
        self.journal = write_journal(self._folder / f"{STEM}.journal")
        self._whole = self.journal.read_bytes()
        self.events = read_journal(self.journal)
        self.whole = folder / "whole.zip"
        export(self.journal, self.whole, None, None)
        self._packed = self.whole.read_bytes()
        self.packed = folder / "damaged.zip"
        self.told: Counter[str] = Counter()
        self.failed: list[str] = []

    def journals(self, count: int) -> None:
        """Damage the journal so often."""
        for number in range(count):
            for left in self._folder.glob(f"{STEM}.journal*"):
                left.unlink()
            how = in_events if number % 3 == 0 else damaged
            self.journal.write_bytes(how(self._whole, self._chance))
            self._asked(number)

    def exports(self, count: int) -> None:
        """Damage the export so often."""
        for number in range(count):
            self.packed.write_bytes(damaged(self._packed, self._chance))
            for words in (("journal", "verify"), ("replay",)):
                self._run(number, *words, self.packed)
            if number % 20 == 0:
                self._run(number, "report", self.packed, "--out", self.packed.with_suffix(".html"))

    def meddled(self) -> None:
        """Meddle with the export in each way that is known, and give it to everything that reads exports."""
        folder = self.packed.parent / "data"
        for name, damage in DAMAGES.items():
            self.packed.write_bytes(damage(unpacked(self.whole)))
            for words in (
                ("journal", "verify", self.packed),
                ("report", self.packed, "--out", self.packed.with_suffix(".html")),
                ("replay", self.packed),
                ("import", self.packed, "--data", folder),
                ("restore", self.packed, "--data", folder),
                ("audit", "--game", self.packed),
            ):
                status = self._run(name, *words)
                if words[1] == "verify" and status == 0:
                    self.failed.append(f"{name}: verify holds it")
            shutil.rmtree(folder, ignore_errors=True)

    def _asked(self, number: int) -> None:
        path = self.journal
        status = self._run(number, "journal", "verify", path)
        kept = self._entries(number)
        if status == 0 and kept != self.events:
            self.failed.append(f"{number}: verify holds what was changed")
        self._run(number, "journal", "checkpoint", path)
        self._run(number, "journal", "export", path, "-o", self.packed)
        if number % 5 == 0:
            self._run(number, "replay", self.packed)
            self._run(number, "report", path, "--turn", "1", "--out", self.packed.with_suffix(".html"))
            self._run(number, "games", "list")
        self._taken_up(number, kept)
        self._repaired(number)

    def _entries(self, number: int) -> list[JournalEntry] | None:
        try:
            return read_journal(self.journal)
        except JournalError:
            return None
        except Exception as error:
            self.failed.append(f"{number}: read_journal: {error!r}")
            return None

    def _taken_up(self, number: int, kept: list[JournalEntry] | None) -> None:
        """Take the newest journal of the table up, as ``referee run`` does."""
        try:
            session = GamesFolder(self._folder, "table").carry_on(GAME)
        except JournalError as error:
            self.told["run: refused"] += 1
            if not str(error).isprintable() or len(str(error)) > 600:
                self.failed.append(f"{number}: run: {error}")
        except Exception as error:
            self.failed.append(f"{number}: run: {error!r}")
        else:
            self.told["run: goes on"] += 1
            if session is not None:
                session.close()
            if kept != self.events and kept is not None and kept != self.events[: len(kept)]:
                self.failed.append(f"{number}: run goes on from what was changed")

    def _repaired(self, number: int) -> None:
        try:
            Shelf(self._folder).cards()
            done = repair_game(self.journal)
        except JournalError:
            self.told["repair: refused"] += 1
            return
        except Exception as error:
            self.failed.append(f"{number}: repair: {error!r}")
            return
        self.told["repair: done"] += 1
        if read_journal(self.journal) != self.events[: done.events]:
            self.failed.append(f"{number}: repaired into something else")

    def _run(self, number: int | str, *words: object) -> int:
        result = CliRunner(env={"REFEREE_DATA_FOLDER": str(self._folder.parent)}).invoke(
            main, [str(word) for word in words]
        )
        name = " ".join(str(word) for word in words[:2] if not isinstance(word, Path))
        self.told[f"{name}: {result.exit_code}"] += 1
        plain = isinstance(result.exception, SystemExit | None) and CRASHED not in result.output
        if (
            not plain
            or "Traceback" in result.output
            or result.exit_code not in (0, 1, 2)
            or not result.output.strip()
        ):
            self.failed.append(f"{number}: {name}: {result.exit_code} {result.exception!r} {result.output[-300:]}")
        return int(result.exit_code)


def attack(count: int = 1500, seed: int = 12) -> Outcome:
    """Attack with so many journals, and half as many exports."""
    with tempfile.TemporaryDirectory(prefix="referee-damaged-", dir=_memory()) as folder:
        damage = Damage(Path(folder), seed)
        damage.journals(count)
        damage.exports(count // 2)
        damage.meddled()
        shutil.rmtree(pictures_folder(damage.journal), ignore_errors=True)
    outcome = Outcome(f"{count} damaged journals, {count // 2 + len(DAMAGES)} damaged exports, seed {seed}")
    for name, times in sorted(damage.told.items()):
        outcome.note(f"{name}: {times}")
    for failed in _shortly(damage.failed):
        outcome.note(failed)
    outcome.holds(not damage.failed, f"{len(damage.failed)} crashes or wrong answers")
    return outcome


def _shortly(failed: list[str]) -> Iterator[str]:
    yield from failed[:10]


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
