"""Write ZIP files that say themselves what is in them: a manifest of all files, and a seal over every byte.

The manifest names each file with its size and SHA-256, in the order they were packed. The seal is the ZIP's comment:
the SHA-256 of all bytes before its own 64 digits. Both find damage and clumsy changes; what finds a clever forger is
the chain of events with a signed checkpoint (referee/storage/checkpoint.py).
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from pathlib import Path
from typing import IO, Any

FORMAT = "referee export 1"
MANIFEST = "manifest.json"
_PREFIX = b"sha256:"
_SEAL = re.compile(_PREFIX + rb"([0-9a-f]{64})")
_END_OF_ZIP = b"PK\x05\x06"
_END_BYTES = 22
"""Size of the end record of a ZIP without a comment, which begins with the bytes below."""
_CHUNK_BYTES = 1 << 20


class SealedZip:
    """Writes files into a ZIP, then manifest and seal. The same files give the same bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        """Take an empty file, open for reading and writing."""
        self._file = file
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._files: dict[str, dict[str, object]] = {}

    def add(self, name: str, content: bytes | str, packed: bool = True) -> None:
        """Add a file. packed: make it smaller; pictures don't get smaller."""
        data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        self._write(name, data, packed)
        self._files[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def close(self, events: int, head: str) -> None:
        """Write the manifest, end the ZIP and seal it. events, head: how many there are, hash of the newest."""
        said = {"format": FORMAT, "events": events, "head": head, "files": self._files}
        self._write(MANIFEST, manifest_text(said).encode(), True)
        self._zip.comment = _PREFIX + b"0" * 64
        self._zip.close()
        seal = _digest(self._file)
        self._file.seek(-64, 2)
        self._file.write(seal.encode())

    def abandon(self) -> None:
        """End the ZIP as it is."""
        self._zip.close()

    def _write(self, name: str, data: bytes, packed: bool) -> None:
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o644 << 16
        self._zip.writestr(info, data, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED)


def manifest_text(said: dict[str, Any]) -> str:
    """Return the one text of a manifest."""
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def seal_problem(path: Path) -> str:
    """Say what is wrong with a ZIP's seal; empty where it holds, or where there is none. Raises OSError."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - len(_PREFIX) - 64))
        found = _SEAL.fullmatch(file.read())
        file.seek(max(0, size - _END_BYTES))
        plain = file.read(len(_END_OF_ZIP)) == _END_OF_ZIP
        if found:
            return "" if _digest(file) == found[1].decode() else "the file was changed after it was packed"
    return "" if plain else "the end of the file was changed or cut off"


def _digest(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file but for its last 64 bytes, in hexadecimal digits."""
    found = hashlib.sha256()
    left = file.seek(0, 2) - 64
    file.seek(0)
    while left > 0 and (chunk := file.read(min(left, _CHUNK_BYTES))):
        found.update(chunk)
        left -= len(chunk)
    return found.hexdigest()
