"""What is printed on the copies of a game that people own: a file a copy, with pictures of its parts beside it.

Files are named after the copy: ``NAME.json``, and ``NAME.pictures/PART-ROW.jpg``. Each is written whole or not at
all.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from calibration.files import write_atomic

MOST_BYTES = 1_000_000
"""Of a copy's file."""
MOST_COPIES = 200
MOST_PICTURES = 300
"""Of a copy: more than any game has cards."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class DataShelfError(Exception):
    """Something on the shelf can't be read or written; the message names the file."""


def slug(name: str) -> str:
    """A name as files are named: lower-case letters, digits and hyphens; ``copy`` where none are left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "copy"


class DataShelf:
    """A folder of copies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        """The copies there are, by the names of their files."""
        found = sorted(path.stem for path in self.folder.glob("*.json") if _SAFE.fullmatch(path.stem))
        return tuple(found[:MOST_COPIES])

    def read(self, name: str) -> Mapping[str, object] | None:
        """A copy's data, ``None`` where there is no such copy. Raises DataShelfError, naming the file."""
        path = self._file(name)
        if path is None or not path.is_file():
            return None
        try:
            if path.stat().st_size > MOST_BYTES:
                raise DataShelfError(f"{path} is longer than {MOST_BYTES} bytes: this is no copy's file")
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise DataShelfError(f"{path} can't be read: {error}") from error
        if not isinstance(data, dict):
            raise DataShelfError(f"{path} holds no object {{...}}")
        return data

    def write(self, name: str, data: Mapping[str, object]) -> None:
        """Keep a copy's data. Raises DataShelfError, naming the file."""
        path = self._file(name)
        if path is None:
            raise DataShelfError(f"{name[:60]!r} is no name of a copy: use letters, digits and hyphens")
        self._write(path, json.dumps(data, ensure_ascii=False, indent=1).encode())

    def picture(self, name: str, part: str, row: str) -> bytes | None:
        """The picture of a part of a copy, JPEG; ``None`` where none is kept."""
        path = self._picture(name, part, row)
        try:
            return path.read_bytes() if path is not None and path.is_file() else None
        except OSError:
            return None

    def keep_picture(self, name: str, part: str, row: str, jpeg: bytes) -> None:
        """Keep the picture of a part of a copy. Raises DataShelfError."""
        path = self._picture(name, part, row)
        if path is None:
            raise DataShelfError(f"{part[:30]}-{row[:60]} is no part of a copy")
        if not path.exists() and len(self.pictured(name)) >= MOST_PICTURES:
            raise DataShelfError(f"{path.parent.name} holds {MOST_PICTURES} pictures already")
        self._write(path, jpeg)

    def drop_picture(self, name: str, part: str, row: str) -> None:
        """Forget the picture of a part of a copy, where there is one. Raises DataShelfError, naming the file."""
        path = self._picture(name, part, row)
        try:
            if path is not None:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise DataShelfError(f"{path} can't be taken away: {error.strerror}") from error

    def pictured(self, name: str) -> frozenset[str]:
        """Which parts have pictures, as ``PART-ROW``."""
        return frozenset(path.stem for path in (self.folder / f"{slug(name)}.pictures").glob("*.jpg"))

    def _file(self, name: str) -> Path | None:
        return self.folder / f"{name}.json" if _SAFE.fullmatch(name) else None

    def _picture(self, name: str, part: str, row: str) -> Path | None:
        row = slug(row)
        safe = all(_SAFE.fullmatch(word) for word in (name, part, row))
        return self.folder / f"{name}.pictures" / f"{part}-{row}.jpg" if safe else None

    def _write(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, content)
        except OSError as error:
            raise DataShelfError(f"{path} can't be written: {error.strerror}") from error
