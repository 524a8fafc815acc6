#!/usr/bin/env python3
"""Verify the export of a refereed game, with nothing but Python 3.9 or newer.

    python3 verify.py GAME.zip [--checkpoint NOTE.txt ...] [--note NOTE.txt ...] [--key FINGERPRINT]

Without a name it verifies the folder it lies in, where an export was unpacked. It says what was changed, added,
removed, cut or rewritten, and where. It shares no line with the program that made the export; the format is told in
docs/reference/export.md. Signatures need the cryptography package, all else needs this file alone. Take it from a
place you trust: whoever changes a game can change it, too.

A checkpoint is five lines that the table signed.
A device's note is a signed note of C2SP (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature): the journal's
name, its number of events and the root of a tree over their hashes (RFC 6962), signed by the table and the device.

Exit status: 0 it is all right, 1 it is not, 2 it could not be checked.
"""

from __future__ import annotations

import argparse
import base64
import copy
import hashlib
import io
import itertools
import json
import re
import struct
import sys
import time
import zipfile
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast

FORMAT, MANIFEST, EVENTS, NOTE = "referee export 1", "manifest.json", "journal.jsonl", "checkpoint.txt"
WITNESSES, TIMESTAMPS = "witnesses.jsonl", "timestamps.jsonl"
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
LARGEST_WITNESSES_BYTES, LARGEST_TIMESTAMPS_BYTES = 16 << 20, 32 << 20
MOST_WRONG = 100
"""Findings of one kind that are reported; further ones are not looked for."""
CHUNK_BYTES = 1 << 20
UNICODE_PATH = 0x7075
"""A field of a ZIP that gives a file a second name, which some programs take."""

EMPTY = hashlib.sha256(b"").digest()
MOST_CHARACTERS = 4000
WITNESSED = re.compile(
    r"(?a)(table\.referee\.invalid/([\w-]{43})/([0-9a-f]{16})\n(\d{1,15})\n([A-Za-z0-9+/]{43}=)\n)\n((?:[^\n]+\n)+)"
)
SIGNATURE = re.compile("\N{EM DASH} ([^\\s+]+) ([A-Za-z0-9+/]+=*)")
DEVICE = re.compile(r"(?a)device\.referee\.invalid/([\w-]{43})")
CHECKPOINT = re.compile(
    r"(?a)(Referee checkpoint 1\nEvents: (\d{1,15}), (\S{10,40})\nHead: ([\w-]{43})\nKey: ([\w-]{43})\n)"
    r"Sign: ([\w-]{86})"
)

SHA256 = bytes.fromhex("608648016503040201")
"""Content of the object identifier 2.16.840.1.101.3.4.2.1."""
STAMPED_AT = re.compile(r"(?a)(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z")

MADE_UP = (
    ". Or the note is made up: another table key signed it than the checkpoint. The key that the players noted "
    "decides: --key"
)


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
            if not all(info.filename for info in infos):
                raise ValueError("it holds a file without a name")
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

    def lines(self, name: str, most: int) -> Iterator[bytes]:
        """Yield the lines of a file with their ends; the last has none where it was cut, or is too long."""
        rest = b""
        for chunk in self.chunks(name, most) if name in self.names else ():
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


def check_shape(pack: Pack) -> None:
    """Check that every program finds the same files in the ZIP: no byte outside of them, and one name for each."""
    if pack.zip is None:
        return
    end, room = 0, {0}
    with pack.path.open("rb") as file:
        for info in sorted(pack.zip.infolist(), key=lambda info: info.header_offset):
            file.seek(info.header_offset)
            sizes = struct.unpack("<14xIIIHH", file.read(30).ljust(30, b"\0"))
            name, more = sizes[3:]
            if info.header_offset - end not in room:
                pack.blame(f"before {info.filename} stand bytes that are of no file: another program may read others")
                return
            if UNICODE_PATH in (*fields(info.extra), *fields(file.read(name + more)[name:])):
                pack.blame(f"{info.filename} has a second name: another program may take that")
            if not info.flag_bits & 8 and sizes[1] not in (info.compress_size, 0xFFFFFFFF):
                pack.blame(f"{info.filename} has two sizes: another program may take the other")
            end = info.header_offset + 30 + name + more + info.compress_size
            room = {0, 12, 16, 20, 24} if info.flag_bits & 8 else {0}  # its sizes, after it
    if pack.zip.start_dir - end not in room:
        pack.blame("after the files stand bytes that are of none: another program may read others")


def fields(extra: bytes) -> Iterator[int]:
    """Yield the kinds of what a ZIP says besides of a file."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        yield kind
        at += 4 + size


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
    return {body_of(line[:-1])[0].get("number", 0) for line in pack.lines(EVENTS, LARGEST_EVENTS_BYTES)}


def check_events(pack: Pack) -> None:
    """Follow the chain, and note each event's hash and pictures."""
    previous, known, expected = GENESIS, True, 1
    numbers: set[int] = set()
    for line in pack.lines(EVENTS, LARGEST_EVENTS_BYTES):
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


class Note(NamedTuple):
    """A note.

    table: the table's key. devices: key and time (seconds since 1970) of each that signed. checked: whether the
    signatures could be.
    """

    table: bytes
    game: str
    events: int
    root: bytes
    devices: list[tuple[bytes, int]]
    checked: bool


class Stamp(NamedTuple):
    """What a timestamp tells. digest: SHA-256 of what was stamped; at: time by the authority, UTC, ISO 8601."""

    digest: bytes
    at: str


def stamp_of(answer: bytes) -> Stamp:
    """Read an authority's answer (TimeStampResp of RFC 3161, DER). Raises ValueError for anything else.

    Its signature is not checked: that takes certificates and what the standard library lacks.
    """
    try:
        status, token = elements(elements(answer)[0][1])
        if int.from_bytes(elements(status[1])[0][1], "big") > 1:
            raise ValueError("the authority refused it")
        signed_data = elements(elements(elements(token[1])[1][1])[0][1])
        content = elements(elements(signed_data[2][1])[1][1])[0][1]
        info = elements(elements(content)[0][1])
        (algorithm, digest), time_of = elements(info[2][1]), info[4]
        if (elements(algorithm[1])[0][1], digest[0], len(digest[1]), time_of[0]) != (SHA256, 4, 32, 24):
            raise ValueError("it is of another kind")
        found = STAMPED_AT.fullmatch(time_of[1].decode("ascii"))
        if not found:
            raise ValueError("it tells no time")
    except (IndexError, TypeError, UnicodeDecodeError) as error:
        raise ValueError("it can't be read") from error
    return Stamp(digest[1], "{}-{}-{}T{}:{}:{}Z".format(*found.groups()))


def elements(data: bytes) -> list[tuple[int, bytes]]:
    """Return tag and content of each element of DER, one after the other. Raises ValueError where one is cut off."""
    found, at = [], 0
    while at < len(data):
        tag, size, at = data[at], data[at + 1], at + 2
        if size & 0x80:
            wide = size & 0x7F
            size, at = int.from_bytes(data[at : at + wide], "big"), at + wide
        if at + size > len(data):
            raise ValueError("it is cut off")
        found.append((tag, data[at : at + size]))
        at += size
    return found


class Tree:
    """The tree over the hashes of events, in hexadecimal digits."""

    def __init__(self, hashes: Sequence[str]) -> None:
        self._leaves = [hashlib.sha256(b"\0" + bytes.fromhex(one)).digest() for one in hashes]
        self._known: dict[tuple[int, int], bytes] = {}

    def root(self, size: int) -> bytes:
        """Return the root over the first so many."""
        return self._root(0, size) if size else EMPTY

    def _root(self, start: int, end: int) -> bytes:
        if end - start == 1:
            return self._leaves[start]
        if (start, end) not in self._known:
            middle = start + (1 << (end - start - 1).bit_length() - 1)
            both = self._root(start, middle) + self._root(middle, end)
            self._known[start, end] = hashlib.sha256(b"\1" + both).digest()
        return self._known[start, end]


class Notes:
    """What notes say of events. wrong: what was found; told: what there is to say.

    hashes: of all events. rulings: the numbers of those that are rulings. fingerprint: of the table's key, where it
    is known.
    """

    def __init__(self, hashes: Sequence[str], rulings: Sequence[int], fingerprint: str) -> None:
        self.wrong, self.told = list[str](), list[str]()
        self._fingerprint, self._keys = "".join(fingerprint.split()).lower(), set[bytes]()
        self._hashes, self._rulings, self._tree = hashes, rulings, Tree(hashes)
        self._names = dict[bytes, dict[str, None]]()
        self._signed = dict[bytes, set[int]]()
        self._kept = set[bytes]()

    def check_checkpoint(self, name: str, text: str) -> None:
        """Check a checkpoint's key, signature and events."""
        found = CHECKPOINT.search("\n".join(line.strip() for line in text.splitlines()))
        if not found:
            self.wrong.append(f"{name} is no checkpoint, or was changed")
            return
        checked = self._check_against_events(name, found)
        if checked:
            key = fingerprint_of(unweb64(found[5]))
            self.told.append(f"{name} is signed with the key {key}: compare it with the one the table shows.")
        elif checked is False:
            self.told.append(f"The signature of {name} could not be checked: install Python's cryptography package.")

    def _check_against_events(self, name: str, found: re.Match[str]) -> bool | None:
        """Check a checkpoint; return whether its signature could be checked, ``None`` where it is wrong."""
        key, count = unweb64(found[5]), int(found[2])
        self._keys.add(key)
        self._check_key(name, key)
        checked: bool | None = None
        try:
            checked = signed(key, unweb64(found[6]), found[1].encode())
        except ValueError:
            self.wrong.append(f"{name} was changed: its signature is wrong")
        there = len(self._hashes)
        if there < count:
            self.wrong.append(f"{name} knows {count} events, there are {there}: the end was cut off")
        elif (self._hashes[count - 1] if count else "0" * 64) != unweb64(found[4]).hex():
            self.wrong.append(f"{name} knows another event {count}: it, or one before it, was rewritten")
        return checked

    def check_lines(self, name: str, lines: Iterable[bytes]) -> None:
        """Check the notes that an export brings along, each a line of JSON with the device's name."""
        for place, said in self._said(name, lines):
            try:
                device, text = str(said["device"]), str(said["note"])
            except (LookupError, TypeError):
                self.wrong.append(f"{place} is none: it was changed")
                continue
            note = self._check(place, text)
            for key, _ in note.devices if note else ():
                self._names.setdefault(key, {})[device] = None
                self._signed.setdefault(key, set()).add(note.events if note else 0)

    def check_stamps(self, name: str, lines: Iterable[bytes]) -> None:
        """Check timestamps, each a line of JSON with the checkpoint and what the authority answered; tell the newest.

        What the authority signed is not checked here, which is said.
        """
        newest = (0, "")
        for place, said in self._said(name, lines):
            before = len(self.wrong)
            try:
                text, stamp = str(said["checkpoint"]), stamp_of(base64.b64decode(said["token"], validate=True))
            except (ValueError, LookupError, TypeError):
                self.wrong.append(f"{place} is no timestamp: it was changed")
                continue
            found = CHECKPOINT.fullmatch(text)
            if not found or hashlib.sha256(text.encode() + b"\n").digest() != stamp.digest:
                self.wrong.append(f"{place}: the timestamp is not of this checkpoint")
                continue
            self._check_against_events(place, found)
            if len(self.wrong) == before:
                newest = max(newest, (int(found[2]), stamp.at))
        if newest[0]:
            self.told.append(
                f"{name}: the first {newest[0]} events were there at {newest[1]}, if that is the authority's own "
                "signature. This program can't check it: 'referee journal verify --authority CA.pem' does, or, for "
                "the newest, 'openssl ts -verify -data timestamp.txt -in timestamp.tsr -CAfile CA.pem', with the "
                "authority's certificate in CA.pem."
            )

    def _said(self, name: str, lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
        """Yield where each line stands and what it says in JSON, ``None`` for anything else; not of endless lines."""
        for number, line in enumerate(lines, 1):
            if len(self.wrong) >= MOST_WRONG:
                self.wrong.append(f"{name} holds more than can be looked at")
                return
            try:
                yield f"line {number} of {name}", json.loads(line)
            except (ValueError, RecursionError):
                yield f"line {number} of {name}", None

    def check_kept(self, name: str, text: str) -> None:
        """Check a note that a device kept."""
        note = self._check(name, text)
        if note is None:
            return
        if not note.devices:
            self.wrong.append(f"{name} bears no signature of a device: whoever has the table's key could make it up")
        for key, at_s in note.devices:
            self._kept.add(key)
            known = " and ".join(self._names.get(key, {})) or "a device that the export does not name"
            self.told.append(
                f"{name}: the game begins with the {note.events} events that {known} signed ({when(at_s)}, key "
                f"{fingerprint_of(key)}); it vouches for them, and for none of the "
                f"{len(self._hashes) - note.events} after."
            )

    def tell(self) -> None:
        """Say who witnessed what, and what nobody can know."""
        for key, sizes in self._signed.items():
            seen = sorted({bisect_right(self._rulings, size) for size in sizes} - {0})
            rulings = f"rulings {spans(seen)} of {len(self._rulings)}" if seen else "no ruling"
            self.told.append(
                f"{' and '.join(self._names[key])} witnessed {rulings}; its newest signature covers {max(sizes)} of "
                f"{len(self._hashes)} events (key {fingerprint_of(key)})."
            )
        if not self._keys and not self._kept:
            self.told.append("No signed checkpoint is at hand: a game rewritten as a whole would look like this one.")
        if not self._signed and not self._kept:
            self.told.append(
                "No device witnessed this game, as far as this export tells: whoever has the table's key could have "
                "written all of it anew, and nothing in it would show that."
            )
        elif not self._kept:
            self.told.append(
                "Whether these keys are those of the players' devices can't be known from the export alone: whoever "
                "writes a game anew can make up devices, too. A note kept on one of them decides it: --note FILE."
            )

    def _check_key(self, name: str, key: bytes) -> None:
        if self._fingerprint not in ("", fingerprint_of(key)):
            self.wrong.append(f"{name} is signed with another key: {fingerprint_of(key)}")

    def _check(self, name: str, text: str) -> Note | None:
        """Hold a note against the events; return it where it fits them."""
        try:
            note = parsed(text)
        except ValueError as error:
            self.wrong.append(f"{name} {error}")
            return None
        if not note.checked:
            lacking = "Signatures of devices could not be checked: install Python's cryptography package."
            self.told += [lacking] if lacking not in self.told else []
        self._check_key(name, note.table)
        there, strange = len(self._hashes), self._keys and note.table not in self._keys
        if note.game != (self._hashes[0][:16] if self._hashes else ""):
            found = "knows another event 1: it is of another game, or this one was rewritten"
        elif note.events > there:
            found = f"knows {note.events} events, there are {there}: the end was cut off"
        elif self._tree.root(note.events) != note.root:
            found = f"knows another event {note.events}, or one before it: the game was rewritten"
        else:
            return note
        self.wrong.append(f"{name} {found}{MADE_UP if strange else ''}")
        return None


def parsed(text: str) -> Note:
    """Read a note and check its signatures. Raises ValueError for one that does not hold."""
    lines = [line.strip() for line in text[:MOST_CHARACTERS].strip().split("\n")]
    found = WITNESSED.fullmatch("\n".join(lines) + "\n")
    if not found:
        raise ValueError("is no note of a witness, or was changed")
    body, origin, table = found[1], found[1].split("\n")[0], unweb64(found[2])
    try:
        blobs = {}
        for line in found[6][:-1].split("\n"):
            parts = SIGNATURE.fullmatch(line)
            if not parts:
                raise ValueError("no signature")
            blobs[parts[1]] = base64.b64decode(parts[2], validate=True)
        checked = check_signature(origin, 1, table, blobs.get(origin, b""), body.encode(), 4)
        devices = []
        for name, blob in blobs.items():
            known = DEVICE.fullmatch(name)
            if known:
                key, at_s = unweb64(known[1]), int.from_bytes(blob[4:12], "big")
                check_signature(name, 4, key, blob, f"cosignature/v1\ntime {at_s}\n{body}".encode(), 12)
                devices.append((key, at_s))
    except ValueError:
        raise ValueError("was changed: a signature is wrong") from None
    return Note(table, found[3], int(found[4]), base64.b64decode(found[5]), devices, checked)


def check_signature(name: str, kind: int, key: bytes, blob: bytes, message: bytes, start: int) -> bool:
    """Check a signature; return whether it could be. Raises ValueError where it is wrong."""
    if (
        blob[:4] != hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + key).digest()[:4]
        or len(blob) != start + 64
    ):
        raise ValueError("another key's")
    return signed(key, blob[start:], message)


def signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """Check an Ed25519 signature; return whether it could be. Raises ValueError where it is wrong."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        raise ValueError("it does not fit") from None
    return True


def unweb64(text: str) -> bytes:
    """Return bytes written in the base64 of web addresses, without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fingerprint_of(key: bytes) -> str:
    """Return a key's fingerprint."""
    return hashlib.sha256(key).hexdigest()[:32]


def when(at_s: int) -> str:
    """Return a time in seconds since 1970 as people write it."""
    try:
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at_s))
    except (OverflowError, ValueError, OSError):
        return "at no time that there is"


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as people write them: ``1-3, 5``."""
    parts = list[list[int]]()
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def check_notes(pack: Pack, checkpoints: list[tuple[str, bytes]], kept: list[tuple[str, bytes]], key: str) -> None:
    """Check what was signed: checkpoints, those that were kept and the export's own, and notes of witnesses."""
    found = Notes(pack.hashes, pack.rulings, key)
    try:
        own = [(NOTE, pack.read(NOTE, LARGEST_NOTE_BYTES))] if NOTE in pack.names else []
        for name, raw in (*own, *checkpoints):
            found.check_checkpoint(name, plain(raw))
        found.check_stamps(TIMESTAMPS, pack.lines(TIMESTAMPS, LARGEST_TIMESTAMPS_BYTES))
        found.check_lines(WITNESSES, pack.lines(WITNESSES, LARGEST_WITNESSES_BYTES))
    finally:  # where the export holds too much to be looked at, too
        for name, raw in kept:
            found.check_kept(name, plain(raw))
        found.tell()
        pack.wrong += found.wrong
        pack.notes += found.told


def plain(raw: bytes) -> str:
    """Return a note's text as it was before a mail quoted it, or an editor wrote it in UTF-16 or marked its UTF-8."""
    text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
    return "\n".join(line.strip("> \t\r\"'") for line in text.split("\n"))


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
    pack.stage(check_shape)
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
    cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="replace")  # a terminal may lack a sign
    try:
        pack = verify(asked.export, asked.checkpoint, asked.key or "", asked.note)
    except (GivenError, *UNREADABLE) as error:
        what = "" if isinstance(error, GivenError) else f"{asked.export} can't be opened as an export: "
        sys.stdout.write(f"{shown(f'{what}{error}')}\n")
        return 2
    for words in (*(f"WRONG: {one}" for one in pack.wrong), *pack.notes):
        sys.stdout.write(f"{shown(words)}\n")
    sys.stdout.write("NOT AS IT WAS\n" if pack.wrong else "VERIFIED\n")
    return 1 if pack.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
