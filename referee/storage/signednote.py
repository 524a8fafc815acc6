"""Signed notes of a journal's head that devices at the table co-sign, in the formats of C2SP.

A note is text with lines of signatures below (https://c2sp.org/signed-note). Its text is a checkpoint
(https://c2sp.org/tlog-checkpoint): the journal's name, its number of events, and the root of its tree
(referee/storage/eventtree.py). The table signs it first; a device that saw it adds a cosignature with its time
(https://c2sp.org/tlog-cosignature). Both keys are Ed25519 and stand in the names, so a note needs nothing beside it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.storage.checkpoint import Signer

TABLE, DEVICE = "table.referee.invalid", "device.referee.invalid"
"""First parts of the names of tables and devices: addresses of a domain that nobody can own (RFC 2606)."""
SIGNED, COSIGNED = 1, 4
"""Types of signatures of signed notes: plain Ed25519, and timestamped cosignatures of checkpoints."""
MOST_CHARACTERS = 4000
"""Characters of a note that is read. One with sixteen signatures has 3500."""
_ORIGIN = re.compile(r"(?a)table\.referee\.invalid/([\w-]{43})/([0-9a-f]{16})")
_DEVICE = re.compile(r"(?a)device\.referee\.invalid/([\w-]{43})")
_TEXT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,14})\n([^\n]+)\n")
_SIGNATURE = re.compile("\N{EM DASH} ([^\\s+]+) ([A-Za-z0-9+/]+=*)")


class NoteError(ValueError):
    """Text that is no witness's note, or a signature that does not fit."""


@dataclass(frozen=True, slots=True)
class TreeHead:
    """A journal as it stood. key: the table's, 32 bytes. game: 16 hexadecimal digits. root: of the tree, 32 bytes."""

    key: bytes
    game: str
    events: int
    root: bytes

    @property
    def origin(self) -> str:
        """Return the journal's name."""
        return f"{TABLE}/{_web64(self.key)}/{self.game}"

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.events}\n{base64.b64encode(self.root).decode()}\n"


@dataclass(frozen=True, slots=True)
class Cosignature:
    """What a device signed. key: the device's, 32 bytes. at_s: seconds since 1970 by the device's clock."""

    key: bytes
    at_s: int


@dataclass(frozen=True, slots=True)
class WitnessNote:
    """A journal's head with the table's signature and those of devices, all of them checked.

    text: the note with these signatures, and with nothing else that stood in it.
    """

    head: TreeHead
    cosignatures: tuple[Cosignature, ...]
    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a note, with blank lines and spaces around it, and check its signatures. Raises NoteError.

        Signatures of names that are neither the table's nor a device's are passed over, as signed notes demand.
        """
        lines = "\n".join(line.strip() for line in text[:MOST_CHARACTERS].strip().split("\n"))
        body, gap, below = lines.rpartition("\n\n")
        body += "\n"
        found = _TEXT.fullmatch(body) if gap else None
        named = _ORIGIN.fullmatch(found[1]) if found else None
        if found is None or named is None:
            raise NoteError("this is no witness’s note: three lines of a table’s checkpoint are looked for")
        try:
            head = TreeHead(_unweb64(named[1]), named[2], int(found[2]), _unbase64(found[3]))
            signed = dict(_signatures(below))
            own = signed.pop(head.origin, b"")
            _check_table(head, own)
            cosignatures = tuple(_cosignatures(head, signed))
        except (InvalidSignature, ValueError):
            raise NoteError("this note’s signature is wrong: a line of it was changed or misread") from None
        if len(head.root) != 32:
            raise NoteError("this note’s root is no hash")
        devices = ((name, blob) for name, blob in signed.items() if _DEVICE.fullmatch(name))
        written = "".join(_line(name, blob) for name, blob in ((head.origin, own), *devices))
        return cls(head, cosignatures, f"{head.text}\n{written}")


def kept_text(raw: bytes) -> str:
    """Return a note's text as it was before a mail quoted it, or an editor wrote it in UTF-16 or marked its UTF-8."""
    text = raw.decode("utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig", "replace")
    return "\n".join(line.strip("> \t\r\"'") for line in text.split("\n"))


def signed_by_table(signer: Signer, game: str, events: int, root: bytes) -> str:
    """Return a note of a journal's head that the table alone has signed yet."""
    head = TreeHead(signer.public, game, events, root)
    blob = key_id(head.origin, SIGNED, signer.public) + signer.raw(head.text.encode())
    return f"{head.text}\n{_line(head.origin, blob)}"


def cosigned_message(head_text: str, at_s: int) -> bytes:
    """Return the bytes that a cosignature signs."""
    return f"cosignature/v1\ntime {at_s}\n{head_text}".encode()


def cosignature_line(key: bytes, at_s: int, signature: bytes) -> str:
    """Return the line that a device adds to a note. at_s: seconds since 1970."""
    name = device_name(key)
    return _line(name, key_id(name, COSIGNED, key) + at_s.to_bytes(8, "big") + signature)


def device_name(key: bytes) -> str:
    """Return the name that a device signs under."""
    return f"{DEVICE}/{_web64(key)}"


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Return the four bytes that tell a key of a signed note from others. kind: the type of its signatures."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def _signatures(below: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each signature. Raises ValueError for a line that is none."""
    for line in below.split("\n"):
        found = _SIGNATURE.fullmatch(line)
        if found is None:
            raise ValueError("no signature")
        yield found[1], _unbase64(found[2])


def _check_table(head: TreeHead, blob: bytes) -> None:
    if blob[:4] != key_id(head.origin, SIGNED, head.key):
        raise ValueError("the table has not signed it")
    Ed25519PublicKey.from_public_bytes(head.key).verify(blob[4:], head.text.encode())


def _cosignatures(head: TreeHead, signed: dict[str, bytes]) -> Iterator[Cosignature]:
    for name, blob in signed.items():
        found = _DEVICE.fullmatch(name)
        if found is None:
            continue
        key, at_s = _unweb64(found[1]), int.from_bytes(blob[4:12], "big")
        if blob[:4] != key_id(name, COSIGNED, key) or at_s >= 1 << 63:
            raise ValueError("another key's")
        Ed25519PublicKey.from_public_bytes(key).verify(blob[12:], cosigned_message(head.text, at_s))
        yield Cosignature(key, at_s)


def _line(name: str, blob: bytes) -> str:
    return f"\N{EM DASH} {name} {base64.b64encode(blob).decode()}\n"


def _web64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _unweb64(text: str) -> bytes:
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _web64(data) != text:
        raise ValueError("no base64 of this length")
    return data


def _unbase64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
    if base64.b64encode(data).decode() != text:
        raise ValueError("no base64 of this length")
    return data
