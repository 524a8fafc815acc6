"""``referee import``: an export, a typed record, or a folder of photographs becomes a game on the shelf."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from calibration.errors import CalibrationError
from calibration.framelens import FrameLens
from calibration.table import load_table, read_table
from referee.archive.measures import keep_measures
from referee.archive.packed import PackedGame, is_packed
from referee.archive.restore import game_aside
from referee.archive.taking import take_in
from referee.cli.failures import about
from referee.cli.gamebook import asked_for, usual_start
from referee.cli.games import fail
from referee.cli.language import LANGUAGE
from referee.cli.replay import load, with_fate
from referee.daemon.gamejournal import GameJournal, start_journal
from referee.daemon.imported import PhotoImport, RecordImport, Taken
from referee.daemon.photographs import (
    TOGETHER_S,
    PhotoLook,
    PhotoTable,
    found_photographs,
    gathered,
    load_photograph,
    measures,
    skipped_files,
    solved_table,
)
from referee.games import game_named, records_named
from referee.games.contract import RequestError
from referee.games.record import Record, RecordError
from referee.match.events import AnyGame, GameStarted
from referee.service.settings import SettingsError, load_settings
from referee.session.readers import reader_at
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, JournalError
from referee.values.signs import in_line
from referee.values.ticks import Ticks
from referee.values.words import Words, say, say_n

KNOWN = (CalibrationError, JournalError, RecordError, RequestError, SettingsError)
BY = "import"
ASIDE = ".importing-"
"""Beginning of the name of the folder in which a game is laid out."""
_TELL = re.compile(r"(?P<picture>.+):(?P<field>[A-Za-z][0-9]{1,2})=(?P<stands>[0-9A-Z][a-z]?)")


@click.command(name="import")
@click.argument("source", metavar="GAME.zip|RECORD.txt|FOLDER", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--table",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="With a folder: the table folder, for the sizes of board and frame; no calibration is needed.",
)
@click.option(
    "--game",
    "game_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With a folder: JSON file with the position of the first picture, or with edition and seats.",
)
@click.option(
    "--together",
    "together_s",
    type=click.FloatRange(0, 600),
    default=TOGETHER_S,
    show_default=True,
    help="With a folder: pictures taken within so many seconds of each other show the same board.",
)
@click.option(
    "--tell", multiple=True, metavar="PICTURE:FIELD=STANDS", help="What stands on a field in a picture, as G7=2r."
)
@click.option(
    "--accept", multiple=True, metavar="PICTURE", help="The players let the turn before this picture stand."
)
@click.option("--again", is_flag=True, help="Replace what an earlier import of the same source gave.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Instead of the data folder.")
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    source: Path,
    table: Path | None,
    game_file: Path | None,
    together_s: float,
    tell: tuple[str, ...],
    accept: tuple[str, ...],
    again: bool,
    data: Path | None,
    language: str,
) -> None:
    """Put a game on the shelf: an export, a record that people typed, or photographs with the frame in view.

    An export comes in whole: events, times, pictures, disputes, each checked by its hash. Of photographs, which need
    no calibration, the first shows the set-up (or the position of --game), each later one the end of a turn.

    Exit status: 0 all of it is in, 1 some of it is not, and it is said what and why, 2 nothing could be imported.
    """

    def tell_people(words: Words) -> None:
        click.echo(words.text(language))

    try:
        folder = data or load_settings().settings.data_folder
        if is_packed(source) and (status := _import_export(source, folder, again, tell_people)) is not None:
            context.exit(status)
        if not source.is_dir():
            context.exit(_import_record(source, folder, again, tell_people))
        if table is None:
            raise click.UsageError("Photographs need --table, for the sizes of board and frame.")
        looks = gathered(found_photographs(source), together_s)
        for name in skipped_files(source):
            tell_people(say("{file} is no picture that can be read: it was left out.", file=in_line(name)))
        photos = solved_table(looks, load_table(table))
        for name, lens in photos.solved.items():
            tell_people(lens_words(name, lens))
        told = _said(tell, looks)
        _known(accept, looks)
        game = game_named(photos.setup.game)
        start = GameStarted(
            asked_for(game, game_file) if game_file is not None else usual_start(game),
            f"{source.resolve().name}, photographs",
        )
        kept = measures(read_table(table), photos)
        at = _Times(looks)
        stem = f"imported-{_plain(table)}-{_plain(source)}"
        with _fresh_game(folder, stem, start, at, kept, again) as session:
            eyes = reader_at(game, photos.setup, table, photos.lenses)
            importing = PhotoImport(game, session, eyes, BY, told, frozenset(accept))
            status = _import_photographs(importing, looks, photos, at, tell_people)
        tell_people(say("The game is in: “referee games show {name}”.", name=stem))
        context.exit(status)
    except KNOWN as error:
        fail(context, RecordError(about(source, error)) if isinstance(error, RecordError) else error)
    except OSError as error:
        fail(context, OSError(error.errno, f"{error.filename or folder}: {error.strerror}; nothing was imported"))


def lens_words(name: str, solved: FrameLens) -> Words:
    """Say how well a lens could be solved."""
    focal = float(solved.lens.matrix[0, 0])
    held = ", ".join(solved.held)
    return say_n(
        "{lens}: solved from {n} picture, {rms} px are left over; focal length {focal} ± {spread} px; not told by "
        "the pictures, so taken as usual: {held}",
        "{lens}: solved from {n} pictures, {rms} px are left over; focal length {focal} ± {spread} px; not told by "
        "the pictures, so taken as usual: {held}",
        len(solved.used),
        lens=name,
        rms=f"{solved.rms_px:.2f}",
        focal=f"{focal:.0f}",
        spread=f"{solved.deviations['focal']:.0f}",
        held=held or "–",
    )


class _Times:
    """The time of the picture that is being read, in place of a clock's; else the time of the import."""

    def __init__(self, looks: list[PhotoLook]) -> None:
        self._first = looks[0].at
        self.now: datetime | None = self._first

    def clock(self) -> datetime:
        return self.now or datetime.now(UTC)

    def ticks(self) -> Ticks:
        since = self.now - self._first if self.now is not None and self._first is not None else None
        return Ticks("photographs", max(0.0, since.total_seconds()) if since is not None else 0.0)


def _import_photographs(
    importing: PhotoImport, looks: list[PhotoLook], photos: PhotoTable, at: _Times, tell: Callable[[Words], None]
) -> int:
    for index, look in enumerate(looks):
        at.now = look.at
        pictures = {photos.names[one.name]: load_photograph(one) for one in look.photographs}
        taken = importing.take(look.name, pictures)
        tell(say("{picture}: {told}", picture=look.name, told=taken.words))
        if taken.ended:
            left = len(looks) - index
            tell(say_n("{n} look is not in the game.", "{n} looks are not in the game.", left))
            return 1
    return 0


_ONLY_A_RECORD = say("There are no events in it: only its record can be taken, without times, pictures and disputes.")


def _import_export(path: Path, folder: Path, again: bool, tell: Callable[[Words], None]) -> int | None:
    """Take a whole game in; ``None`` for a ZIP without events, which has a record at most."""
    stem = f"imported-{_plain(path)}"
    with PackedGame(path) as packed:
        if not packed.holds_events:
            if packed.record() is not None:
                tell(_ONLY_A_RECORD)
            return None
        with game_aside(_place(folder, stem), ASIDE, again) as journal:
            told = take_in(packed, journal)
    for words in told.taken:
        tell(words)
    for words in told.lacking:
        tell(say("Not taken: {what}", what=words))
    for words in told.notes:
        tell(words)
    tell(say("The game is in: “referee games show {name}”.", name=stem))
    return 1 if told.lacking else 0


def _import_record(path: Path, folder: Path, again: bool, tell: Callable[[Words], None]) -> int:
    record = load(path)
    try:
        rules = records_named(record.headers.get("game"))
        game: AnyGame = game_named(record.headers.get("game"))
    except RequestError as error:
        raise RecordError(f"header game: {error}") from error
    started = GameStarted(rules.start(record), f"{path.name}, typed", by=BY)
    stem = f"imported-{_plain(path)}"
    with _fresh_game(folder, stem, started, _Typed(record), {}, again) as session:
        status, taken = _take_record(RecordImport(game, session, BY), record)
        for one in taken:
            tell(one.words)
    tell(say("The game is in: “referee games show {name}”.", name=stem))
    return status


def _take_record(importing: RecordImport, record: Record) -> tuple[int, list[Taken]]:
    told = []
    turns = list(with_fate(record))
    for index, (entry, taken_back) in enumerate(turns):
        taken = importing.take(entry, taken_back)
        if taken.ended:
            left = len(turns) - index - 1
            told.append(taken)
            if left:
                rest = say_n("{n} later turn is not in the game.", "{n} later turns are not in the game.", left)
                told.append(Taken(rest))
            return 1, told
    importing.finish(record)
    return 0, [Taken(say_n("{n} turn", "{n} turns", len(turns)))]


class _Typed:
    """The day a record says it was played, in place of a clock's time; else the time of the import."""

    def __init__(self, record: Record) -> None:
        try:
            day = datetime.fromisoformat(record.headers.get("date", "").replace(".", "-"))
        except ValueError:
            self._day = None
        else:
            self._day = day.replace(tzinfo=UTC) if day.tzinfo is None else day

    def clock(self) -> datetime:
        return self._day or datetime.now(UTC)

    def ticks(self) -> Ticks:
        return Ticks("typed", 0.0)


@contextmanager
def _fresh_game(
    folder: Path, stem: str, started: GameStarted, at: _Times | _Typed, kept: Mapping[str, bytes], again: bool
) -> Iterator[GameJournal]:
    """Yield a game laid out aside; it takes its place on the shelf, whole, when all of it is written.

    Raises JournalError where there is one of its name, unless it is to be replaced.
    """
    with game_aside(_place(folder, stem), ASIDE, again) as path, Journal(path, at.clock, at.ticks) as journal:
        keep_measures(path, kept)
        yield start_journal(journal, started, EvidenceStore(pictures_folder(path)))


def _place(folder: Path, stem: str) -> Path:
    return folder / "games" / f"{stem}.journal"


def _said(tell: tuple[str, ...], looks: list[PhotoLook]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for text in tell:
        match = _TELL.fullmatch(text)
        if match is None:
            raise RequestError("tell", f"--tell {text}: write PICTURE:FIELD=STANDS, such as IMG_12.jpg:G7=2r")
        _known((match["picture"],), looks)
        found[match["picture"]][match["field"].upper()] = match["stands"]
    return dict(found)


def _known(names: tuple[str, ...], looks: list[PhotoLook]) -> None:
    for name in names:
        if name not in {look.name for look in looks}:
            raise RequestError("picture", f"{name} is not the first picture of a look in the folder")


def _plain(path: Path) -> str:
    return re.sub(r"[^a-z0-9]+", "-", path.resolve().stem.lower()).strip("-") or "game"
