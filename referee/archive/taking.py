"""Take an export in: a game as it was played, every event with its time and hash, its pictures and measures.

Nothing is taken that is not as its hash says, and each thing that can't be taken is told. Events that contradict the
manifest or the checkpoint are refused: nobody can tell then which game was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.metadata import says_more
from referee.archive.export import pictures_named, state_of
from referee.archive.measures import TIMESTAMPS, WITNESSES, keep_measures
from referee.archive.packed import CHECKPOINT, MOST_PROBLEMS, PICTURES, TABLE, Manifest, PackedGame
from referee.archive.zipreader import fit
from referee.storage.checkpoint import Checkpoint, CheckpointError, contradiction
from referee.storage.evidence import SPARE_BYTES, EvidenceStore, pictures_folder
from referee.storage.journal import JournalEntry, JournalError, write_rows
from referee.storage.signednote import NoteError, WitnessNote
from referee.storage.witnesses import disagreement, tree_of
from referee.values.words import Words, say, say_n, verbatim


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What was taken of an export.

    taken: what there is of it, line by line. lacking: what could not be taken. notes: what else is good to know.
    """

    taken: tuple[Words, ...]
    lacking: tuple[Words, ...]
    notes: tuple[Words, ...]


def take_in(packed: PackedGame, journal: Path, spare_bytes: int = SPARE_BYTES) -> TakenIn:
    """Lay an export out as a journal and what lies beside it.

    spare_bytes: what must stay free on the disk. Raises JournalError where no event holds,
    events contradict manifest or checkpoint, or the disk does not take it all.
    """
    rows, entries, broken = packed.readable()
    manifest = packed.manifest()
    later = _added(packed, manifest, entries)
    rows, entries = rows[: len(entries) - later], entries[: len(entries) - later]
    if all(entry.kind != "game_started" for entry in entries):
        raise JournalError(f"{packed.path}: no game has begun in it: there is no event game_started")
    beside: dict[str, bytes] = {}
    lacking = [
        *_events_lacking(manifest, entries, broken, later),
        *(verbatim(one) for one in packed.problems() if not one.startswith((f"{PICTURES}/", f"{TABLE}/"))),
        *_checkpoint(packed, entries, beside),
        *_witnesses(packed, entries, beside),
        *_timestamps(packed, entries, beside),
        *_measures(packed, manifest, beside),
    ]
    measures = len(beside) - len({CHECKPOINT, WITNESSES, TIMESTAMPS} & set(beside))
    write_rows(journal, rows)
    store = EvidenceStore(pictures_folder(journal), spare_bytes)
    kept, without, notes = _pictures(packed, manifest, entries, store)
    keep_measures(journal, beside, must=True)
    taken = [
        say_n("{n} event with its time", "{n} events with their times", len(entries)),
        say_n("{n} picture", "{n} pictures", kept),
        say_n("{n} file of the table’s measures", "{n} files of the table’s measures", measures),
    ]
    disputes = sum(entry.kind == "disputed" for entry in entries)
    told = sum(entry.kind == "field_told" for entry in entries)
    taken += [say_n("{n} dispute", "{n} disputes", disputes)] if disputes else []
    taken += [say_n("{n} word of a witness", "{n} words of witnesses", told)] if told else []
    taken += [say("the checkpoint that the table signed")] if CHECKPOINT in beside else []
    taken += [say("the notes that players’ devices signed")] if WITNESSES in beside else []
    taken += [say("the timestamps of an authority")] if TIMESTAMPS in beside else []
    return TakenIn(tuple(taken), _shortened([*lacking, *without]), (*notes, *_playable(entries)))


def _shortened(lacking: Sequence[Words]) -> tuple[Words, ...]:
    """Return what a person reads of a list that whoever made the export may have made endless."""
    more = len(lacking) - MOST_PROBLEMS
    return (*lacking[:MOST_PROBLEMS], say_n("{n} thing more", "{n} things more", more)) if more > 0 else (*lacking,)


def _added(packed: PackedGame, manifest: Manifest | None, entries: Sequence[JournalEntry]) -> int:
    """Return how many events were added after it was packed. Raises JournalError where others were rewritten."""
    if manifest is None or not 0 < manifest.events <= len(entries):
        return 0
    if entries[manifest.events - 1].hash != manifest.head:
        raise JournalError(
            f"{packed.path}: event {manifest.events}, or one before it, was rewritten after the game was packed: "
            "ask for another copy ('referee journal verify' says more)"
        )
    return len(entries) - manifest.events


def _events_lacking(
    manifest: Manifest | None, entries: Sequence[JournalEntry], broken: str, later: int
) -> Iterator[Words]:
    there, known = len(entries), manifest.events if manifest is not None else 0
    if broken:
        yield say("events from {first} on: {why}", first=there + 1, why=fit(broken))
    elif there < known:
        yield say("events {first} to {last}: they were cut off", first=there + 1, last=known)
    if later:
        yield say_n("{n} event that was added later", "{n} events that were added later", later)


def _checkpoint(packed: PackedGame, entries: Sequence[JournalEntry], beside: dict[str, bytes]) -> Iterator[Words]:
    """Add the signed checkpoint to what lies beside the game. Raises JournalError where it knows other events."""
    try:
        note = packed.checkpoint()
        if note is None:
            return
        checkpoint = Checkpoint.parse(note)
    except (CheckpointError, JournalError) as error:
        yield say("{what}: {why}", what=CHECKPOINT, why=fit(str(error)))
        return
    problem = contradiction(checkpoint, entries)
    if problem and checkpoint.events <= len(entries):
        raise JournalError(f"{packed.path}: {problem}: ask for another copy ('referee journal verify' says more)")
    if problem:
        yield say("{what}: {why}", what=CHECKPOINT, why=problem)
    beside[CHECKPOINT] = (checkpoint.text + "\n").encode()  # one that knows more events proves what is lacking


def _witnesses(packed: PackedGame, entries: Sequence[JournalEntry], beside: dict[str, bytes]) -> Iterator[Words]:
    """Add the notes of devices to what lies beside the game.

    Raises JournalError where one knows other events, which is not so where events were only cut off.
    """
    tree, kept = tree_of(entries), []
    try:
        found = packed.witnessed()
    except JournalError as error:
        yield say("{what}: {why}", what=WITNESSES, why=fit(str(error)))
        return
    for one in found:
        try:
            note = WitnessNote.parse(one.note)
        except NoteError as error:
            yield say("{what}: {why}", what=WITNESSES, why=fit(str(error)))
            continue
        problem = disagreement(note, entries, tree)
        if problem and note.head.events <= len(entries):
            raise JournalError(f"{packed.path}: the note of {fit(one.device)}: {problem}: ask for another copy")
        kept.append(one.line)
    if kept:
        beside[WITNESSES] = "".join(kept).encode()


def _timestamps(packed: PackedGame, entries: Sequence[JournalEntry], beside: dict[str, bytes]) -> Iterator[Words]:
    """Add timestamps to what lies beside the game, those on checkpoints that its events don't contradict."""
    try:
        found = packed.timestamped()
    except JournalError as error:
        yield say("{what}: {why}", what=TIMESTAMPS, why=fit(str(error)))
        return
    kept = []
    for one in found:
        try:
            problem = contradiction(Checkpoint.parse(one.checkpoint), entries)
        except CheckpointError as error:
            problem = str(error)
        if problem:
            yield say("{what}: {why}", what=TIMESTAMPS, why=fit(problem))
        else:
            kept.append(one.line)
    if kept:
        beside[TIMESTAMPS] = "".join(kept).encode()


def _measures(packed: PackedGame, manifest: Manifest | None, beside: dict[str, bytes]) -> Iterator[Words]:
    """Add the table's files that are as they were to what lies beside the game."""
    names = packed.table_names()
    for name in names:
        try:
            content = packed.measures(name, manifest)
        except JournalError as error:  # larger than any is, or damaged so that it can't be unpacked
            yield say("{what}: {why}", what=f"{TABLE}/{name}", why=fit(str(error)))
            continue
        if content is not None:
            beside[name] = content
        else:
            yield say("{what}: it isn’t as it was packed", what=f"{TABLE}/{name}")
    there = {f"{TABLE}/{name}" for name in names}
    for full, _, _ in manifest.files if manifest is not None else ():
        if full.startswith(f"{TABLE}/") and full not in there:
            yield say("{what}: it was removed", what=fit(full))


def _pictures(
    packed: PackedGame, manifest: Manifest | None, entries: Sequence[JournalEntry], store: EvidenceStore
) -> tuple[int, list[Words], list[Words]]:
    """Bring pictures to the disk; return how many, which could not be taken, and which were already gone."""
    named: dict[str, int] = {}
    for entry in entries:
        for content in pictures_named([entry]):
            named.setdefault(content, entry.number)
    promised = {Path(name).stem for name, _, _ in manifest.files} if manifest is not None else set()
    kept, gone, lacking = 0, 0, []
    for content, number in named.items():
        picture = _picture(packed, content)
        if picture is not None and says_more(picture):
            lacking.append(
                say(
                    "{name}, which event {n} names: its file may say where or by whom it was taken",
                    name=_shown(content),
                    n=number,
                )
            )
        elif picture is not None:
            if not store.keep({content: picture}):
                raise JournalError(f"{store.folder}: {(store.state.words or say('The disk is full.')).text()}")
            kept += 1
        elif content in packed.picture_names:
            lacking.append(say("{name}, which event {n} names: it was changed", name=_shown(content), n=number))
        elif content in promised:
            lacking.append(say("{name}, which event {n} names: it was removed", name=_shown(content), n=number))
        else:
            gone += 1
    unnamed = len(packed.picture_names - named.keys())
    if unnamed:
        lacking.append(say_n("{n} picture that no event names", "{n} pictures that no event names", unnamed))
    old = say_n(
        "{n} picture was no longer kept when the game was packed.",
        "{n} pictures were no longer kept when the game was packed.",
        gone,
    )
    return kept, lacking, [old] if gone else []


def _shown(content: str) -> str:
    return fit(f"{PICTURES}/{content}")


def _picture(packed: PackedGame, content: str) -> bytes | None:
    try:
        return packed.picture(content)
    except JournalError:  # damaged so that it can't be unpacked
        return None


def _playable(entries: Sequence[JournalEntry]) -> Iterator[Words]:
    """Say of a game that this installation can't play it again, and why."""
    try:
        state_of(entries)
    except JournalError as error:
        yield say("It is in, but can’t be played again here: {why}", why=fit(str(error)))
