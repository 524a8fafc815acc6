"""Pack a whole referee into one file, and list what it holds; restore.py puts it back.

In it: every game with its pictures and measures, the table folders that are named, and the settings. Left out
always: the paired devices, for one that was shut out since would be let in again, and pairing takes a minute. Left
out unless asked for: the key that signs checkpoints, and names and passwords in camera addresses.

The file is a ZIP with a manifest (name, size and SHA-256 of every file), written aside, synced, and renamed when it
is whole. A game that is being played is taken as it stands: its journal first, then the pictures that it names.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from urllib.parse import quote

from calibration.errors import CalibrationError
from calibration.lenses import PICTURE_ENDINGS
from calibration.masked import target_only
from calibration.metadata import says_more
from calibration.picturefile import PictureError, decode_picture, picture_size
from calibration.table import load_table
from calibration.target import TargetFinder
from referee.archive.measures import measures_folder, timestamps_file, witnesses_file
from referee.storage import timestamps
from referee.storage.aside import ENDING, file_aside, folder_aside
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import JournalError
from referee.storage.retention import JOURNALS, keep_mark
from referee.storage.witnesses import MOST_BYTES, read_start
from referee.values.signs import is_text

FORMAT, MANIFEST = "referee backup 1", "backup.json"
GAMES, TABLES, SETTINGS, KEY = "games", "tables", "referee.toml", "checkpoint.key"
DEVICES = "devices.db"
"""Never packed, whatever is asked for."""
_PACKED = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Files that are no smaller in a ZIP."""


@dataclass(frozen=True, slots=True)
class BackupWishes:
    """What goes into a backup besides the games.

    tables: table folders. settings: text of the settings file, empty for none. key: whether the key that signs
    checkpoints goes along. pictures: whether the games' pictures do.
    """

    tables: tuple[Path, ...] = ()
    settings: str = ""
    key: bool = False
    pictures: bool = True


@dataclass(slots=True)
class BackedUp:
    """What a backup holds.

    damaged: journals packed as they lie there, for they can't be read. left_out: pictures that can't be read.
    telling: pictures of games left out because their files may say where or by whom they were taken. targetless:
    pictures for a lens left out because the target is not found in them, so that nobody knows what they show.
    unmeasured: those left out because the table.json beside them can't be read, so that no target can be looked for.
    """

    games: int = 0
    pictures: int = 0
    size_bytes: int = 0
    damaged: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    telling: list[str] = field(default_factory=list)
    targetless: list[str] = field(default_factory=list)
    unmeasured: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    key: bool = False


class _Pack:
    """Writes files into a ZIP and notes what each is."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._files: dict[str, dict[str, object]] = {}

    def add(self, name: str, content: bytes) -> None:
        self._files[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        packing = zipfile.ZIP_STORED if Path(name).suffix in _PACKED else zipfile.ZIP_DEFLATED
        self._zip.writestr(zipfile.ZipInfo(name), content, packing)

    def close(self, made_at: str) -> None:
        said = {"format": FORMAT, "made_at": made_at, "files": self._files}
        self._zip.writestr(zipfile.ZipInfo(MANIFEST), json.dumps(said, indent=1, ensure_ascii=False) + "\n")
        self._zip.close()

    def abandon(self) -> None:
        """Close a file that is not to be kept."""
        with contextlib.suppress(OSError):
            self._zip.close()


def backup(folder: Path, out: Path, wishes: BackupWishes, now: datetime | None = None) -> BackedUp:
    """Write a referee's data folder into one file, whole or not at all; only its owner may read it.

    Raises OSError for what can't be read or written, JournalError where there is nothing to back up.
    """
    games = folder / GAMES
    journals = sorted(games.rglob(JOURNALS)) if games.is_dir() else []
    for journal in journals:
        if not is_text(str(journal)):
            raise JournalError(f"{journal}: a ZIP can't hold its name, which is no UTF-8: rename it")
    if not journals and not wishes.tables:
        raise JournalError(f"{games}: there is no game to back up")
    told = BackedUp()
    with file_aside(out, mode=0o600) as file:
        pack = _Pack(file)
        try:
            for journal in journals:
                _pack_game(pack, journal, games, wishes, told)
            for table in wishes.tables:
                _pack_table(pack, table, told)
            if wishes.settings:
                pack.add(SETTINGS, wishes.settings.encode())
            if wishes.key and (folder / KEY).is_file():
                pack.add(KEY, (folder / KEY).read_bytes())
                told.key = True
            pack.close((now or datetime.now(UTC)).isoformat(timespec="seconds"))
        finally:
            pack.abandon()
        told.size_bytes = file.seek(0, os.SEEK_END)
    return told


def _pack_game(pack: _Pack, journal: Path, games: Path, wishes: BackupWishes, told: BackedUp) -> None:
    place = f"{GAMES}/{journal.relative_to(games).as_posix()}"
    # Before the journal: a device or an authority may sign meanwhile, and must not know more events than are packed.
    grow = ((witnesses_file(journal), MOST_BYTES), (timestamps_file(journal), timestamps.MOST_BYTES))
    signed = {path: read_start(path, most) for path, most in grow if path.is_file()}
    try:
        content = _snapshot(journal)
    except sqlite3.Error:
        content = journal.read_bytes()
        told.damaged.append(journal.name)
    pack.add(place, content)
    told.games += 1
    if keep_mark(journal).exists():
        pack.add(place.removesuffix(journal.suffix) + ".keep", b"")
    pictures = EvidenceStore(pictures_folder(journal)).pictures() if wishes.pictures else iter(())
    for picture in pictures:
        with contextlib.suppress(FileNotFoundError):  # old pictures go while we are at it
            content = picture.path.read_bytes()
            if says_more(content):
                told.telling.append(str(picture.path))
                continue
            pack.add(f"{GAMES}/{picture.path.relative_to(games).as_posix()}", content)
            told.pictures += 1
    measures = measures_folder(journal)
    files = sorted(path for path in measures.rglob("*") if path.is_file() and path not in signed)
    files = [path for path in files if not path.name.endswith(ENDING)]
    for path, content in signed.items():
        pack.add(f"{GAMES}/{path.relative_to(games).as_posix()}", content)
    for path in files:
        with contextlib.suppress(FileNotFoundError):
            pack.add(f"{GAMES}/{path.relative_to(games).as_posix()}", path.read_bytes())


def _snapshot(journal: Path) -> bytes:
    """Return a journal as it stands at one moment, whoever is writing it. Raises sqlite3.Error, OSError."""
    with folder_aside("referee-backup-") as folder:
        copy = folder / "copy"
        # Opened for writing, for what a killed referee left half written is put right by whoever opens it next.
        source = sqlite3.connect(f"file:{quote(os.fsencode(journal))}?mode=rw", uri=True, timeout=10.0)
        with contextlib.closing(source), contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
        return copy.read_bytes()


def _pack_table(pack: _Pack, table: Path, told: BackedUp) -> None:
    name = table.resolve().name
    finder = _target_finder(table)
    for path in _table_files(table):
        content, place = path.read_bytes(), path.relative_to(table)
        if path.suffix.lower() in PICTURE_ENDINGS or picture_size(content) is not None:
            if finder is None:
                told.unmeasured.append(str(path))
                continue
            try:
                shown = target_only(decode_picture(content), finder)
            except PictureError:
                told.left_out.append(str(path))
                continue
            if shown is None:
                told.targetless.append(str(path))
                continue
            content = shown
            if path.suffix.lower() != ".jpg":  # added, for 1.png and 1.jpg may lie side by side
                place = place.with_name(f"{place.name}.jpg")
        pack.add(f"{TABLES}/{name}/{place.as_posix()}", content)
    told.tables.append(name)


def _target_finder(table: Path) -> TargetFinder | None:
    """Return what finds a table's calibration target; ``None`` where its sizes can't be read."""
    try:
        return TargetFinder(load_table(table).charuco)
    except CalibrationError:
        return None


def _table_files(table: Path) -> Iterator[Path]:
    """Yield what a table folder needs to be used again: sizes, lenses, pictures of the target, certificates."""
    if not (table / "table.json").is_file():
        raise FileNotFoundError(2, "no table folder: there is no table.json in it", str(table))
    yield table / "table.json"
    for part in ("calibration", "certificates"):
        yield from sorted(path for path in (table / part).rglob("*") if path.is_file())
