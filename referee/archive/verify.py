#!/usr/bin/env python3
"""Verify the export of a refereed game, with nothing but Python 3.9 or newer.

    python3 verify.py GAME.zip [--checkpoint NOTE.txt ...] [--note NOTE.txt ...] [--key FINGERPRINT]

Without a name it verifies the folder it lies in, where an export was unpacked. It says what was changed, added,
removed, cut or rewritten, and where. It shares no line with the program that made the export; the format is told in
docs/reference/export.md. verify_notes.py, which must lie beside it, checks what was signed. Take both from a place
you trust: whoever changes a game can change them, too.

Exit status: 0 it is all right, 1 it is not, 2 it could not be checked.
"""

from __future__ import annotations

import argparse
import copy
import functools
import hashlib
import io
import itertools
import json
import re
import runpy
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, cast

FORMAT, MANIFEST, EVENTS, NOTE = "referee export 1", "manifest.json", "journal.jsonl", "checkpoint.txt"
WITNESSES, TIMESTAMPS, NOTES = "witnesses.jsonl", "timestamps.jsonl", Path(__file__).with_name("verify_notes.py")
ALWAYS = (EVENTS, "verify.py", "README.txt")
GENESIS = "0" * 64
LINE = re.compile(rb'\{"event":(\{.*\}),"hash":"([0-9a-f]{64})"\}')
UNREADABLE = OSError, EOFError, RuntimeError, ValueError, OverflowError, zipfile.BadZipFile, zlib.error, struct.error
SEAL = re.compile(rb"sha256:([0-9a-f]{64})")
# Whoever made the file may mean harm: it is never taken apart further than this.
MOST_FILES, MOST_CONTENTS_BYTES = 200_000, 32 << 20
"""Files in an export, and bytes of the ZIP's table of contents."""
MOST_TIMES, MOST_BYTES = 100, 64 << 20
"""An export unpacks to so many times its size, and so many bytes, at most."""
LARGEST_BYTES, LARGEST_EVENTS_BYTES, LARGEST_LINE_BYTES, LARGEST_NOTE_BYTES = 256 << 20, 128 << 20, 4 << 20, 100_000
MOST_WRONG = 100
"""Findings of one kind that are reported; further ones are not looked for."""
CHUNK_BYTES = 1 << 20


class EnoughError(Exception):
    """So much is wrong that the rest is not looked at."""


class GivenError(Exception):
    """A note that somebody gave along can't be read."""


class Slices(io.FileIO):
    """A file that is read in slices: zipfile reads a table of contents at once, as large as the file says it is."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read a slice. Raises ValueError for one that is too large."""
        if size is not None and size > MOST_CONTENTS_BYTES:
            raise ValueError("its table of contents is larger than that of any export")
        return super().read(-1 if size is None else size) or b""


class Pack:
    """An export, as a ZIP or unpacked. wrong: what was found; notes: what could not be checked.

    said: its manifest. hashes: of its events, in order, empty for a line that is none. rulings: their numbers among
    these. named: where each picture is named, by SHA-256. Raises ValueError for more than any export holds.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.wrong, self.notes = path, list[str](), list[str]()
        self.said, self.hashes, self.named = dict[str, Any](), list[str](), dict[str, str]()
        self.rulings = list[int]()
        self._told, self._digests = 0, dict[str, tuple[str, int]]()
        self.zip: zipfile.ZipFile | None = None
        if path.is_dir():
            files = itertools.islice((each for each in path.rglob("*") if each.is_file()), MOST_FILES + 1)
            self.names = sorted(each.relative_to(path).as_posix() for each in files)
        elif path.is_file():
            with Slices(path) as file:
                infos = zipfile.ZipFile(file).infolist()
            if sum(info.file_size for info in infos) > MOST_BYTES + MOST_TIMES * path.stat().st_size:
                raise ValueError("it unpacks to far more than any export of its size")
            self.names = [info.filename for info in infos if not info.is_dir()]
            self.zip = zipfile.ZipFile(path)
        else:
            raise OSError("there is no such file")
        if len(self.names) > MOST_FILES:
            raise ValueError("it holds more files than any export")

    def blame(self, words: str) -> None:
        """Note what is wrong. Raises EnoughError where it is too much."""
        self.wrong.append(words)
        self._told += 1
        if self._told >= MOST_WRONG:
            raise EnoughError

    def stage(self, check: Callable[..., None], *more: Any) -> bool:
        """Check one kind of thing; return whether all of it could be looked at."""
        self._told = 0
        try:
            check(self, *more)
        except EnoughError:
            self.wrong.append("that is enough: what follows there was not looked at")
            return False
        return True

    def chunks(self, name: str, most: int = LARGEST_BYTES) -> Iterator[bytes]:
        """Yield what a file holds, as far as it can be unpacked: its SHA-256 tells whether it is as it was.

        Raises EnoughError for a file that is larger.
        """
        try:
            with self._open(name) as file:
                while chunk := file.read1(CHUNK_BYTES):
                    most -= len(chunk)
                    if most < 0:
                        self.blame(f"{name} is too large to be checked")
                        raise EnoughError
                    yield chunk
        except UNREADABLE:
            pass

    def _open(self, name: str) -> Any:
        if self.zip is None:
            return (self.path / name).open("rb")
        info = copy.copy(self.zip.getinfo(name))
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others unpack without a limit
            raise ValueError("it is packed in a way no export is")
        del info.CRC  # else zipfile keeps back what is damaged
        return self.zip.open(info)

    def read(self, name: str, most: int) -> bytes:
        """Return what a file holds, as far as it can be unpacked. Raises EnoughError for a file that is larger."""
        return b"".join(self.chunks(name, most))

    def digest(self, name: str) -> tuple[str, int]:
        """Return the SHA-256 of a file and how many bytes it has."""
        if name not in self._digests:
            found, size = hashlib.sha256(), 0
            for chunk in self.chunks(name):
                found.update(chunk)
                size += len(chunk)
            self._digests[name] = found.hexdigest(), size
        return self._digests[name]

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a file with their ends; the last has none where it was cut, or is too long."""
        rest = b""
        for chunk in self.chunks(name, LARGEST_EVENTS_BYTES):
            *whole, rest = (rest + chunk).split(b"\n")
            yield from (line + b"\n" for line in whole)
            if len(rest) > LARGEST_LINE_BYTES:
                break
        if rest:
            yield rest


def check_seal(pack: Pack) -> None:
    """Compare the ZIP's comment with the SHA-256 of all bytes before its last 64."""
    if pack.zip is None:
        return
    size, digest = pack.path.stat().st_size, hashlib.sha256()
    with pack.path.open("rb") as file:
        left = size - 64
        while left > 0 and (chunk := file.read(min(left, CHUNK_BYTES))):
            digest.update(chunk)
            left -= len(chunk)
        file.seek(max(0, size - 71))
        end = file.read(71)
    found = SEAL.fullmatch(end)
    if found and digest.hexdigest().encode() != found[1]:
        pack.blame("the ZIP file was changed after it was packed")
    elif not found and end[-22:-18] != b"PK\5\6":
        pack.blame("the ZIP file's seal, or the end of the file, was changed")
    elif not found:
        pack.notes.append("The ZIP has no seal: it was packed again. What is in it is checked all the same.")


def read_manifest(pack: Pack) -> None:
    """Read the manifest, and say where it is not as a referee writes it."""
    if MANIFEST not in pack.names:
        pack.blame(f"{MANIFEST} was removed: nothing tells how many events there were, and which files")
        return
    text = pack.read(MANIFEST, LARGEST_EVENTS_BYTES)
    try:
        if text.count(b"{") + text.count(b"[") + text.count(b",") > 5 * MOST_FILES:
            raise ValueError("too much in it")
        said: dict[str, Any] = json.loads(text)
        right = all(isinstance(entry, dict) and "sha256" in entry for entry in said["files"].values())
        right = right and isinstance(said["events"], int) and isinstance(said["head"], str) and said["events"] >= 0
        if not right:
            raise ValueError("something else in it")
        whole = said["format"] == FORMAT and text.decode() == json.dumps(said, indent=1, ensure_ascii=False) + "\n"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pack.blame(f"{MANIFEST} was changed: it can't be read")
        return
    pack.said = said
    if not whole or said.keys() != {"format", "events", "head", "files"}:
        pack.blame(f"{MANIFEST} was changed")


def check_files(pack: Pack) -> None:
    """Compare the files with the manifest."""
    read_manifest(pack)
    before, there, known = len(pack.wrong), Counter(pack.names), pack.said.get("files", {})
    for name in (*known, *(name for name in ALWAYS if name not in known)):
        if name not in there:
            pack.blame(f"{name} was removed")
    if not pack.said:
        return
    for name in sorted(name for name, times in there.items() if times > 1):
        pack.blame(f"{name} is in it more than once")
    for name in there:
        if name not in known and name != MANIFEST:
            pack.blame(f"{name} was added")
    for name, entry in known.items():
        if name not in there:
            continue
        if pack.digest(name)[0] != entry["sha256"]:
            pack.blame(f"{name} was changed")
        elif entry != {"bytes": pack.digest(name)[1], "sha256": entry["sha256"]}:
            pack.blame(f"{MANIFEST} was changed: what it says of {name}")
    if pack.zip is not None and len(pack.wrong) == before and pack.names != [*known, MANIFEST]:
        pack.blame("the files stand in another order than they were packed in")


def body_of(line: bytes) -> tuple[dict[str, Any], bytes, str]:
    """Return an event, its text and the hash beside it; an empty event for a line that is none."""
    found = LINE.fullmatch(line)
    try:
        said = json.loads(found[1]) if found else {}
    except (ValueError, RecursionError):
        said = {}
    right = found and isinstance(said.get("number"), int) and isinstance(said.get("previous"), str)
    return (said, found[1], found[2].decode()) if found and right else ({}, b"", "")


def numbers_in(pack: Pack) -> set[int]:
    """Return the numbers of all events, wherever they stand."""
    return {body_of(line[:-1])[0].get("number", 0) for line in pack.lines(EVENTS)}


def check_events(pack: Pack) -> None:
    """Follow the chain, and note each event's hash and pictures."""
    previous, known, expected = GENESIS, True, 1
    numbers: set[int] = set()
    for line in pack.lines(EVENTS) if EVENTS in pack.names else ():
        if not line.endswith(b"\n"):
            how = "does not end with a whole line" if len(line) <= LARGEST_LINE_BYTES else "holds an endless line"
            pack.blame(f"{EVENTS} {how}: event {len(pack.hashes) + 1} was cut or changed")
            break
        said, text, digest = body_of(line[:-1])
        pack.hashes.append(digest)
        note_pictures(pack, said.get("data"))
        pack.rulings += [len(pack.hashes)] if said.get("kind") == "ruling" else []
        number, own = said.get("number", 0), said.get("previous", "")
        if not said or hashlib.sha256(own.encode("utf-8", "replace") + text).hexdigest() != digest:
            known, expected = False, expected + 1
            pack.blame(f"event {expected - 1} was changed after it was written")
            continue
        numbers = numbers or (numbers_in(pack) if number > expected else numbers)
        if number > expected and numbers.isdisjoint(range(expected, min(number, expected + 99999))):
            gone = f"events {expected} to {number - 1} were" if number - 1 > expected else f"event {expected} was"
            pack.blame(f"{gone} removed" + ("" if expected > 1 else ": the beginning is missing"))
        elif number != expected:
            pack.blame(f"event {number} stands where event {expected} must: the order was changed")
        elif known and own != previous:
            pack.blame(f"event {expected} does not follow from the one before: it, or that one, was rewritten")
        previous, known, expected = digest, True, (number if number > expected else expected) + 1
    if not pack.hashes and any(name.endswith(".journal") for name in pack.names):
        pack.blame("the journal was damaged before it was packed: README.txt says where")
    elif not pack.hashes:
        pack.blame(f"there is no event in {EVENTS}: it is empty, or was emptied")


def note_pictures(pack: Pack, data: object) -> None:
    """Note the pictures that an event names."""
    pictures = data.get("pictures") if isinstance(data, dict) else None
    for camera, content in (pictures if isinstance(pictures, dict) else {}).items():
        if len(pack.named) >= MOST_FILES:
            pack.blame("the events name more pictures than an export can hold")
            raise EnoughError
        pack.named.setdefault(str(content)[:64], f"the picture of {camera[:40]} in event {len(pack.hashes)}")


def check_pictures(pack: Pack) -> None:
    """Check that each picture has the SHA-256 it is named by, and is named by an event."""
    kept = [PurePosixPath(name) for name in pack.names if name.startswith("pictures/")]
    for path in kept:
        if pack.digest(str(path))[0] != path.stem:
            pack.blame(f"{pack.named.get(path.stem, 'a picture')} was changed: {path}")
        elif path.stem not in pack.named:
            pack.blame(f"{path} is named by no event: it was added, or the event was removed")
    there = {path.stem for path in kept}
    gone = [where for content, where in pack.named.items() if content not in there]
    if gone:
        pack.notes.append(f"{len(gone)} of {len(pack.named)} pictures are not in it, the first of them {gone[0]}.")


def check_tail(pack: Pack, count: int, head: str, who: str) -> None:
    """Check that the events go as far as somebody says, and come to the same hash there."""
    there = len(pack.hashes)
    if there < count:
        pack.blame(f"{who} knows {count} events, there are {there}: the end was cut off")
    elif (pack.hashes[count - 1] if count else GENESIS) != head:
        pack.blame(f"{who} knows another event {count}: it, or one before it, was rewritten")
    elif who == MANIFEST and count < there:
        pack.blame(f"{there - count} events were added after event {count}")


@functools.cache
def notes_part() -> dict[str, Any]:
    """Return what verify_notes.py defines."""
    return runpy.run_path(str(NOTES))


def check_notes(pack: Pack, checkpoints: list[tuple[str, bytes]], kept: list[tuple[str, bytes]], key: str) -> None:
    """Check what was signed: checkpoints, those that were kept and the export's own, and notes of witnesses."""
    found = notes_part()["Notes"](pack.hashes, pack.rulings, key)
    try:
        own = [(NOTE, pack.read(NOTE, LARGEST_NOTE_BYTES))] if NOTE in pack.names else []
        for name, raw in (*own, *checkpoints):
            found.check_checkpoint(name, raw.decode("utf-8", "replace"))
        found.check_stamps(TIMESTAMPS, pack.lines(TIMESTAMPS) if TIMESTAMPS in pack.names else ())
        found.check_lines(WITNESSES, pack.lines(WITNESSES) if WITNESSES in pack.names else ())
    finally:  # where the export holds too much to be looked at, too
        for name, raw in kept:
            found.check_kept(name, raw.decode("utf-8", "replace"))
        found.tell()
        pack.wrong += found.wrong
        pack.notes += found.told


def read_note(path: Path) -> tuple[str, bytes]:
    """Return name and content of a note that somebody kept. Raises GivenError."""
    try:
        with path.open("rb") as file:
            return str(path), file.read(LARGEST_NOTE_BYTES)
    except OSError as error:
        raise GivenError(f"{path} can't be read: {error.strerror}") from error


def verify(path: Path, checkpoints: list[Path], fingerprint: str, kept: list[Path]) -> Pack:
    """Verify an export. kept: notes of witnesses. Raises GivenError, and one of UNREADABLE for the export."""
    given = list(map(read_note, checkpoints)), list(map(read_note, kept))
    pack = Pack(path)
    pack.stage(check_files)
    if pack.stage(check_events):
        pack.stage(check_pictures)
        if pack.said:
            pack.stage(check_tail, pack.said["events"], pack.said["head"], MANIFEST)
        pack.stage(check_notes, *given, fingerprint)
    pack.stage(check_seal)
    if not pack.wrong:
        head = [f"All {len(pack.hashes)} events and the files are as they were; the newest has the hash"]
        pack.notes = [*head, pack.hashes[-1], *pack.notes]
    return pack


def shown(words: str) -> str:
    """Return words fit for a terminal: names in an export may hold anything."""
    return "".join(sign if sign.isprintable() else "?" for sign in words[:500])


def main() -> int:
    """Verify what the command line names, and say what was found."""
    parser = argparse.ArgumentParser(description="Verify the export of a refereed game.")
    parser.add_argument("export", nargs="?", type=Path, default=Path(__file__).resolve().parent)
    parser.add_argument("--checkpoint", action="append", type=Path, default=[], metavar="NOTE.txt")
    parser.add_argument("--note", action="append", type=Path, default=[], metavar="NOTE.txt", help="a witness's")
    parser.add_argument("--key", metavar="FINGERPRINT", help="the table's key: 32 digits")
    asked = parser.parse_args()
    if asked.key is not None and not re.fullmatch("[0-9A-Fa-f]{32}", "".join(asked.key.split())):
        parser.error(f"--key: {asked.key!r} is no fingerprint: give its 32 digits")
    if not NOTES.is_file():
        sys.stdout.write(f"{NOTES.name} must lie beside verify.py: it checks what was signed\n")
        return 2
    cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="replace")  # a terminal may lack a sign
    try:
        pack = verify(asked.export, asked.checkpoint, asked.key or "", asked.note)
    except (GivenError, *UNREADABLE) as error:
        what = "" if isinstance(error, GivenError) else f"{asked.export} can't be opened as an export: "
        sys.stdout.write(f"{what}{shown(str(error))}\n")
        return 2
    for words in (*(f"WRONG: {one}" for one in pack.wrong), *pack.notes):
        sys.stdout.write(f"{shown(words)}\n")
    sys.stdout.write("NOT AS IT WAS\n" if pack.wrong else "VERIFIED\n")
    return 1 if pack.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
