"""Lay finished games into a folder, of an age and a size."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal

DAY_S = 86_400.0


NOW_S = time.time()


def game(folder: Path, name: str, *events: tuple[str, Mapping[str, object]], age_s: float = 100 * DAY_S) -> Path:
    """Write a game with one old picture."""
    path = folder / f"{name}.journal"
    with Journal(path) as journal:
        for kind, data in events:
            journal.append(kind, data)
    store = EvidenceStore(pictures_folder(path), spare_bytes=0)
    store.keep({"cam0": b"\xff\xd8\xff" + name.encode()})
    for picture in store.pictures():
        os.utime(picture.path, (NOW_S - age_s, NOW_S - age_s))
    return path


def left(path: Path) -> int:
    return len(list(EvidenceStore(pictures_folder(path)).pictures()))


STARTED = ("game_started", {"position": {"finished": False}})


WON = ("ruling", {"ruling": "legal", "answer": {"finished": True}})
