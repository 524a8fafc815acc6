"""``referee replay``: play recorded games again and name the first bad turn of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from referee.archive.export import record_of
from referee.archive.packed import PackedGame, is_packed
from referee.cli.failures import about
from referee.cli.language import LANGUAGE
from referee.games import records_named
from referee.games.contract import Position, RequestError, Ruling
from referee.games.record import MOST_CHARACTERS, Record, RecordEntry, RecordError, parse_record
from referee.storage.journal import JournalError
from referee.values.words import Words, say, say_n

LEGAL, BAD, UNREADABLE = 0, 1, 2


def replay(record: Record) -> tuple[list[Words], int]:
    """Play a record and return what to say of it, line by line, and the exit status it asks for.

    A turn that the record calls illegal and whose number the next turn has again was taken back: it must be illegal,
    and the game goes on from the position before it. Raises RecordError for what can't be played at all.
    """
    try:
        rules = records_named(record.headers.get("game"))
    except RequestError as error:
        raise RecordError(f"header game: {error}") from error
    position = rules.start(record)
    first, stood = position.turn, 0
    for entry, taken_back in with_fate(record):
        if entry.number != first + stood:
            raise RecordError(
                f"turn {entry.number} stands where turn {first + stood} must: number the turns in order", entry.line
            )
        ruling = rules.play(position, entry)
        bad = _verdict(entry, ruling, taken_back)
        if bad:
            return bad, BAD
        if ruling.next is not None and not taken_back:
            position = ruling.next
            stood += 1
    return [_summary(stood, position, record)], LEGAL


def with_fate(record: Record) -> Iterator[tuple[RecordEntry, bool]]:
    """Yield the turns and whether each was taken back."""
    followers: tuple[RecordEntry | None, ...] = (*record.turns[1:], None)
    for entry, after in zip(record.turns, followers, strict=False):
        yield entry, entry.ruled_illegal and after is not None and after.number == entry.number


def _verdict(entry: RecordEntry, ruling: Ruling, taken_back: bool) -> list[Words]:
    """Return what is wrong with a turn; nothing when the record may go on."""
    if taken_back:
        legal = say("the record calls it illegal, but it is legal")
        return [_of_turn(entry, legal)] if ruling.legal else []
    found = []
    for violation in ruling.violations:
        rule = " ".join([violation.rule, *(field.name for field in violation.fields)])
        found.append(_of_turn(entry, say("{rule}: {sentence}", rule=rule, sentence=violation.words)))
    return found


def _of_turn(entry: RecordEntry, told: Words) -> Words:
    return say(
        "line {line}: turn {turn} ({player}): {told}",
        line=entry.line,
        turn=entry.number,
        player=entry.player,
        told=told,
    )


def _summary(stood: int, position: Position, record: Record) -> Words:
    if not position.winners:
        end = say("nobody has won")
    elif position.finished:
        end = say("won by {who}", who=position.winners)
    else:
        end = say("won by {who}, the round goes on", who=position.winners)
    if "result" not in record.headers:
        return say_n("{n} turn, all legal; {end}", "{n} turns, all legal; {end}", stood, end=end)
    return say_n(
        "{n} turn, all legal; {end} (the record’s result: “{result}”)",
        "{n} turns, all legal; {end} (the record’s result: “{result}”)",
        stood,
        end=end,
        result=record.headers["result"],
    )


def load(path: Path) -> Record:
    """Read a record from a file, or from the ZIP of an exported game. Raises RecordError, saying what to do."""
    if is_packed(path):
        return _packed(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(4 * MOST_CHARACTERS + 1)
        return parse_record(data.decode("utf-8"))
    except OSError as error:
        raise RecordError(f"the file can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError("this is not UTF-8 text: save the record as UTF-8", line) from error


def _packed(path: Path) -> Record:
    try:
        with PackedGame(path) as packed:
            data = packed.record()
            return record_of(packed.entries()) if data is None else parse_record(data.decode("utf-8"))
    except (JournalError, UnicodeDecodeError) as error:
        raise RecordError(str(error)) from error


@click.command(name="replay")
@click.argument("files", nargs=-1, required=True, metavar="RECORD ...", type=click.Path(path_type=Path))
@LANGUAGE
@click.pass_context
def command(context: click.Context, files: tuple[Path, ...], language: str) -> None:
    """Play recorded games again, act by act, and name the first bad turn of each RECORD (or ZIP of an export).

    Exit status: 0 all turns legal, 1 a bad turn, 2 a record that can't be read.
    """
    worst = LEGAL
    for path in files:
        try:
            lines, status = replay(load(path))
        except RecordError as error:
            click.echo(f"referee replay: {about(path, error)}", err=True)
            status, lines = UNREADABLE, []
        for line in lines:
            click.echo(f"{path}: {line.text(language)}")
        worst = max(worst, status)
    context.exit(worst)
