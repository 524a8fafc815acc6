"""``referee journal``: check a game's journal, make or check checkpoints of it, pack it, clear old pictures away."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from cryptography.x509 import Certificate

from referee.archive.export import pictures_named
from referee.archive.measures import (
    BROUGHT,
    LARGEST_NOTE,
    brought_checkpoint,
    measures_folder,
    timestamps_file,
    witnesses_file,
)
from referee.archive.packed import PackedGame, is_packed
from referee.archive.stamps import StampsError, certificates, told_stamps
from referee.archive.zipreader import fit
from referee.cli.failures import repair_of
from referee.cli.journal_keeping import JOURNAL, export, keep, prune
from referee.cli.jsonlines import FAULTY
from referee.cli.plurals import counted
from referee.storage.checkpoint import (
    Checkpoint,
    CheckpointError,
    Signer,
    contradiction,
    fingerprint,
    typed_fingerprint,
)
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import ChainError, JournalEntry, JournalError, read_journal
from referee.storage.signednote import NoteError, WitnessNote, kept_text
from referee.storage.timestamps import Timestamped, read_timestamps
from referee.storage.witnesses import (
    Witnessed,
    disagreement,
    read_start,
    read_witnessed,
    spans,
    tree_of,
    witnesses_of,
)

PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif"}
SCALES = (1.0, 0.5, 2.0)
"""Sizes in which a photographed code is looked for."""
LARGE_PX = 2000
"""A picture of so many pixels a side is not made larger."""
_MADE_UP = (
    "; or the note is made up: another table key signed it than the checkpoint, and the key that the players noted "
    "decides (--key)"
)
_Authority = Sequence[Certificate] | None
_KEPT = click.Path(allow_dash=True, dir_okay=False, exists=True, path_type=Path)


def _as_fingerprint(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    try:
        return None if given is None else typed_fingerprint(given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _as_certificates(context: click.Context, option: click.Parameter, given: Path | None) -> _Authority:
    try:
        return None if given is None else certificates(given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.group(name="journal")
def command() -> None:
    """Check, pack and look after games' journals.

    JOURNAL is a file, or the name by which 'referee games' lists the game.
    """


for _more in (export, keep, prune):
    command.add_command(_more)


@command.command()
@JOURNAL
@click.option(
    "--checkpoint",
    "notes",
    multiple=True,
    metavar="FILE",
    type=_KEPT,
    help="A checkpoint that somebody kept: its text, or a picture of its QR code; - for standard input. Repeatable.",
)
@click.option(
    "--note",
    "kept",
    multiple=True,
    metavar="FILE",
    type=_KEPT,
    help="A note that a device kept which witnessed the game; - for standard input. Repeatable.",
)
@click.option(
    "--key",
    metavar="FINGERPRINT",
    callback=_as_fingerprint,
    help="The table's key as players noted it: 32 digits, in any grouping.",
)
@click.option(
    "--authority",
    metavar="CA.pem",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    callback=_as_certificates,
    help="Certificates of the authority that gave timestamps, to check its signatures.",
)
def verify(
    path: Path, notes: tuple[Path, ...], kept: tuple[Path, ...], key: str | None, authority: _Authority
) -> None:
    """Verify that no event or picture of JOURNAL was changed, none left out and, with checkpoints, none cut off.

    JOURNAL may be the ZIP of an export, too. It says which devices witnessed which rulings.

    Exit status: 0 it is all right, 1 it is not, 2 it could not be checked.
    """
    try:
        if is_packed(path):
            with PackedGame(path) as packed:
                _verify_packed(packed, notes, kept, key, authority)
        else:
            # Before the events: who signs while this reads must not know more events than were read.
            witnessed, stamps = read_witnessed(witnesses_file(path)), read_timestamps(timestamps_file(path))
            entries = read_journal(path)
            _tell_chain(path, entries)
            _check_pictures(path, pictures_named(entries))
            note = brought_checkpoint(path)
            brought = [(str(measures_folder(path) / BROUGHT), note)] if note is not None else []
            known = [*brought, *((str(note), _load(note)) for note in notes)]
            _check_notes(entries, known, key)
            tables = {checkpoint.key for _, checkpoint in known}
            _tell_stamps(stamps, entries, authority)
            _check_witnesses(entries, witnessed, kept, key, tables)
    except ChainError as error:
        _wrong(f"{error}{repair_of(path, error)}")
    except (CheckpointError, NoteError, JournalError, OSError) as error:
        click.echo(f"referee journal: {error}{repair_of(path, error)}", err=True)
        raise SystemExit(FAULTY) from None


@command.command(name="checkpoint")
@JOURNAL
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The table's key; without it checkpoint.key beside the journal, made if need be.",
)
def make(path: Path, key_file: Path | None) -> None:
    """Print a signed checkpoint of JOURNAL as it stands, for players to take away.

    Exit status: 0 made, 1 the journal's chain is broken, 2 it could not be made.
    """
    try:
        entries = read_journal(path)
        signer = Signer.open(key_file or path.with_name("checkpoint.key"))
        newest = entries[-1] if entries else None
        made = signer.sign(newest.number, newest.at, newest.hash) if newest else signer.empty()
        click.echo(made.text)
        click.echo(f"The key's fingerprint is {fingerprint(signer.public)}.", err=True)
    except ChainError as error:
        _wrong(str(error))
    except (CheckpointError, JournalError) as error:
        click.echo(f"referee journal: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _verify_packed(
    packed: PackedGame, notes: tuple[Path, ...], kept: tuple[Path, ...], key: str | None, authority: _Authority
) -> None:
    """Verify an export. Raises SystemExit where it is not as it was."""
    problems = packed.problems()
    for problem in problems:
        click.echo(f"{packed.path}: {problem}")
    entries = packed.entries()
    named = pictures_named(entries)
    cut = [*packed.tail_problems(entries), *packed.stray_pictures(named), *packed.garbled()]
    for problem in cut:
        click.echo(f"{packed.path}: {problem}")
    _tell_chain(packed.path, entries, bool(problems or cut))
    _check_packed(packed, named)
    brought = packed.checkpoint()
    own = [(f"{packed.path}/checkpoint.txt", Checkpoint.parse(brought))] if brought is not None else []
    known = [*own, *((str(note), _load(note)) for note in notes)]
    _check_notes(entries, known, key)
    if not packed.sealed:
        click.echo("there is no seal: it was packed again, by another program")
    if not known and not kept:
        click.echo("no signed checkpoint is at hand: a game rewritten as a whole would look like this one")
    _tell_stamps(packed.timestamped(), entries, authority)
    _check_witnesses(entries, packed.witnessed(), kept, key, {checkpoint.key for _, checkpoint in known})
    if problems or cut:
        raise SystemExit(1)


def _tell_chain(path: Path, entries: list[JournalEntry], amiss: bool = False) -> None:
    """Say how far the chain goes. amiss: something else is wrong, so that it proves little."""
    if not entries:
        _wrong(f"{path}: there is no event in it: it is empty, or was emptied")
    whole = "the chain holds" if not amiss else "the chain of those that are there holds"
    click.echo(f"{path}: {counted(len(entries), 'event')}, {whole}; head {entries[-1].hash}")


def _check_notes(entries: list[JournalEntry], notes: list[tuple[str, Checkpoint]], key: str | None) -> None:
    """Hold the events against checkpoints, each with what it is called."""
    for note, checkpoint in notes:
        print_ = fingerprint(checkpoint.key)
        if key is not None and key != print_:
            _wrong(f"{note}: signed with another key than {key}: {print_}")
        if problem := contradiction(checkpoint, entries):
            _wrong(f"{note}: {problem}")
        click.echo(f"{note}: the journal begins with the {counted(checkpoint.events, 'event')} of {checkpoint.at}")
        if key is None:
            click.echo(f"  signed with the key {print_}: compare it with the one the table shows")


def _tell_stamps(stamps: Sequence[Timestamped], entries: list[JournalEntry], authority: _Authority) -> None:
    """Say what time timestamps prove. authority: its certificates, to check what it signed."""
    try:
        for line in told_stamps(stamps, entries, authority):
            click.echo(line)
    except StampsError as error:
        _wrong(str(error))


def _check_witnesses(
    entries: list[JournalEntry],
    there: list[Witnessed],
    kept: tuple[Path, ...],
    key: str | None,
    tables: set[bytes],
) -> None:
    """Hold the events against the notes of devices, those that lie there and those that were kept elsewhere.

    tables: keys of tables that signed checkpoints of them.
    """
    try:
        witnesses = witnesses_of(there, entries)
    except NoteError as error:
        _wrong(str(error))
    rulings = sum(entry.kind == "ruling" for entry in entries)
    for one in witnesses:
        seen = f"rulings {spans(one.rulings)} of {rulings}" if one.rulings else "no ruling"
        names = fit(" and ".join(one.names))
        click.echo(f"{names} witnessed {seen}; its newest signature covers {one.events} of {len(entries)} events")
        click.echo(f"  signed with the key {fingerprint(one.key)}")
    names_of = {one.key: fit(" and ".join(one.names)) for one in witnesses}
    tree = tree_of(entries)
    for path in kept:
        note = _load_kept(path)
        if key is not None and key != fingerprint(note.head.key):
            _wrong(f"{path}: signed with another key than {key}: {fingerprint(note.head.key)}")
        if problem := disagreement(note, entries, tree):
            _wrong(f"{path}: {problem}{_MADE_UP if tables and note.head.key not in tables else ''}")
        if not note.cosignatures:
            _wrong(f"{path}: no device has signed it: whoever has the table's key could make it up")
        for signed in note.cosignatures:
            who = names_of.get(signed.key, "a device that is not named here")
            click.echo(f"{path}: the game begins with the {counted(note.head.events, 'event')} that {who} signed")
    if not witnesses and not kept:
        click.echo(
            "no device witnessed this game, as far as is known here: whoever has the table's key could have written "
            "it anew as a whole"
        )
    elif not kept:
        click.echo(
            "whether these keys are those of the players' devices can't be known here: a note kept on one of them "
            "decides it (--note)"
        )


def _check_pictures(path: Path, named: list[str]) -> None:
    store = EvidenceStore(pictures_folder(path))
    kept = [content for content in named if store.has(content)]
    for content in kept:
        if store.picture(content) is None:
            _wrong(f"{path}: the picture {content} was changed after it was kept")
    if named:
        click.echo(f"  {counted(len(named), 'picture')} named, {len(kept)} kept and as they were")


def _check_packed(packed: PackedGame, named: list[str]) -> None:
    kept = dict(packed.pictures())
    for content, as_it_was in kept.items():
        if not as_it_was:
            _wrong(f"{packed.path}: the picture {fit(content)} was changed after it was kept")
    if named:
        found = sum(content in kept for content in named)
        click.echo(f"  {counted(len(named), 'picture')} named, {found} kept and as they were")


def _load(note: Path) -> Checkpoint:
    text = _scan(note) if note.suffix.lower() in PICTURES else _text(note)
    try:
        return Checkpoint.parse(text)
    except CheckpointError as error:
        raise CheckpointError(f"{note}: {error}") from error


def _load_kept(path: Path) -> WitnessNote:
    try:
        return WitnessNote.parse(_text(path))
    except NoteError as error:
        raise NoteError(f"{path}: {error}") from error


def _text(path: Path) -> str:
    return kept_text(sys.stdin.buffer.read(LARGEST_NOTE) if str(path) == "-" else read_start(path, LARGEST_NOTE))


def _scan(note: Path) -> str:
    import cv2  # only here: checking text needs no OpenCV

    from calibration.picturefile import PictureError, decode_picture

    try:
        picture = decode_picture(note.read_bytes())
    except PictureError as error:
        raise CheckpointError(f"{note}: can't be read as a picture: {error}") from None
    # Each way of looking misses some codes that another one reads: in one of twenty the first does.
    for scale in SCALES if max(picture.shape) < LARGE_PX else SCALES[:2]:
        seen = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale != 1 else picture
        for reader in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
            text = reader.detectAndDecode(seen)[0]
            if text:
                return str(text)
    raise CheckpointError(f"{note}: no QR code can be read in this picture: give the checkpoint's text instead")


def _wrong(words: str) -> None:
    click.echo(words)
    raise SystemExit(1)
