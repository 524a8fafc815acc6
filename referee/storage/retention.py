"""Decides how long pictures are kept: pure functions plan what may go; a thin part deletes it.

Pictures go when they are too old or when all together take too much room, oldest first. Pictures of a game that still
runs, or that somebody disputes, are never touched, whatever room they take. Journals are never deleted.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.storage.evidence import EvidenceStore, KeptPicture, pictures_folder
from referee.storage.filelock import lock
from referee.storage.journal import JournalEntry, JournalError, read_journal

JOURNALS = "*.journal"
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_FULL = (errno.ENOSPC, errno.EDQUOT)
_LOG = logging.getLogger(__name__)
ABANDONED_S = 30 * 86_400.0
"""Time without events after which a game nobody ended no longer counts as running."""


@dataclass(frozen=True, slots=True)
class GamePictures:
    """A game's pictures. protected: why none of them may go, empty where they may."""

    journal: Path
    protected: str
    pictures: tuple[KeptPicture, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """A picture that may go, and why."""

    journal: Path
    picture: KeptPicture
    why: str


@dataclass(frozen=True, slots=True)
class Limits:
    """keep_s: age in seconds above which pictures go, 0 for none; most_bytes: what all together may take."""

    keep_s: float
    most_bytes: int


@dataclass(frozen=True, slots=True)
class GameFate:
    """The status of a journal's game. disputed: a dispute was raised and not settled."""

    finished: bool
    disputed: bool


def plan(games: Sequence[GamePictures], limits: Limits, now_s: float) -> list[Removal]:
    """Plan what to delete, oldest first. now_s: seconds of the Unix epoch.

    A picture from the future, after a clock was set back, is not old.
    """
    free = [(picture, game.journal) for game in games if not game.protected for picture in game.pictures]
    free.sort(key=lambda item: (item[0].kept_at_s, item[0].content))
    excess = sum(picture.size_bytes for game in games for picture in game.pictures) - limits.most_bytes
    removals = []
    for picture, journal in free:
        if limits.keep_s and now_s - picture.kept_at_s > limits.keep_s:
            why = "too old"
        elif excess > 0:
            why = "too much in all"
        else:
            continue
        excess -= picture.size_bytes
        removals.append(Removal(journal, picture, why))
    return removals


def fate(entries: Iterable[JournalEntry]) -> GameFate:
    """Return whether a journal's game is finished and whether it is disputed, from its events."""
    finished = False
    open_disputes: set[object] = set()
    for entry in entries:
        data = entry.data
        if entry.kind == "game_ended":
            finished = True
        elif entry.kind == "ruling" and data.get("ruling") == "legal":
            finished = _finished(data.get("answer"))
        elif entry.kind == "disputed":
            open_disputes.add(data.get("dispute"))
        elif entry.kind == "resolved":
            open_disputes.discard(data.get("dispute"))
        elif "position" in data:
            finished = _finished(data["position"])
        elif entry.kind in ("undone", "ruling_withdrawn"):
            finished = False
    return GameFate(finished, bool(open_disputes))


def protected(journal: Path, now_s: float) -> str:
    """Return why a journal's pictures must stay; empty when they may go."""
    if keep_mark(journal).exists():
        return "marked to be kept"
    try:
        # The next writer repairs what a kill left; this reader must not do it at the same time.
        entries = read_journal(journal, recover=False)
    except JournalError as error:
        return f"its journal can't be read: {error}"
    told = fate(entries)
    if told.disputed:
        return "disputed"
    if not told.finished and entries:
        idle_s = now_s - datetime.fromisoformat(entries[-1].at).timestamp()
        if idle_s < ABANDONED_S:
            return "still running"
    return ""


def keep_mark(journal: Path) -> Path:
    """Return the file that marks a game whose pictures must stay, ``game.keep`` beside ``game.journal``."""
    return journal.with_suffix(".keep")


def sweep(folder: Path, limits: Limits, now_s: float, dry: bool = False) -> list[Removal]:
    """Delete what may go of all games whose journals lie in a folder or below; return what went, or would go."""
    games = [
        GamePictures(journal, protected(journal, now_s), tuple(EvidenceStore(pictures_folder(journal)).pictures()))
        for journal in sorted(folder.rglob(JOURNALS))
    ]
    planned = plan(games, limits, now_s)
    if dry:
        return planned
    gone = []
    for journal in dict.fromkeys(removal.journal for removal in planned):
        try:
            with unused(journal) as free:
                if free and not protected(journal, now_s):  # it may have been taken up again since
                    gone += [item for item in planned if item.journal == journal and _delete(item.picture.path)]
        except JournalError as error:
            _LOG.warning("pictures stay: %s", error)
    return gone


def _finished(said: object) -> bool:
    return isinstance(said, dict) and bool(said.get("finished"))


def _delete(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def unused(journal: Path) -> Iterator[bool]:
    """Hold a journal's writing lock while something of its game goes; False where a referee holds it.

    Raises JournalError where nothing can be written beside it.
    """
    try:
        handle = os.open(journal.with_name(journal.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        read_only = "its folder is read-only" if error.errno in _READ_ONLY else "its folder can't be written"
        advice = "make room on the disk" if error.errno in _FULL else "make it writable first"
        raise JournalError(f"{journal}: {read_only} ({error.strerror}): {advice}") from error
    try:
        lock(handle)
        yield True
    except (BlockingIOError, PermissionError):  # Windows says the second
        yield False
    finally:
        os.close(handle)
