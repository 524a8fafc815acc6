"""A signed note of how far a journal had come, for players to take away: text that fits into a QR code.

A hash chain shows an edit, but not a tail that was cut off or a journal rewritten as a whole. A checkpoint kept
elsewhere shows both: it names the number and hash of the newest event at its time, and whoever holds it can prove
later that the journal still begins with just these events. It is signed (Ed25519, RFC 8032) with a key that the
table keeps, so nobody can make up a checkpoint either: an unsigned one would let a loser discredit an honest journal.
A signature with a key of its own and not a keyed hash, because players must be able to check it without any secret
of the table's.

The text is signed as it stands, line by line, so it can be photographed, typed off and sent around.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from referee.storage.diskspace import sync_folder
from referee.storage.journal import GENESIS, Journal, JournalEntry

TITLE = "Referee checkpoint 1"
_LINES = re.compile(
    r"(?P<signed>Referee checkpoint 1\n"
    r"Events: (?P<events>0|[1-9][0-9]{0,14}), (?P<at>[0-9TZ:.+-]{10,40})\n"
    r"Head: (?P<head>[0-9A-Za-z_-]{43})\n"
    r"Key: (?P<key>[0-9A-Za-z_-]{43})\n)"
    r"Sign: (?P<signature>[0-9A-Za-z_-]{86})"
)


class CheckpointError(ValueError):
    """Text that is no checkpoint, a signature that does not fit, or a key file that can't be used."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed note of how far a journal had come.

    events: number of the newest event. at: when that was written, as the event says. head: its hash, 32 bytes. key:
    the public key of the table, 32 bytes. signature: 64 bytes.
    """

    events: int
    at: str
    head: bytes
    key: bytes
    signature: bytes

    @property
    def text(self) -> str:
        """Return the checkpoint as people keep it."""
        return _signed(self.events, self.at, self.head, self.key) + f"Sign: {_base64(self.signature)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a checkpoint, with any text around it, and check its signature. Raises CheckpointError."""
        found = _LINES.search("\n".join(line.strip() for line in text.splitlines()))
        if found is None:
            raise CheckpointError(f"this is no checkpoint: five lines are looked for, the first of them {TITLE!r}")
        try:
            head, key, signature = (_bytes(found[name]) for name in ("head", "key", "signature"))
            Ed25519PublicKey.from_public_bytes(key).verify(signature, found["signed"].encode())
        except (InvalidSignature, ValueError):
            raise CheckpointError(
                "this checkpoint's signature is wrong: a line of it was changed or misread"
            ) from None
        return cls(int(found["events"]), found["at"], head, key, signature)


def contradiction(checkpoint: Checkpoint, entries: Sequence[JournalEntry]) -> str:
    """Return how a journal, all its verified events, contradicts a checkpoint; empty when it does not."""
    if checkpoint.events > len(entries):
        missing = checkpoint.events - len(entries)
        return (
            f"the journal ends at event {len(entries)}, the checkpoint was made at event {checkpoint.events}: "
            f"the last {missing} {'event was' if missing == 1 else 'events were'} cut off"
        )
    head = entries[checkpoint.events - 1].hash if checkpoint.events else GENESIS
    if bytes.fromhex(head) != checkpoint.head:
        return (
            f"event {checkpoint.events} is another one than the checkpoint says: it is another or a rewritten journal"
        )
    return ""


def open_key(path: Path) -> Ed25519PrivateKey:
    """Return the key in a file; make a new one where there is no file. Raises CheckpointError."""
    try:
        if not path.exists():
            _create(path)
        secret = _bytes(path.read_text(encoding="ascii").strip())
        return Ed25519PrivateKey.from_private_bytes(secret)
    except OSError as error:
        raise CheckpointError(f"{path}: the key for checkpoints can't be used: {error.strerror}") from error
    except ValueError as error:
        raise CheckpointError(
            f"{path} holds no key for checkpoints: put the right file back, or delete it for a new key "
            "(checkpoints made so far then name a key this table no longer has)"
        ) from error


class Signer:
    """Signs checkpoints with a table's key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the signer with the key in a file; make a new key where there is no file. Raises CheckpointError."""
        return cls(open_key(path))

    def sign(self, events: int, at: str, head: str) -> Checkpoint:
        """Sign the checkpoint of a journal whose newest event has this number, time and hash."""
        digest = bytes.fromhex(head)
        signature = self._key.sign(_signed(events, at, digest, self.public).encode())
        return Checkpoint(events, at, digest, self.public, signature)

    def raw(self, message: bytes) -> bytes:
        """Sign bytes whose beginning says what they are; return the signature, 64 bytes."""
        return self._key.sign(message)

    def checkpoint(self, journal: Journal) -> Checkpoint:
        """Sign the checkpoint of a journal as it stands."""
        newest = journal.newest
        return self.empty() if newest is None else self.sign(newest.number, newest.at, newest.hash)

    def empty(self) -> Checkpoint:
        """Sign the checkpoint of a journal without events."""
        return self.sign(0, "1970-01-01T00:00:00Z", GENESIS)


class CheckpointOf:
    """Checkpoints of the journal that is open now, for the page. ``journal`` gives it: a new game has a new one."""

    def __init__(self, signer: Signer, journal: Callable[[], Journal]) -> None:
        self._signer = signer
        self._journal = journal
        self._made = signer.empty()

    def text(self) -> str:
        """Return a checkpoint of the journal as it stands, signed once for each newest event."""
        newest, made = self._journal().newest, self._made
        head, at = (newest.hash, newest.at) if newest is not None else (GENESIS, made.at)
        if (made.head.hex(), made.at) != (head, at) or newest is None:
            self._made = made = self._signer.checkpoint(self._journal())
        return made.text


def fingerprint(key: bytes) -> str:
    """Return a public key's fingerprint, to be compared by eye: eight groups of four hexadecimal digits."""
    return _grouped(hashlib.sha256(key).hexdigest()[:32])


def typed_fingerprint(text: str) -> str:
    """Return a fingerprint that somebody typed, in any grouping, as ``fingerprint`` has it. Raises ValueError."""
    digits = "".join(text.split()).lower()
    if not re.fullmatch("[0-9a-f]{32}", digits):
        raise ValueError(f"{text!r} is no fingerprint: give its 32 digits")
    return _grouped(digits)


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _signed(events: int, at: str, head: bytes, key: bytes) -> str:
    return f"{TITLE}\nEvents: {events}, {at}\nHead: {_base64(head)}\nKey: {_base64(key)}\n"


def _create(path: Path) -> None:
    """Write a new key, whole or not at all, for its owner's eyes alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    secret = Ed25519PrivateKey.generate().private_bytes_raw()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(_base64(secret) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)  # unlike a rename it never replaces the key another process has just made
    except FileExistsError:
        pass
    finally:
        part.unlink()
    sync_folder(path.parent)


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("no base64") from error
    if _base64(data) != text:
        raise ValueError("no base64 of this length")
    return data
