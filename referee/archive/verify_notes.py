"""Verify what the table and players' devices signed of a refereed game: a part of verify.py, which runs it.

A checkpoint is five lines that the table signed.
A device's note is a signed note of C2SP (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature): the journal's
name, its number of events and the root of a tree over their hashes (RFC 6962), signed by the table and the device.
docs/reference/export.md tells the format. Needs Python 3.9 or newer; signatures need the cryptography package.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

EMPTY = hashlib.sha256(b"").digest()
MOST_CHARACTERS, MOST_LINES, MOST_WRONG = 4000, 30_000, 100
NOTE = re.compile(
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
            key = shown(unweb64(found[5]))
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
            if len(self.wrong) >= MOST_WRONG or number > MOST_LINES:
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
                f"{shown(key)}); it vouches for them, and for none of the {len(self._hashes) - note.events} after."
            )

    def tell(self) -> None:
        """Say who witnessed what, and what nobody can know."""
        for key, sizes in self._signed.items():
            seen = sorted({bisect_right(self._rulings, size) for size in sizes} - {0})
            rulings = f"rulings {spans(seen)} of {len(self._rulings)}" if seen else "no ruling"
            self.told.append(
                f"{' and '.join(self._names[key])} witnessed {rulings}; its newest signature covers {max(sizes)} of "
                f"{len(self._hashes)} events (key {shown(key)})."
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
        if self._fingerprint not in ("", shown(key)):
            self.wrong.append(f"{name} is signed with another key: {shown(key)}")

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
    found = NOTE.fullmatch("\n".join(lines) + "\n")
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
        checked = check(origin, 1, table, blobs.get(origin, b""), body.encode(), 4)
        devices = []
        for name, blob in blobs.items():
            known = DEVICE.fullmatch(name)
            if known:
                key, at_s = unweb64(known[1]), int.from_bytes(blob[4:12], "big")
                check(name, 4, key, blob, f"cosignature/v1\ntime {at_s}\n{body}".encode(), 12)
                devices.append((key, at_s))
    except ValueError:
        raise ValueError("was changed: a signature is wrong") from None
    return Note(table, found[3], int(found[4]), base64.b64decode(found[5]), devices, checked)


def check(name: str, kind: int, key: bytes, blob: bytes, message: bytes, start: int) -> bool:
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


def shown(key: bytes) -> str:
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
