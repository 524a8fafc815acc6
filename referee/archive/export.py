"""Pack a whole game into one ZIP, to keep or to send in: events, record, pictures, the table's measures if wished.

Nothing in it needs this program: the events are lines of JSON with their hashes, the record is text, the pictures
are what the cameras gave. A journal whose chain is broken, or that this version can't replay, is packed all the same,
with a word on what is wrong: those are the recordings worth sending in.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.boardpictures import board_files
from calibration.errors import CalibrationError
from calibration.metadata import says_more
from referee.archive.measures import TIMESTAMPS, WITNESSES, brought_checkpoint, timestamps_file, witnesses_file
from referee.archive.sealed import SealedZip
from referee.games import game_named, records_named
from referee.games.record import OPEN, Record, entry_of
from referee.games.record import RecordEntry as Line
from referee.match.events import AnyGame, Verdict, event_from_json
from referee.match.state import Entry as Judged
from referee.match.state import EntryStatus, TableState, What
from referee.match.transitions import TableError
from referee.match.transitions import replay as replayed
from referee.storage.aside import file_aside
from referee.storage.checkpoint import Checkpoint, CheckpointError, Signer
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import GENESIS, ChainError, JournalEntry, JournalError, read_journal
from referee.storage.timestamps import read_timestamps
from referee.storage.witnesses import read_witnessed
from referee.values.gameerror import GameError

VERIFIER = Path(__file__).with_name("verify.py")
"""The program with which a stranger verifies an export; every export contains it."""

README = """\
A game refereed at a real table. Made from {journal}.

journal.jsonl   what happened, one event a line: {{"event": ..., "hash": ...}}. The hash is the SHA-256 of the hash of
                the event before (64 zeros before the first) followed by the event as it stands in the line.
record.txt      the game as text; "referee replay record.txt" plays it again
pictures/       what the cameras gave, each named by the SHA-256 of its content, as the events name it
table/          the table's measures and lenses, unless they were left out
checkpoint.txt  how far the game had come, signed with the table's key, where the key was at hand
witnesses.jsonl what players' devices signed while the game was played, where any did
timestamps.jsonl  when an authority elsewhere saw the table's checkpoints, where one was asked; timestamp.txt and
                timestamp.tsr are the newest
manifest.json   all these files with size and SHA-256
verify.py       says what was changed, added, removed, cut or rewritten since: python3 verify.py

{notes}
"""


@dataclass(frozen=True, slots=True)
class Packed:
    """What an export holds. missing: pictures that events name and that are no longer kept; notes: what is amiss."""

    events: int
    pictures: int
    missing: int
    notes: tuple[str, ...]


def export(journal: Path, out: Path, table: Path | None = None, signer: Signer | None = None) -> Packed:
    """Write a game's journal and all that belongs to it into a ZIP file, whole or not at all.

    table: the table's folder, for its measures and lenses. signer: signs how far the game had come. Raises
    JournalError for what can't be read at all, OSError for what can't be written.
    """
    notes: list[str] = []
    # Before the events: a device may sign while pictures are packed, and a note must not know more than the export.
    witnessed, timestamped = read_witnessed(witnesses_file(journal)), read_timestamps(timestamps_file(journal))
    try:
        entries = read_journal(journal)
    except ChainError as error:
        entries = []
        notes.append(f"The journal's chain is broken: {error}. The file itself is packed as it is.")
    store = EvidenceStore(pictures_folder(journal))
    named = pictures_named(entries)
    if notes:
        named = [picture.content for picture in store.pictures()]
    head = entries[-1].hash if entries else GENESIS
    notes.append(f"Events: {len(entries)}; the newest has the hash {head}.")
    with file_aside(out) as file:
        pack = SealedZip(file)
        try:
            if not entries:
                pack.add(journal.name, journal.read_bytes())
            pack.add("journal.jsonl", "".join(map(_event_line, entries)))
            notes += _pack_record(pack, entries)
            packed, telling = _pack_pictures(pack, store, named)
            if packed + telling < len(named):
                notes.append(f"Pictures named by events and kept no longer: {len(named) - packed - telling}.")
            if telling:
                notes.append(f"Pictures left out, as their files may say where or by whom they were made: {telling}.")
            files = {} if table is None else _table_files(table)
            for name, content in files.items():
                pack.add(f"table/{name}", content, packed=not name.endswith(".jpg"))
            if table is not None and not files:
                notes.append("The table's measures are not known here: add them with --table.")
            if (checkpoint := _checkpoint(journal, entries, signer)) is not None:
                pack.add("checkpoint.txt", checkpoint.text + "\n")
            if entries and witnessed:
                pack.add(WITNESSES, "".join(one.line for one in witnessed))
            if entries and timestamped:
                pack.add(TIMESTAMPS, "".join(one.line for one in timestamped))
                pack.add("timestamp.txt", timestamped[-1].stamped)
                pack.add("timestamp.tsr", timestamped[-1].token)
            pack.add("verify.py", VERIFIER.read_bytes())
            pack.add("README.txt", README.format(journal=journal.name, notes="\n".join(notes)))
            pack.close(len(entries), head)
        finally:
            pack.abandon()
    return Packed(len(entries), packed, len(named) - packed, tuple(notes))


def pictures_named(entries: Iterable[JournalEntry]) -> list[str]:
    """Return the content ids of all pictures that events name, each once, in order."""
    found: dict[str, None] = {}
    for entry in entries:
        pictures = entry.data.get("pictures")
        if isinstance(pictures, Mapping):
            found |= dict.fromkeys(str(content) for content in pictures.values())
    return list(found)


def state_of(entries: Sequence[JournalEntry]) -> TableState:
    """Return the state a journal leads to.

    Raises JournalError where none has begun, or events can't be replayed.
    """
    try:
        game = game_of(entries)
        state = replayed([event_from_json(entry.kind, entry.data, game) for entry in entries])
    except (TableError, ValueError, LookupError, TypeError, GameError) as error:
        raise JournalError(f"the game can't be replayed: {error}") from error
    assert state is not None, "there is an event at least"
    return state


def record_of(entries: Sequence[JournalEntry]) -> Record:
    """Return the game a journal tells of, as a record. Raises JournalError when its events can't be replayed."""
    return record_of_state(state_of(entries), entries[0].at)


def game_of(entries: Sequence[JournalEntry]) -> AnyGame:
    """Return the game a journal tells of.

    Raises RequestError for one that is not installed, JournalError for none, and for one that can't be loaded.
    """
    try:
        game: AnyGame = game_named(_game_name(entries))
    except GameError as error:
        raise JournalError(str(error)) from error
    return game


def record_of_state(state: TableState, begun_at: str) -> Record:
    """Return a game as a record.

    begun_at: when it began, ISO 8601. Raises JournalError for a game that has none.
    """
    try:
        start = state.history[0].before if state.history else state.position
        headers = records_named(start.to_json()["game"]).headers(start) | {"date": begun_at[:10]}
        if state.result is not None:
            headers |= {"result": " ".join([state.result.how.value, *(c.word for c in state.result.winners)])}
        elif state.position.winners:
            headers |= {"result": " ".join(colour.word for colour in state.position.winners)}
        comments, lines = _lines(state)
        return Record(headers, tuple(lines), tuple(comments))
    except (ValueError, LookupError, TypeError, GameError) as error:
        raise JournalError(f"the record can't be made: {error}") from error


def _lines(state: TableState) -> tuple[list[str], list[Line]]:
    """Return the comments ahead of the turns, and the turns; comments tell what counts no more."""
    ahead: list[str] = []
    lines: list[Line] = []
    for index, judged in enumerate(state.history):
        ruling = judged.ruled.ruling if judged.ruled is not None else None
        if ruling is not None and (_counts(judged) or _played_again(judged, state.history[index + 1 :])):
            words = [_plain(f"accepted by the players: {judged.by}")] if judged.fate is EntryStatus.ACCEPTED else []
            words += ["found late: it stands"] if judged.fate is EntryStatus.FOUND_LATE else []
            words += [f"took {judged.time_ms / 1000:.1f} s"] if judged.time_ms is not None else []
            if open_ := judged.open:
                words.insert(0, OPEN + " ".join(place.name for place in sorted(open_)))
            lines.append(entry_of(judged.before, ruling, tuple(words)))
        elif lines:
            last = lines[-1]
            lines[-1] = replace(last, comments=(*last.comments, _plain(_told(judged))))
        else:
            ahead.append(_plain(_told(judged)))
    return ahead, lines


def _counts(judged: Judged) -> bool:
    return judged.what is What.TURN and judged.counts


def _played_again(judged: Judged, later: Sequence[Judged]) -> bool:
    """Return whether this was an illegal turn that was taken back and played once more: a record tells of both."""
    illegal = judged.ruled is not None and judged.ruled.verdict is Verdict.ILLEGAL
    back = judged.fate in (EntryStatus.TAKEN_BACK, EntryStatus.REPLACED)
    again = next((entry for entry in later if _counts(entry)), None)
    return illegal and back and again is not None and again.turn == judged.turn


def _told(judged: Judged) -> str:
    """Describe an entry that is no turn of the record."""
    by = f" by {judged.by}" if judged.by else ""
    if judged.what is What.TURN:
        verdict = judged.ruled.verdict.value if judged.ruled is not None else "not ruled"
        return f"turn {judged.turn}, {judged.player.word}, ruled {verdict}: {judged.fate.value}{by}"
    board = f", the board {judged.after.observed.text}" if judged.after is not None else ""
    return f"turn {judged.turn}, {judged.player.word}: {judged.what.value}{by}, {judged.fate.value}{board}"


def _plain(words: str) -> str:
    """Return words that may stand in braces."""
    return " ".join(words.replace("{", "(").replace("}", ")").split())


def _game_name(entries: Sequence[JournalEntry]) -> object:
    position = _started(entries)["position"]
    return position.get("game") if isinstance(position, Mapping) else None


def _started(entries: Sequence[JournalEntry]) -> Mapping[str, object]:
    begun = next((entry.data for entry in entries if entry.kind == "game_started"), None)
    if begun is None:
        raise JournalError("no game has begun in it: there is no event game_started")
    return begun


def _event_line(entry: JournalEntry) -> str:
    return f'{{"event":{entry.body},"hash":{json.dumps(entry.hash)}}}\n'


def _pack_record(pack: SealedZip, entries: Sequence[JournalEntry]) -> list[str]:
    """Pack the record; return a note where there is none."""
    if not entries:
        return []
    try:
        pack.add("record.txt", record_of(entries).text)
    except JournalError as error:
        return [f"There is no record.txt: {error}"]
    return []


def _pack_pictures(pack: SealedZip, store: EvidenceStore, named: Sequence[str]) -> tuple[int, int]:
    """Pack pictures; return how many, and how many were left out for what their files say besides."""
    kept = {picture.content: picture.path for picture in store.pictures()}
    packed = telling = 0
    for content in named:
        if content in kept:
            picture = kept[content].read_bytes()
            if says_more(picture):
                telling += 1
                continue
            pack.add(f"pictures/{kept[content].name}", picture, packed=False)
            packed += 1
    return packed, telling


def _checkpoint(journal: Path, entries: Sequence[JournalEntry], signer: Signer | None) -> Checkpoint | None:
    """Return how far the game had come, signed: as it was where the game was played, else by this table."""
    if not entries:
        return None
    with contextlib.suppress(CheckpointError, OSError):
        brought = brought_checkpoint(journal)
        if brought is not None and brought.head.hex() == entries[-1].hash:
            return brought
    return signer.sign(len(entries), entries[-1].at, entries[-1].hash) if signer is not None else None


def _table_files(table: Path) -> Mapping[str, bytes]:
    """Return a table's measures and lenses, and of pictures in which its board was touched the board, by path."""
    paths = (path for path in (table / "table.json", *sorted(table.glob("calibration/*.json"))) if path.is_file())
    files = {path.relative_to(table).as_posix(): path.read_bytes() for path in paths}
    with contextlib.suppress(CalibrationError):  # touches that can't be used are packed as they are
        files |= board_files(table)
    return files


def default_name(journal: Path) -> Path:
    """Return where an export goes when nobody says: ``game.zip`` in the working folder."""
    return Path(os.curdir) / f"{journal.stem}.zip"
