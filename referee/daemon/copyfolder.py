"""Keep what is printed on the copies of a game that people own: a file a copy, with pictures of its parts beside it.

Files are named after the copy: ``NAME.json``, and ``NAME.pictures/PART-ROW.jpg``. Each is written whole or not at
all.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from calibration.files import write_atomic
from referee.storage.diskspace import free_bytes
from referee.values.words import Words, say

MOST_BYTES = 1_000_000
"""Largest size of a copy's file."""
MOST_COPIES = 200
MOST_PICTURES = 300
"""Most pictures of a copy: more than any game has cards."""
MOST_TOTAL_BYTES = 200_000_000
"""Largest size of all copies with their pictures: some six hundred cards as a page pictures them."""
SPARE_BYTES = 250_000_000
"""Left free on the disk by pictures and new copies: more than evidence leaves, so that it and the journal go on."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class CopyFolderError(Exception):
    """A file of a copy can't be read or written; the words name the file."""

    def __init__(self, words: Words, code: str = "disk") -> None:
        super().__init__(words.text())
        self.words, self.code = words, code


def slug(name: str) -> str:
    """Return a name as files are named: lower-case letters, digits and hyphens; ``copy`` where none are left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "copy"


class CopyFolder:
    """A folder of copies.

    most_bytes: that all of them may take. spare_bytes: that pictures and new copies leave free on the disk.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_TOTAL_BYTES, spare_bytes: int = SPARE_BYTES) -> None:
        self.folder = folder
        self._most_bytes, self._spare_bytes = most_bytes, spare_bytes

    def names(self) -> tuple[str, ...]:
        """List the copies by the names of their files."""
        found = sorted(path.stem for path in self.folder.glob("*.json") if _SAFE.fullmatch(path.stem))
        return tuple(found[:MOST_COPIES])

    def read(self, name: str) -> Mapping[str, object] | None:
        """Return a copy's data, ``None`` where there is no such copy. Raises CopyFolderError, naming the file."""
        path = self._file(name)
        if path is None or not path.is_file():
            return None
        try:
            if path.stat().st_size > MOST_BYTES:
                raise CopyFolderError(_too_long(path))
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CopyFolderError(say("{path} can’t be read: {why}", path=str(path), why=str(error))) from error
        if not isinstance(data, dict):
            raise CopyFolderError(say("{path} holds no copy of a game.", path=str(path)))
        return data

    def write(self, name: str, data: Mapping[str, object]) -> None:
        """Keep a copy's data. Raises CopyFolderError, naming the file."""
        path = self._file(name)
        if path is None:
            raise CopyFolderError(
                say("“{name}” is no name of a copy: use letters, digits and hyphens.", name=name[:60])
            )
        content = json.dumps(data, ensure_ascii=False, indent=1).encode()
        if len(content) > MOST_BYTES:  # it could not be read again
            raise CopyFolderError(_too_long(path), "full")
        self._write(path, content, into_spare=path.exists())  # what is typed at the table is small and counts

    def picture(self, name: str, part: str, row: str) -> bytes | None:
        """Return the picture of a part of a copy, JPEG; ``None`` where none is kept."""
        path = self._picture(name, part, row)
        try:
            return path.read_bytes() if path is not None and path.is_file() else None
        except OSError:
            return None

    def keep_picture(self, name: str, part: str, row: str, jpeg: bytes) -> None:
        """Keep the picture of a part of a copy. Raises CopyFolderError."""
        path = self._picture(name, part, row)
        if path is None:
            raise CopyFolderError(say("The copy has no part {name}.", name=f"{part[:30]}-{row[:60]}"), "no-part")
        if not path.exists() and len(self.pictured(name)) >= MOST_PICTURES:
            words = say("This copy has {n} pictures, the most there may be: remove some first.", n=MOST_PICTURES)
            raise CopyFolderError(words, "full")
        self._write(path, jpeg, into_spare=False)

    def drop_picture(self, name: str, part: str, row: str) -> None:
        """Forget the picture of a part of a copy, where there is one. Raises CopyFolderError, naming the file."""
        path = self._picture(name, part, row)
        if path is None:
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise _not_removed(path, error) from error

    def drop(self, name: str) -> None:
        """Forget a copy, its pictures first: what is left after a crash can be dropped again.

        Raises CopyFolderError, naming the file.
        """
        path = self._file(name)
        if path is None:
            return
        try:
            pictures = path.with_suffix(".pictures")
            if pictures.is_dir():
                shutil.rmtree(pictures)
            path.unlink(missing_ok=True)
        except OSError as error:
            raise _not_removed(path, error) from error

    def pictured(self, name: str) -> frozenset[str]:
        """Return which parts have pictures, as ``PART-ROW``."""
        return frozenset(path.stem for path in (self.folder / f"{slug(name)}.pictures").glob("*.jpg"))

    def _file(self, name: str) -> Path | None:
        return self.folder / f"{name}.json" if _SAFE.fullmatch(name) else None

    def _picture(self, name: str, part: str, row: str) -> Path | None:
        row = slug(row)
        safe = all(_SAFE.fullmatch(word) for word in (name, part, row))
        return self.folder / f"{name}.pictures" / f"{part}-{row}.jpg" if safe else None

    def _write(self, path: Path, content: bytes, into_spare: bool) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._require_room(path, len(content), into_spare)
            write_atomic(path, content)
        except OSError as error:
            raise CopyFolderError(
                say("{path} can’t be written: {why}", path=str(path), why=str(error.strerror))
            ) from error

    def _require_room(self, path: Path, size_bytes: int, into_spare: bool) -> None:
        """Raise CopyFolderError where a file would take more room than copies may have."""
        if not into_spare and free_bytes(self.folder) < self._spare_bytes + size_bytes:
            words = say(
                "The disk is nearly full, and the last {n} MB are kept for games: make room on it, "
                "or remove pictures or copies.",
                n=self._spare_bytes // 1_000_000,
            )
            raise CopyFolderError(words, "full")
        growth = size_bytes - _size_bytes(path)
        if growth > 0 and sum(map(_size_bytes, self.folder.rglob("*"))) + growth > self._most_bytes:
            words = say(
                "Copies and their pictures may take {n} MB, and that is used up: remove pictures or copies first.",
                n=self._most_bytes // 1_000_000,
            )
            raise CopyFolderError(words, "full")


def _size_bytes(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def _too_long(path: Path) -> Words:
    return say("{path} is longer than {n} bytes: that is too much for a copy.", path=str(path), n=MOST_BYTES)


def _not_removed(path: Path, error: OSError) -> CopyFolderError:
    return CopyFolderError(say("{path} can’t be removed: {why}", path=str(path), why=str(error.strerror)))
