"""A small game as a journal with pictures, and exports of it that somebody meddled with."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.archive.export import export
from referee.archive.measures import witnesses_file
from referee.games import game_named
from referee.games.contract import Ruling
from referee.games.terra_turrium.colours import parse_board
from referee.match.events import CameraNote, Event, GameStarted, LookTaken, PutBack, ReadingMade, TurnRuled
from referee.storage.checkpoint import Signer
from referee.storage.eventtree import EventTree
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import GENESIS, Journal, canonical, chain, read_journal
from referee.storage.signednote import signed_by_table
from referee.storage.witnesses import Witnessed, keep_witnessed
from tests.archive.witnessing import Phone
from tests.games.terra_turrium.positions import after, position

GAME = game_named("terra-turrium")
JPEG = b"\xff\xd8\xff a picture of the table "
Files = dict[str, bytes]


def looked(number: int, ruling: Ruling, board: str, pictures: dict[str, str]) -> list[Event]:
    """Return the events of a look."""
    notes = (CameraNote("cam0", 8, 0.2), CameraNote("cam1", 8, 0.3))
    reading = ReadingMade(board, ((0.98,) * 10,) * 10, (), True, (), notes, 50.0, tuple(pictures.items()))
    return [LookTaken(number, by="Anna"), reading, TurnRuled.by_rules(board, ruling)]


def write_journal(path: Path, picture: Callable[[int, str], bytes] | None = None) -> Path:
    """Write a game: Red's first turn was illegal and is put back; every look has two pictures.

    picture: of a look by a camera.
    """
    begun = GAME.position(position())
    boards = [after(begun.board.text, "-E8"), begun.board.text, begun.board.text]
    store = EvidenceStore(pictures_folder(path), spare_bytes=0)
    now: Any = begun
    events: list[Event] = [GameStarted(begun, "tests", (("red", "Anna"), ("yellow", "<Bernd>")))]
    for number, text in enumerate(boards, 1):
        ruling = GAME.check(now, parse_board(text))
        shots = {name: (picture or shot)(number, name) for name in ("cam0", "cam1")}
        events += looked(number, ruling, text, store.keep(shots))
        if not ruling.legal:
            events.append(PutBack("Bernd"))
        now = ruling.next or now
    with Journal(path) as written:
        for event in events:
            written.append(event.kind, event.to_json())
    return path


def witness(journal: Path, signer: Signer, phone: Phone, device: str = "Anna’s phone") -> list[str]:
    """Have a device co-sign the journal after each ruling, as it would at the table; return its notes."""
    tree, notes, game = EventTree(), [], ""
    for entry in read_journal(journal):
        tree.add(entry.hash)
        game = game or entry.hash[:16]
        if entry.kind == "ruling":
            head = signed_by_table(signer, game, tree.size, tree.root(tree.size))
            notes.append(phone.cosign(head, 1_800_000_000 + entry.number))
            keep_witnessed(witnesses_file(journal), Witnessed(device, notes[-1]))
    return notes


def shot(number: int, camera: str) -> bytes:
    """Return bytes that stand in for a picture where nobody looks at it."""
    return JPEG + f"{number} by {camera}".encode()


def exported(folder: Path, signed: bool = True, phone: Phone | None = None) -> Path:
    """Export the game with a table's measures. phone: co-signs after each ruling."""
    journal = write_journal(folder / "games" / "final.journal")
    (folder / "table").mkdir()
    (folder / "table" / "table.json").write_text('{"board": "ten by ten"}')
    signer = Signer.open(folder / "checkpoint.key") if signed else None
    if signer is not None and phone is not None:
        (folder / "note.txt").write_text(witness(journal, signer, phone)[-1], encoding="utf-8")
    export(journal, folder / "final.zip", folder / "table", signer)
    return folder / "final.zip"


def unpacked(path: Path) -> Files:
    """Return an export's files, in order."""
    with zipfile.ZipFile(path) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def packed(files: Files) -> bytes:
    """Pack files as a program that knows of no seal does."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as pack:
        for name, content in files.items():
            pack.writestr(name, content)
    return made.getvalue()


def lines(files: Files) -> list[bytes]:
    """Return the events of an export, a line each."""
    return files["journal.jsonl"].splitlines(keepends=True)


def rewritten(files: Files, start: int, change: Callable[[str], str]) -> Files:
    """Change one event of an export (by its number), and make all hashes from there on, and the manifest, anew."""
    previous, made = GENESIS, []
    for number, line in enumerate(lines(files), 1):
        event = json.loads(line)["event"]
        if number == start:
            event = json.loads(change(canonical(event)))
        event["previous"] = previous
        previous = chain(previous, canonical(event))
        made.append(f'{{"event":{canonical(event)},"hash":"{previous}"}}\n')
    return forged({**files, "journal.jsonl": "".join(made).encode()})


def forged(files: Files) -> Files:
    """Return an export with a manifest that fits what is in it now."""
    said = json.loads(files["manifest.json"])
    events = lines(files)
    said["events"] = len(events)
    said["head"] = events[-1].rstrip(b"\n")[-66:-2].decode("latin-1") if events else GENESIS
    said["files"] = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
        if name != "manifest.json"
    }
    text = json.dumps(said, indent=1, ensure_ascii=False) + "\n"
    return {name: text.encode() if name == "manifest.json" else content for name, content in files.items()}
