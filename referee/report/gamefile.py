"""Opens a game to report on: its journal with the files beside it, or an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import CalibrationError, NoLensError
from referee.archive.measures import measures_folder
from referee.archive.packed import PackedGame, is_packed
from referee.storage.aside import folder_aside
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import JournalEntry, read_journal

PictureOf = Callable[[str], bytes | None]
"""The picture with a content id; ``None`` where it is no longer kept."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A recorded game. table: a folder with the table's measures and lenses, ``None`` where they are not known."""

    name: str
    entries: Sequence[JournalEntry]
    picture: PictureOf
    table: Path | None


@contextmanager
def opened_game(path: Path, table: Path | None = None) -> Iterator[GameFile]:
    """Open a game's journal or export. table: replaces the measures that lie with it.

    Raises JournalError for what can't be read, CalibrationError for measures that can't be used,
    OSError where there is no room for an export's measures.
    """
    if not is_packed(path):
        kept = measures_folder(path)
        known = table or (kept if (kept / "table.json").is_file() else None)
        store = EvidenceStore(pictures_folder(path))
        yield GameFile(path.stem, read_journal(path), store.picture, known)
        return
    with PackedGame(path) as packed, folder_aside("referee-report-") as folder:
        entries, files = packed.entries(), packed.table()
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        known = table or (folder if "table.json" in files else None)
        try:
            yield GameFile(path.stem, entries, packed.picture, known)
        except CalibrationError as error:  # its advice is for a folder that stays
            if isinstance(error, NoLensError) and table is None:
                raise CalibrationError("it holds no lens: its pictures can't be read again") from error
            raise CalibrationError(str(error).replace(f"{folder}/", "")) from error


def media_of(content: bytes) -> str:
    """Return the media type of a picture."""
    return "image/png" if content.startswith(b"\x89PNG") else "image/jpeg"
