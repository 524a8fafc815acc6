"""Odd files where people bring their own: backups, photographs, a mat's picture, pictures of a game, an archive.

Whatever is asked of one ends with a sentence and an exit status, and what lies beside it is still read.
"""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from click.testing import CliRunner
from PIL import Image

from calibration.errors import CalibrationError
from referee.addons.hall.desk.tournament import TableResult, read_pairings, read_results, written_results
from referee.addons.hall.messages import HallError
from referee.archive.export import export
from referee.cli import main
from referee.demo.recording import BUNDLED
from referee.storage.journal import Journal
from tests.archive.game import write_journal
from tests.attacks.outcome import Outcome
from tests.calibration.exif import noted
from tests.calibration.hugefile import HUGE
from vision.ledger.teaching import taught_places

CRASHED = ("please report", "Traceback")
FORMAT = "referee backup 1"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""SHA-256 of no bytes."""
FORMULA = "=+-@＝\t'\""
"""Signs with which a formula begins, or what hides one."""
YEARS = ("0001", "9999", "0000", "1904", "2026")
MANIFESTS: tuple[object, ...] = (
    None,
    [],
    "x",
    {},
    {"format": FORMAT},
    {"format": FORMAT, "files": None},
    {"format": FORMAT, "files": ["games/a.journal"]},
    {"format": FORMAT, "files": {"games/a.journal": None}},
    {"format": FORMAT, "files": {"games/a.journal": {}}},
    {"format": FORMAT, "files": {"games/a.journal": {"bytes": "x", "sha256": 1}}},
    {"format": FORMAT, "files": {"games/a.journal": {"bytes": 1e400, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {"games/a.journal": {"bytes": -1, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {"": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {".": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {"games": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {"/games/a.journal": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {"games/\0.journal": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {f"games/{'x' * 300}.journal": {"bytes": 0, "sha256": EMPTY}}},
    {"format": FORMAT, "files": {name: {"bytes": 0, "sha256": EMPTY} for name in ("games/a", "games/a/b")}},
    {"format": FORMAT, "files": {"games/a\ud800": {"bytes": 0, "sha256": EMPTY}}},
)


def amiss(*words: object, statuses: tuple[int, ...] = (1, 2)) -> str:
    """Return what is wrong with how a command ended; empty where it ended as it should."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    if done.exit_code not in statuses or not done.output.strip() or any(word in done.output for word in CRASHED):
        return f"{words[0]}: status {done.exit_code}: {done.output.strip()[-200:]}"
    return ""


def backup(path: Path, manifest: object) -> Path:
    """Write a backup with a manifest, and empty files of the names that are in it."""
    files = manifest.get("files") if isinstance(manifest, dict) else None
    with zipfile.ZipFile(path, "w") as pack:
        for name in files if isinstance(files, dict) else ():
            if name and "\ud800" not in name:
                pack.writestr(zipfile.ZipInfo(name), b"")
        pack.writestr("backup.json", json.dumps(manifest))
    return path


def shaken(chance: random.Random, value: object) -> object:
    """Return a value with something in it replaced."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        return {**value, key: shaken(chance, value[key])}
    return chance.choice([None, [], {}, "", "x", -1, 1.5, 1e300, True, [[]], {"bytes": {}}, "../" * 9, 2**70])


def manifests(folder: Path, tried: int) -> Iterator[str]:
    """Restore manifests that nobody's program writes."""
    good = {"format": FORMAT, "files": {f"games/{name}.journal": {"bytes": 0, "sha256": EMPTY} for name in "ab"}}
    chance = random.Random(16)
    for manifest in (*MANIFESTS, *(shaken(chance, good) for _ in range(tried))):
        of_nothing = isinstance(manifest, dict) and manifest.get("files") == {}  # that of an empty folder: no oddity
        packed = backup(folder / "odd.zip", manifest)
        told = amiss("restore", packed, "--data", folder / "data", statuses=(0,) if of_nothing else (1, 2))
        yield told and f"{str(manifest)[:80]}: {told}"


def years(folder: Path, tried: int) -> Iterator[str]:
    """Import photographs that say they were taken in years no clock shows."""
    del tried
    photographs = folder / "photographs"
    (folder / "table").mkdir()
    shutil.copy(BUNDLED / "table.json", folder / "table")
    photographs.mkdir()
    jpeg = cv2.imencode(".jpg", np.full((80, 120, 3), 90, np.uint8))[1].tobytes()
    for number, year in enumerate(YEARS):
        for offset in ("+14:00", "-14:00", ""):
            name = f"{number}{offset.replace(':', '')}.jpg"
            (photographs / name).write_bytes(noted(jpeg, f"{year}:01:01 00:00:00", offset))
    yield amiss("import", photographs, "--table", folder / "table", "--data", folder / "data")


def mats(folder: Path, tried: int) -> Iterator[str]:
    """Read pictures of an empty mat that are none, in a table's folder."""
    del tried
    for content in (b"", b"x", HUGE["png"](30_000, 30_000)):
        (folder / "mat.png").write_bytes(content)
        try:
            taught_places(folder)
        except CalibrationError as error:
            yield "" if "mat.png" in str(error) and "teach the places anew" in str(error) else str(error)
        except Exception as error:  # what an attack is for
            yield repr(error)
        else:
            yield "it was taken"


def without_events(folder: Path, tried: int) -> Iterator[str]:
    """Export a journal without events."""
    del tried
    with Journal(folder / "none.journal"):
        pass
    export(folder / "none.journal", folder / "none.zip")
    for words in (("replay",), ("report",), ("audit", "--game"), ("journal", "verify"), ("import",)):
        yield amiss(*words, folder / "none.zip")


def papers(folder: Path, tried: int) -> Iterator[str]:
    """Report a game whose pictures would be gigabytes, on paper."""
    for number, made in enumerate(list(HUGE.values())[: max(1, tried // 20)]):
        place = folder / str(number)
        place.mkdir()
        bomb = made(30_000, 30_000)
        journal = write_journal(place / "game.journal", lambda *_, bomb=bomb: bomb)
        yield amiss("report", journal, "--turn", 1, "--out", place / "report.pdf", statuses=(0,))


def archives(folder: Path, tried: int) -> Iterator[str]:
    """Audit an archive with links and folders named as exports are.

    They are named, and the export beside them is judged.
    """
    del tried
    archive = folder / "archive"
    archive.mkdir()
    export(write_journal(folder / "game.journal"), archive / "game.zip")
    (archive / "gone.zip").symlink_to("/nowhere/at/all.zip")
    (archive / "loop.zip").symlink_to(archive / "loop.zip")
    (archive / "folder.zip").mkdir()
    (archive / "odd-\udcff.zip").write_bytes(b"")
    yield amiss("archive", "audit", archive, "--out", folder / "out", "--processes", 1)
    told = json.loads((folder / "out" / "summary.json").read_text())
    yield "" if told["exports"] == 5 and len(told["failed"]) == 4 else f"the summary says {told}"


def heics(folder: Path, tried: int) -> Iterator[str]:
    """Import photographs of a phone, and find a lens by them, with a byte changed in each."""
    chance, photographs = random.Random(12), folder / "photographs"
    (folder / "table").mkdir()
    shutil.copy(BUNDLED / "table.json", folder / "table")
    photographs.mkdir()
    pillow_heif.from_pillow(Image.new("RGB", (120, 80))).save(folder / "whole.heic")
    whole = (folder / "whole.heic").read_bytes()
    for number in range(tried):
        at = chance.randrange(min(len(whole), 700))  # its head, for the most part
        content = whole[:at] + chance.randbytes(1) + whole[at + 1 :]
        (photographs / f"IMG_{number}.heic").write_bytes(content)
    yield amiss("import", photographs, "--table", folder / "table", "--data", folder / "data")
    lenses = ("calibrate", "lenses", "--table", folder / "table", "--camera", "cam0", "--pictures", photographs)
    yield amiss(*lenses)


def formulas(folder: Path, tried: int) -> Iterator[str]:
    """Write results of players whose names a spreadsheet would compute."""
    del folder
    chance = random.Random(13)
    for _ in range(tried):
        first, second = (chance.choice(FORMULA) + "".join(chance.choices("=1+A(,;'\"\n ", k=6)) + end for end in "ab")
        try:
            pairings = read_pairings(f"round,table,a,b\n1,T,{quoted(first)},{quoted(second)}\n", "cup.csv")
        except HallError:
            continue
        winners = pairings[0].players[:1]
        text = written_results([TableResult(pairings[0], "2026", winners)])
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        same = read_results(text, "results.csv", pairings)[0].winners == winners
        yield "" if same and not any(cell.startswith(tuple("=+-@＝\t")) for cell in cells) else repr(text)


def quoted(name: str) -> str:
    """Return a cell of a CSV file."""
    return '"' + name.replace('"', '""') + '"'


WAYS = {
    "strange manifests at restore": manifests,
    "photographs of the years 1 and 9999": years,
    "pictures of a mat that are none": mats,
    "an export without events": without_events,
    "picture bombs on paper": papers,
    "photographs in HEIC with a byte changed": heics,
    "results of players called like formulas": formulas,
    "an archive with links that lead nowhere": archives,
}


def attack(tried: int = 300) -> Outcome:
    """Attack with every kind. tried: how many manifests are made up."""
    outcome = Outcome("odd files")
    for name, way in WAYS.items():
        with tempfile.TemporaryDirectory(prefix="referee-odd-") as folder:
            said = list(way(Path(folder), tried))
        wrong = [one for one in said if one]
        outcome.holds(not wrong, f"{name}: {len(said)} tried, {len(wrong)} wrong {wrong[:2] or ''}")
    return outcome
