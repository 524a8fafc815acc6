"""Keeps labelled looks beside a game's journal: labels of all that are known, pictures of those that were put right.

They lie in the game's folder of measures and go when the game is deleted. Pictures of other looks stay where all
pictures of the game lie, as long as those are kept.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from referee.addons.trackrecord.cases import LabelledLook, labelled_looks
from referee.archive.measures import measures_folder
from referee.match.state import TableState
from referee.storage.aside import file_aside
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal

LABELS = "labels.json"
_LOG = logging.getLogger(__name__)


def cases_folder(journal: Path) -> Path:
    """Return where the labelled looks of a game lie."""
    return measures_folder(journal) / "cases"


def keep_labels(journal: Path, looks: tuple[LabelledLook, ...]) -> None:
    """Write the labels of a game's looks, and keep the pictures of those that were put right. Raises OSError."""
    folder, kept = cases_folder(journal), EvidenceStore(pictures_folder(journal))
    store = EvidenceStore(folder)
    for look in looks:
        found = {name: kept.picture(content) for name, content in look.pictures.items()}
        if look.put_right and not all(store.has(content) for content in look.pictures.values()):
            store.keep({name: picture for name, picture in found.items() if picture is not None})
    folder.mkdir(parents=True, exist_ok=True)
    with file_aside(folder / LABELS) as file:
        file.write(json.dumps([look.to_json() for look in looks], ensure_ascii=False, indent=1).encode())


class CaseKeeper:
    """Follows the table in a thread of its own and keeps the labelled looks of each game."""

    def __init__(self, journal: Callable[[], Journal], state: Callable[[], TableState]) -> None:
        self._journal, self._state = journal, state
        self._woken = threading.Event()
        self._over = False
        self._kept: tuple[Path, tuple[LabelledLook, ...]] | None = None
        self._thread = threading.Thread(target=self._follow, name="cases", daemon=True)

    def start(self) -> None:
        """Begin to follow the table."""
        self._thread.start()

    def wake(self) -> None:
        """Look at the table again; waits for nothing."""
        self._woken.set()

    def close(self) -> None:
        """Keep what is known by now, and end."""
        self._over = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        for journal, looks in self._changes():
            try:
                keep_labels(journal, looks)
            except OSError as error:
                _LOG.warning("labelled looks can't be kept: %s", error)

    def _changes(self) -> Iterator[tuple[Path, tuple[LabelledLook, ...]]]:
        while not self._over:
            self._woken.wait()
            self._woken.clear()
            journal, state = self._journal().path, self._state()
            now = journal, labelled_looks(state)
            same = self._journal().path == journal and self._state() is state  # else a new game begins just now
            if now[1] and now != self._kept and same:
                self._kept = now
                yield now
