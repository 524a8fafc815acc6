"""Pack what an evening teaches into one ZIP: exports of its games without names, and a page that shows all of it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.addons.trackrecord.casekeeper import cases_folder
from referee.addons.trackrecord.cases import labelled_looks
from referee.addons.trackrecord.counting import GameCount, TrackRecord, added_up
from referee.addons.trackrecord.fates import fates
from referee.addons.trackrecord.nameless import Written, table_code, write_nameless
from referee.archive.export import export, game_of, state_of
from referee.archive.measures import measures_folder
from referee.archive.packed import is_packed
from referee.archive.zipreader import ZipReader
from referee.match.events import AnyGame
from referee.match.state import TableState
from referee.report.blocks import Block, Figure, Figures, Heading, Inline, Items, Para, Report
from referee.report.drawing import figure_of
from referee.report.framing import style
from referee.report.gamefile import PictureOf, media_of
from referee.report.html import html_of
from referee.storage.aside import file_aside, folder_aside
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import read_journal
from referee.values.words import say

PAGE = "what-is-in-it.html"
MOST_BYTES = 2**30
"""Bytes of a game in an evening."""
PACKED = say(
    "Packed are the turns, these pictures of the board and what truly stood there: "
    "no names, no places, no times of day."
)
LOOK = say("Look at every picture. If one shows anything but the board, don’t send the evening.")
_GAME = re.compile(r"game-[0-9]{1,3}\.zip")


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening that is ready to be packed. games: its exports without names; page: what is in them."""

    games: tuple[Path, ...]
    page: str
    records: tuple[TrackRecord, ...]
    pictures: int

    def pack(self, out: Path) -> None:
        """Write the ZIP, whole or not at all. Raises OSError."""
        with file_aside(out) as file, zipfile.ZipFile(file, "w") as pack:
            pack.writestr(PAGE, self.page, zipfile.ZIP_DEFLATED)
            for path in self.games:
                pack.write(path, path.name)


@contextmanager
def evening_of(journals: Sequence[Path], language: str = "en") -> Iterator[Evening]:
    """Make an evening of games' journals. Raises JournalError, OSError."""
    with folder_aside("referee-evening-") as folder:
        blocks: list[Block] = []
        counts, pictures, styles = [], 0, ("", "")
        for number, journal in enumerate(journals, 1):
            made = folder / f"game-{number}.journal"
            written = _without_names(journal, made)
            entries = read_journal(made)
            game, state = game_of(entries), state_of(entries)
            measures = measures_folder(journal)
            export(made, made.with_suffix(".zip"), measures if measures.is_dir() else None)
            counts.append(GameCount.of(state))
            styles = style(game.kit)
            pictures += written.pictures
            blocks.append(Heading(2, (say("Game {n}", n=number), ": ", game.title)))
            blocks += _looks(game, state, EvidenceStore(pictures_folder(made)).picture)
            if written.left_out:
                words = say(
                    "Pictures left out, as they show more than the board or are no longer kept: {n}.",
                    n=written.left_out,
                )
                blocks.append(Para((words,), "soft"))
        records = added_up(counts)
        title = say("What is in this evening")
        lines: tuple[Inline, ...] = tuple((line,) for one in records for line in one.lines)
        top: tuple[Block, ...] = (
            Heading(1, (title,)),
            Para((PACKED,)),
            Para((LOOK,), "fate"),
            Items(lines),
        )  # fmt: skip
        page = html_of(Report(title, (*top, *blocks), styles), language)
        yield Evening(tuple(folder / f"game-{n}.zip" for n in range(1, len(journals) + 1)), page, records, pictures)


def _without_names(journal: Path, made: Path) -> Written:
    kept, cases = EvidenceStore(pictures_folder(journal)), EvidenceStore(cases_folder(journal))
    return write_nameless(
        read_journal(journal),
        made,
        table_code(measures_folder(journal)),
        lambda content: kept.picture(content) or cases.picture(content),
    )


def _looks(game: AnyGame, state: TableState, picture: PictureOf) -> Iterator[Block]:
    """Yield each look that was ruled on: its pictures, and what stood there as far as that is known."""
    truths = {look.entry: look.truth for look in labelled_looks(state)}
    for entry, _ in fates(state):
        shown = [] if entry.reading is None else list(entry.reading.pictures)
        found = [(camera, kept) for camera, content in shown if (kept := picture(content)) is not None]
        figures = [Figure((camera,), picture=(media_of(kept), kept)) for camera, kept in found]
        if entry.id in truths:
            figures.append(figure_of(truths[entry.id], entry.before.observed, game.kit, {}, say("What stood there")))
        if figures:
            yield Heading(3, (say("Turn {n}", n=entry.turn),))
            yield Figures(tuple(figures))


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[Path, ...]]:
    """Give the games' exports of an evening; of any other file the file itself. Raises JournalError, OSError."""
    if not is_packed(path):
        yield (path,)
        return
    with ZipReader(path, "it is cut off: copy it again") as pack, folder_aside("referee-evening-") as folder:
        if PAGE not in pack:
            yield (path,)
            return
        games = sorted(name for name in pack.names if _GAME.fullmatch(name))
        for name in games:
            with (folder / name).open("wb") as file:
                file.writelines(pack.chunks(name, MOST_BYTES))
        yield tuple(folder / name for name in games)
