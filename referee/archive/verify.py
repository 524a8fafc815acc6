#!/usr/bin/env python3
"""Verify the export of a refereed game, with nothing but Python 3.9 or newer.

    python3 verify.py GAME.zip [--checkpoint NOTE.txt ...] [--key FINGERPRINT]

Without a name it verifies the folder it lies in, where an export was unpacked. It says what was changed, added,
removed, cut or rewritten, and where. It shares no line with the program that made the export; the format is told in
docs/reference/export.md. Take this file from a place you trust: whoever changes a game can change it, too.

Exit status: 0 it is all right, 1 it is not, 2 it could not be checked.
"""

from __future__ import annotations

import argparse
import base64
import copy
import hashlib
import json
import re
import struct
import sys
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Any

FORMAT, MANIFEST, EVENTS, NOTE = "referee export 1", "manifest.json", "journal.jsonl", "checkpoint.txt"
GENESIS = "0" * 64
LARGEST_BYTES = 1 << 30
LINE = re.compile(rb'\{"event":(\{.*\}),"hash":"([0-9a-f]{64})"\}')
UNREADABLE = (
    OSError, EOFError, RuntimeError, ValueError, OverflowError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
SEAL = re.compile(rb"sha256:([0-9a-f]{64})")
CHECKPOINT = re.compile(
    r"(Referee checkpoint 1\nEvents: (\d{1,15}), (\S{10,40})\nHead: ([\w-]{43})\nKey: ([\w-]{43})\n)Sign: ([\w-]{86})"
)


class Pack:
    """An export, as a ZIP or unpacked. wrong: what was found; notes: what could not be checked."""

    def __init__(self, path: Path) -> None:
        self.path, self.wrong, self.notes = path, list[str](), list[str]()
        self.zip = None if path.is_dir() else zipfile.ZipFile(path)
        if self.zip is None:
            self.names = sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
        else:
            self.names = [name for name in self.zip.namelist() if not name.endswith("/")]

    def read(self, name: str) -> bytes:
        """What a file holds, as far as it can be unpacked: whether it is as it was is seen by its SHA-256."""
        if self.zip is None:
            return (self.path / name).read_bytes()
        found = bytearray()
        info = copy.copy(self.zip.getinfo(name))
        del info.CRC  # else zipfile keeps back what is damaged
        try:
            with self.zip.open(info) as file:
                assert isinstance(file, zipfile.ZipExtFile)
                while (chunk := file.read1(4096)) and len(found) < LARGEST_BYTES:
                    found += chunk
        except UNREADABLE:
            pass
        return bytes(found)


def check_seal(pack: Pack) -> None:
    """The ZIP's comment is the SHA-256 of all bytes before its last 64."""
    if pack.zip is None:
        return
    raw = pack.path.read_bytes()
    found = SEAL.fullmatch(raw[-71:])
    if found and hashlib.sha256(raw[:-64]).hexdigest().encode() != found[1]:
        pack.wrong.append("the ZIP file was changed after it was packed")
    elif not found and raw[-22:-18] != b"PK\5\6":
        pack.wrong.append("the ZIP file's seal, or the end of the file, was changed")
    elif not found:
        pack.notes.append("The ZIP has no seal: it was packed again. What is in it is checked all the same.")


def check_files(pack: Pack) -> dict[str, Any]:
    """Compare the files with the manifest; return it, empty where there is none."""
    if MANIFEST not in pack.names:
        pack.wrong.append(f"{MANIFEST} was removed")
        return {}
    text = pack.read(MANIFEST)
    try:
        said: dict[str, Any] = json.loads(text)
        files = [(str(name), str(entry["sha256"]), entry) for name, entry in said["files"].items()]
        whole = said["format"] == FORMAT and text.decode() == json.dumps(said, indent=1, ensure_ascii=False) + "\n"
        whole = whole and said.keys() == {"format", "events", "head", "files"}
        said["events"] + 0, said["head"] + ""
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pack.wrong.append(f"{MANIFEST} was changed: it can't be read")
        return {}
    if not whole:
        pack.wrong.append(f"{MANIFEST} was changed")
    known = [name for name, _, _ in files]
    for name in sorted({name for name in pack.names if pack.names.count(name) > 1} if len(pack.names) < 9999 else ()):
        pack.wrong.append(f"{name} is in it more than once")
    pack.wrong += [f"{name} was added" for name in pack.names if name not in {*known, MANIFEST}]
    for name, digest, entry in files:
        if name not in pack.names:
            pack.wrong.append(f"{name} was removed")
        elif hashlib.sha256(content := pack.read(name)).hexdigest() != digest:
            pack.wrong.append(f"{name} was changed")
        elif entry != {"bytes": len(content), "sha256": digest}:
            pack.wrong.append(f"{MANIFEST} was changed: what it says of {name}")
    if pack.zip is not None and not pack.wrong and pack.names != [*known, MANIFEST]:
        pack.wrong.append("the files stand in another order than they were packed in")
    return said


def body_of(line: bytes) -> tuple[dict[str, Any], bytes, str]:
    """An event, its text and the hash beside it; an empty event for a line that is none."""
    found = LINE.fullmatch(line)
    try:
        said = json.loads(found[1]) if found else {}
    except (ValueError, RecursionError):
        said = {}
    right = found and isinstance(said.get("number"), int) and isinstance(said.get("previous"), str)
    return (said, found[1], found[2].decode()) if found and right else ({}, b"", "")


def check_events(pack: Pack) -> list[tuple[str, dict[str, Any]]]:
    """Follow the chain; return each event's hash and data."""
    lines = pack.read(EVENTS).split(b"\n") if EVENTS in pack.names else [b""]
    if lines.pop() != b"":
        pack.wrong.append(f"{EVENTS} does not end with a whole line: event {len(lines) + 1} was cut or changed")
    events = [body_of(line) for line in lines]
    numbers = {said.get("number") for said, _, _ in events}
    previous, known, expected = GENESIS, True, 1
    for said, text, digest in events:
        number, own = said.get("number", 0), said.get("previous", "")
        if not said or hashlib.sha256(own.encode("utf-8", "replace") + text).hexdigest() != digest:
            pack.wrong.append(f"event {expected} was changed after it was written")
            known, expected = False, expected + 1
            continue
        if number > expected and not numbers & set(range(expected, min(number, expected + 99999))):
            gone = f"events {expected} to {number - 1} were" if number - 1 > expected else f"event {expected} was"
            pack.wrong.append(f"{gone} removed" + ("" if expected > 1 else ": the beginning is missing"))
        elif number != expected:
            pack.wrong.append(f"event {number} stands where event {expected} must: the order was changed")
        elif known and own != previous:
            pack.wrong.append(f"event {expected} does not follow from the one before: it, or that one, was rewritten")
        previous, known, expected = digest, True, (number if number > expected else expected) + 1
    return [(digest, data_of(said)) for said, _, digest in events]


def data_of(said: dict[str, Any]) -> dict[str, Any]:
    """What an event tells; nothing where it can't be read."""
    data = said.get("data")
    return data if isinstance(data, dict) else {}


def check_pictures(pack: Pack, events: list[tuple[str, dict[str, Any]]]) -> None:
    """Each picture has the SHA-256 it is named by, and is named by an event."""
    named: dict[str, str] = {}
    for number, (_, data) in enumerate(events, 1):
        pictures = data.get("pictures")
        for camera, content in (pictures if isinstance(pictures, dict) else {}).items():
            named.setdefault(str(content), f"the picture of {camera} in event {number}")
    kept = [PurePosixPath(name) for name in pack.names if name.startswith("pictures/")]
    for path in kept:
        if hashlib.sha256(pack.read(str(path))).hexdigest() != path.stem:
            pack.wrong.append(f"{named.get(path.stem, 'a picture')} was changed: {path}")
        elif path.stem not in named:
            pack.wrong.append(f"{path} is named by no event: it was added, or the event was removed")
    gone = [where for content, where in named.items() if content not in {path.stem for path in kept}]
    if gone:
        pack.notes.append(f"{len(gone)} of {len(named)} pictures are not in it, the first of them {gone[0]}.")


def check_tail(pack: Pack, count: int, head: str, hashes: list[str], who: str) -> None:
    """Whether the events go as far as somebody says, and come to the same hash there."""
    if len(hashes) < count:
        pack.wrong.append(f"{who} knows {count} events, there are {len(hashes)}: the end was cut off")
    elif (hashes[count - 1] if count else GENESIS) != head:
        pack.wrong.append(f"{who} knows another event {count}: it, or one before it, was rewritten")


def unbase64(text: str) -> bytes:
    """Bytes written in the base64 of web addresses, without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_checkpoint(pack: Pack, name: str, raw: bytes, hashes: list[str], fingerprint: str) -> None:
    """A checkpoint's key, signature and what it says of the events."""
    lines = raw.decode("utf-8", "replace").splitlines()
    found = CHECKPOINT.search("\n".join(line.strip() for line in lines))
    if not found:
        pack.wrong.append(f"{name} is no checkpoint, or was changed")
        return
    key = unbase64(found[5])
    shown = hashlib.sha256(key).hexdigest()[:32]
    if fingerprint and "".join(fingerprint.split()).lower() != shown:
        pack.wrong.append(f"{name} is signed with another key: {shown}")
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        Ed25519PublicKey.from_public_bytes(key).verify(unbase64(found[6]), found[1].encode())
        pack.notes.append(f"{name} is signed with the key {shown}: compare it with the one the table shows.")
    except ImportError:
        pack.notes.append(f"The signature of {name} could not be checked: install Python's cryptography package.")
    except (InvalidSignature, ValueError):
        pack.wrong.append(f"{name} was changed: its signature is wrong")
    check_tail(pack, int(found[2]), unbase64(found[4]).hex(), hashes, name)


def verify(path: Path, checkpoints: list[Path], fingerprint: str) -> Pack:
    """Verify an export. Raises OSError or zipfile.BadZipFile for what can't be opened."""
    pack = Pack(path)
    said = check_files(pack)
    if EVENTS in pack.names and not pack.read(EVENTS) and any(name.endswith(".journal") for name in pack.names):
        pack.wrong.append("the journal was damaged before it was packed: README.txt says where")
    events = check_events(pack)
    check_pictures(pack, events)
    hashes = [digest for digest, _ in events]
    if said:
        check_tail(pack, said["events"], said["head"], hashes, MANIFEST)
        if said["events"] < len(hashes):
            pack.wrong.append(f"{len(hashes) - said['events']} events were added after event {said['events']}")
    notes = [(NOTE, pack.read(NOTE))] if NOTE in pack.names else []
    for name, raw in notes + [(str(note), note.read_bytes()) for note in checkpoints]:
        check_checkpoint(pack, name, raw, hashes, fingerprint)
    if not notes and not checkpoints:
        pack.notes.append("No signed checkpoint is at hand: a game rewritten as a whole would look like this one.")
    check_seal(pack)
    if not pack.wrong:
        pack.notes.insert(0, f"All {len(hashes)} events and the files are as they were; the newest has the hash")
        pack.notes.insert(1, f"{hashes[-1] if hashes else GENESIS}")
    return pack


def main() -> int:
    """Verify what the command line names, and say what was found."""
    parser = argparse.ArgumentParser(description="Verify the export of a refereed game.")
    parser.add_argument("export", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--checkpoint", action="append", type=Path, default=[], metavar="NOTE.txt")
    parser.add_argument("--key", default="", metavar="FINGERPRINT", help="the table's key: 32 digits")
    asked = parser.parse_args()
    try:
        pack = verify(asked.export, asked.checkpoint, asked.key)
    except UNREADABLE as error:
        sys.stdout.write(f"{asked.export} can't be opened as an export: {error}\n")
        return 2
    for words in pack.wrong:
        sys.stdout.write(f"WRONG: {words}\n")
    for words in pack.notes:
        sys.stdout.write(f"{words}\n")
    sys.stdout.write("NOT AS IT WAS\n" if pack.wrong else "VERIFIED\n")
    return 1 if pack.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
