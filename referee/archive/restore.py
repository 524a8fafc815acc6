"""Put a backup back: check it whole, lay it out aside, then move it in game by game. Nothing is written over.

A game comes in with its pictures and measures first and its journal last, by renaming: a plug pulled half-way leaves
games that are there whole and games that are not there, and doing it again brings the rest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from calibration.lenses import PICTURE_ENDINGS
from calibration.metadata import says_more, without_metadata
from calibration.picturefile import PictureError, picture_size
from referee.archive.backup import DEVICES, FORMAT, GAMES, KEY, MANIFEST, SETTINGS, TABLES
from referee.archive.measures import measures_folder
from referee.archive.packed import LARGEST_PICTURE
from referee.archive.removal import delete_game
from referee.archive.zipreader import MOST_FILES, ZipError, ZipReader, fit
from referee.storage.aside import clear_left, folder_aside
from referee.storage.chain import JournalError
from referee.storage.diskspace import free_bytes, sync_folder
from referee.storage.evidence import KEPT_ENDINGS, PICTURES, pictures_folder
from referee.storage.inuse import running_at
from referee.storage.journal import read_journal
from referee.storage.retention import keep_mark

RESTORED_SETTINGS = "restored-settings.toml"
SPARE_BYTES = 50_000_000
"""Bytes that must stay free on the disk."""
_ASIDE = ".restoring-"
_MOST_MANIFEST = 64 * 2**20


class BackupError(Exception):
    """A backup that can't be put back; the message says which file and what to do."""


@dataclass(slots=True)
class Restored:
    """What came back. there: games that were there already, as they are in the backup or further on.

    clashing: games of the same name that are other games; they were left as they are. settings: where the settings
    lie now, ``None`` for none. key: whether the key that signs checkpoints came back. left_out: names in the
    backup of pictures whose files may say where or by whom they were taken, and of files too large for a picture.
    """

    games: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)
    clashing: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    settings: Path | None = None
    key: bool = False
    left_out: list[str] = field(default_factory=list)


def restore(packed: Path, folder: Path) -> Restored:
    """Put a backup into a data folder, which may hold games already. Raises BackupError, OSError."""
    where = running_at(folder)
    if where is not None:
        raise BackupError(f"a referee is running on {folder} ({where}): stop it first")
    try:
        with ZipReader(packed, "it is cut off or no backup: copy or make it again") as pack:
            files = _files(pack)
            needed = sum(size for size, _ in files.values())
            folder.mkdir(parents=True, exist_ok=True)
            clear_left(folder)
            if free_bytes(folder) < needed + SPARE_BYTES:  # before anything is unpacked, which may be far more
                raise BackupError(f"{folder}: {(needed + SPARE_BYTES) / 1e6:.0f} MB are needed there: make room")
            _check(pack, files)
            with folder_aside(_ASIDE, folder) as aside:
                left_out = _lay_out(pack, files, aside)
                told = _move_in(aside, folder, files)
                told.left_out += left_out
                return told
    except ZipError as error:
        raise BackupError(f"{error}; take another backup") from error


def _files(pack: ZipReader) -> Mapping[str, tuple[int, str]]:
    """Return the files a backup says it holds, each with size and SHA-256.

    Raises BackupError for a file that has no place in a backup.
    """
    files = _manifest(pack)
    for name, (size, _) in files.items():
        place = PurePosixPath(name)
        known = place.parts[:-1][:1] in ((GAMES,), (TABLES,)) or name in (SETTINGS, KEY)
        if not known or ".." in place.parts or place.is_absolute() or "\\" in name or place.name == DEVICES:
            raise BackupError(f"{pack.path}: {fit(name)} has no place in a backup: take another file")
        if pack.size(name) != size:
            raise BackupError(f"{pack.path}: {fit(name)} in it was changed or damaged: take another backup")
    return files


def _check(pack: ZipReader, files: Mapping[str, tuple[int, str]]) -> None:
    """Raise BackupError unless every file is as it was."""
    for name, (size, digest) in files.items():
        if pack.digest(name, size) != digest:
            raise BackupError(f"{pack.path}: {fit(name)} in it was changed or damaged: take another backup")


def _manifest(pack: ZipReader) -> dict[str, tuple[int, str]]:
    if MANIFEST in pack:
        try:
            said: Any = pack.json(MANIFEST, _MOST_MANIFEST, 4 * MOST_FILES)
            if said["format"] == FORMAT:
                return {name: (int(one["bytes"]), str(one["sha256"])) for name, one in said["files"].items()}
        except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
            pass
    raise BackupError(f"{pack.path} is no backup of a referee: 'referee backup' makes one")


def _lay_out(pack: ZipReader, files: Mapping[str, tuple[int, str]], aside: Path) -> list[str]:
    """Unpack all files aside, each on the disk when this returns; return those left out.

    A table's pictures lose what their files say besides. Those of games are named by their content, so they are left
    out instead. What might be a picture and is larger than any is left out unread.
    """
    folders, left_out = {aside}, []
    for name, (size, _) in files.items():
        content = pack.chunks(name, size)
        if not _streamed(name):
            whole = b"".join(content) if size <= LARGEST_PICTURE else None
            plain = None if whole is None else _plain(name, whole)
            if plain is None:
                left_out.append(name)
                continue
            content = iter([plain])
        path = aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        folders.add(path.parent)
        mode = 0o600 if name in (KEY, SETTINGS) else 0o644
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            out.writelines(content)
            out.flush()
            os.fsync(out.fileno())
    for each in folders:
        sync_folder(each)
    return left_out


def _streamed(name: str) -> bool:
    """Return whether a file is neither a picture nor anything that may be one under another name."""
    place = PurePosixPath(name)
    return name in (KEY, SETTINGS) or (
        place.parts[0] == GAMES and place.suffix in (".journal", ".keep") and not _of_game(place)
    )


def _of_game(place: PurePosixPath) -> bool:
    """Return whether a file lies in the folder of a game's pictures."""
    return place.parts[0] == GAMES and any(part.endswith(PICTURES) for part in place.parts[1:-1])


def _plain(name: str, content: bytes) -> bytes | None:
    """Return what is kept of a file: a picture without its metadata, empty for one that can't be read.

    ``None`` for a game's picture that says more than its pixels, or that no referee has kept under such a name.
    """
    place = PurePosixPath(name)
    if _of_game(place):
        return content if place.suffix in KEPT_ENDINGS and not says_more(content) else None
    # What a file holds decides: OpenCV and others read pictures whatever they are called.
    named_so = place.suffix.lower() in PICTURE_ENDINGS
    if not named_so and picture_size(content) is None:
        return content
    if not says_more(content):
        return content
    try:
        return without_metadata(content)
    except PictureError:
        return b""


def _move_in(aside: Path, folder: Path, files: Mapping[str, object]) -> Restored:
    told = Restored()
    for name in sorted(name for name in files if name.endswith(".journal") and _streamed(name)):
        move_game(aside / name, folder / name, told)
    for table in sorted({PurePosixPath(name).parts[1] for name in files if name.startswith(f"{TABLES}/")}):
        target = folder / TABLES / table
        laid = aside / TABLES / table  # not there where all of it was left out
        if laid.exists() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            laid.rename(target)
            told.tables.append(table)
    if KEY in files and not (folder / KEY).exists():
        (aside / KEY).rename(folder / KEY)
        told.key = True
    if SETTINGS in files:
        (aside / SETTINGS).replace(folder / RESTORED_SETTINGS)
        told.settings = folder / RESTORED_SETTINGS
    sync_folder(folder)
    return told


def move_game(source: Path, target: Path, told: Restored) -> None:
    """Move a game that lies whole elsewhere on the same disk to its place, unless one of its name is there."""
    if target.exists():
        (told.there if _goes_on(source, target) else told.clashing).append(target.stem)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    for of in (pictures_folder, measures_folder, keep_mark):
        if of(source).exists():
            _move_beside(of(source), of(target))
    sync_folder(target.parent)
    source.rename(target)
    sync_folder(target.parent)
    told.games.append(target.stem)


@contextmanager
def game_aside(target: Path, prefix: str, again: bool) -> Iterator[Path]:
    """Yield where a game is laid out aside; it takes its place on the shelf, whole, when all of it is written.

    target: its journal's place, in the folder games of a data folder. again: replace what is there. Raises
    JournalError where there is one, unless it is to be replaced.
    """
    if target.exists() and not again:
        raise JournalError(f"{target} was imported before: --again replaces it")
    folder = target.parent.parent
    folder.mkdir(parents=True, exist_ok=True)
    with folder_aside(prefix, folder) as aside:
        path = aside / target.name
        yield path
        if target.exists():
            delete_game(target)
        told = Restored()
        move_game(path, target, told)
        if not told.games:
            raise JournalError(f"{target} has come up meanwhile: do it again")


def _move_beside(source: Path, target: Path) -> None:
    """Move a file or folder; what a restore that was broken off left there is joined, file by file."""
    if source.is_dir() and target.is_dir():
        for path in sorted(source.rglob("*")):
            place = target / path.relative_to(source)
            if path.is_dir():
                place.mkdir(exist_ok=True)
            elif not place.exists():
                path.rename(place)
    else:
        source.replace(target)


def _goes_on(source: Path, target: Path) -> bool:
    """Return whether the game there begins as the one in the backup does: the same one, perhaps further on."""
    try:
        packed, there = read_journal(source), read_journal(target)
    except JournalError:
        return source.read_bytes() == target.read_bytes()
    return [entry.hash for entry in there[: len(packed)]] == [entry.hash for entry in packed]
