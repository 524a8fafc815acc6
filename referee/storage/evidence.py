"""Pictures behind rulings: files named by their content, which are on the disk before any event names them.

A picture's content id is the SHA-256 of its bytes; it is in the file's name and in the event, so a picture that was
changed later is found out. Pictures lie in a folder beside the journal. No game waits for them: when the disk is
nearly full or fails, keeping them stops, the game goes on, and ``state`` says so until it works again.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from referee.storage.diskspace import free_bytes, sync_folder
from referee.values.words import Words, say

SPARE_BYTES = 100 * 1024 * 1024
"""Room left free for the journal and the rest of the machine: below it no picture is kept."""

_CONTENT = re.compile("[0-9a-f]{64}")
_KINDS = {b"\xff\xd8\xff": ".jpg", b"\x89PNG": ".png"}
_OTHER = ".bin"
_UNFINISHED = ".part"
KEPT_ENDINGS = frozenset({*_KINDS.values(), _OTHER})
"""Endings of the files in a store."""
PICTURES = ".pictures"
"""Ending of the name of a journal's folder of pictures."""


class Keeping(StrEnum):
    """States of keeping pictures."""

    ON = "on"
    FULL = "full"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EvidenceState:
    """State of keeping pictures. detail: the system's words when keeping them failed."""

    keeping: Keeping
    detail: str = ""

    @property
    def words(self) -> Words | None:
        """Return the sentence for everybody at the table; ``None`` while all is well."""
        match self.keeping:
            case Keeping.FULL:
                return say(
                    "The disk is full: play goes on without keeping pictures. Make room on the referee’s computer."
                )
            case Keeping.FAILED:
                return say("Pictures can’t be kept ({detail}). Play goes on without them.", detail=self.detail)
        return None


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture on the disk. content: its id; kept_at_s: when it was last written, in seconds of the Unix epoch."""

    content: str
    path: Path
    size_bytes: int
    kept_at_s: float


def content_id(picture: bytes) -> str:
    """Return the content id of a picture: its SHA-256 as 64 hexadecimal digits."""
    return hashlib.sha256(picture).hexdigest()


def pictures_folder(journal: Path) -> Path:
    """Return the folder of a journal's pictures: ``game.pictures`` beside ``game.journal``."""
    return journal.with_suffix(PICTURES)


class EvidenceStore:
    """The pictures of one journal. Safe to use from several threads; one process writes.

    hands: whether pictures are wanted in which a hand or something else stands over the board.
    """

    def __init__(self, folder: Path, spare_bytes: int = SPARE_BYTES, hands: bool = True) -> None:
        self.folder, self.hands = folder, hands
        self._spare_bytes = spare_bytes
        self._mutex = threading.Lock()
        self._state = EvidenceState(Keeping.ON)
        self._tidy = False

    def keep(self, pictures: Mapping[str, bytes]) -> dict[str, str]:
        """Bring pictures to the disk and return the content id of each, by the same names.

        When this returns, files and folder are synced, so the event that names them may be written. Empty when they
        could not be kept, all or none; ``state`` says why then. Never raises for what the disk does.
        """
        with self._mutex:
            needed = sum(map(len, pictures.values()))
            try:
                self._prepare()
                if free_bytes(self.folder) < self._spare_bytes + needed:
                    self._state = EvidenceState(Keeping.FULL)
                    return {}
                kept = {name: self._write(picture) for name, picture in pictures.items()}
                sync_folder(self.folder)
            except OSError as error:
                full = error.errno in (errno.ENOSPC, errno.EDQUOT)
                failed = EvidenceState(Keeping.FAILED, error.strerror or "")
                self._state = EvidenceState(Keeping.FULL) if full else failed
                return {}
            self._state = EvidenceState(Keeping.ON)
            return kept

    @property
    def state(self) -> EvidenceState:
        """Return whether the newest pictures were kept."""
        return self._state

    def picture(self, content: str) -> bytes | None:
        """Return the picture with this content id; ``None`` where it is missing or its content changed."""
        path = self._find(content)
        try:
            found = path.read_bytes() if path else None
        except OSError:
            return None
        return found if found is not None and content_id(found) == content else None

    def pictures(self) -> Iterator[KeptPicture]:
        """Yield every picture that is kept, by name and date alone, without reading its content."""
        if self.folder.is_dir():
            for path in sorted(self.folder.iterdir()):
                if _CONTENT.fullmatch(path.stem) and path.suffix != _UNFINISHED:
                    with contextlib.suppress(FileNotFoundError):  # deleted while we looked
                        found = path.stat()
                        yield KeptPicture(path.stem, path, found.st_size, found.st_mtime)

    def has(self, content: str) -> bool:
        """Return whether a file lies under this content id, whatever it holds."""
        return self._find(content) is not None

    def _find(self, content: str) -> Path | None:
        if not _CONTENT.fullmatch(content):  # a name from the network must not lead elsewhere
            return None
        paths = (self.folder / f"{content}{suffix}" for suffix in (*_KINDS.values(), _OTHER))
        return next((path for path in paths if path.is_file()), None)

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self._tidy:  # only the writer makes it; readers may not
            for leftover in self.folder.glob(f"*{_UNFINISHED}"):
                leftover.unlink()
            sync_folder(self.folder.parent)
            self._tidy = True

    def _write(self, picture: bytes) -> str:
        content = content_id(picture)
        suffix = next((kind for start, kind in _KINDS.items() if picture.startswith(start)), _OTHER)
        path = self.folder / (content + suffix)
        if path.is_file() and path.stat().st_size == len(picture):
            os.utime(path)  # its date is renewed, since it is needed again
            return content
        part = path.with_suffix(_UNFINISHED)
        try:
            with part.open("wb") as file:
                file.write(picture)
                file.flush()
                os.fsync(file.fileno())
            part.rename(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        return content
