"""The button box's line protocol, version 1: one message a line, each with a checksum.

docs/reference/button-box-protocol.md describes it.

``@SEQ KIND ARGUMENTS*CRC`` and a line feed, in ASCII, at most 63 bytes. The checksum is CRC-16/CCITT-FALSE over what
stands between ``@`` and ``*``, as four hexadecimal digits. An ``@`` begins a line wherever it stands, so a reader
finds its way back after a cut or garbled one. Pure: no port, no clock.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass

VERSION = 1
LONGEST_LINE = 63
"""Bytes of a line with its end: what fits an Arduino's buffer."""
MOST_SEQ = 65_535

_WORD = r"[!-?A-~]+"
_BODY = re.compile(rf"(0|[1-9][0-9]{{0,4}}) ([A-Z]+)((?: {_WORD})*)")
_CRC = re.compile(rb"[0-9A-F]{4}")


class LineError(ValueError):
    """A message that can't be sent as a line."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. seq: the sender's own count, 0 to 65535; arguments: words without spaces, ``@`` or ``*``."""

    seq: int
    kind: str
    arguments: tuple[str, ...] = ()


def checksum(body: bytes) -> bytes:
    """Return the CRC-16/CCITT-FALSE of a body, as it stands in a line."""
    return b"%04X" % binascii.crc_hqx(body, 0xFFFF)


def encode(message: Message) -> bytes:
    """Return the message as a line. Raises LineError for one that no line can hold."""
    body = " ".join((str(message.seq), message.kind, *message.arguments))
    found = _parsed(body)
    if found != message or "*" in body:
        raise LineError(f"{message} can't be sent: use capitals for the kind and plain words for arguments")
    raw = body.encode("ascii")
    line = b"@" + raw + b"*" + checksum(raw) + b"\n"
    if len(line) > LONGEST_LINE:
        raise LineError(f"{message} can't be sent: its line has {len(line)} bytes, {LONGEST_LINE} are allowed")
    return line


class Decoder:
    """Finds messages in bytes as they come, in pieces of any size. Holds less than a line, whatever comes."""

    def __init__(self) -> None:
        self._line: bytearray | None = None
        self.spoiled = 0
        """Lines that were begun and were no message."""

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that are whole now; leave out and count everything else."""
        found = []
        for part in re.split(rb"([@\r\n])", data):
            if part == b"@":
                self._drop()
                self._line = bytearray()
            elif part in (b"\n", b"\r"):
                message = None if self._line is None else _decoded(bytes(self._line))
                if message is None:
                    self._drop()
                else:
                    found.append(message)
                self._line = None
            elif self._line is not None:
                self._line += part[:LONGEST_LINE]
                if len(self._line) > LONGEST_LINE - 2:
                    self._drop()
        return found

    def _drop(self) -> None:
        if self._line is not None:
            self.spoiled += 1
            self._line = None


def _decoded(line: bytes) -> Message | None:
    body, star, told = line.rpartition(b"*")
    if not star or not _CRC.fullmatch(told) or told != checksum(body) or b"*" in body:
        return None
    try:
        return _parsed(body.decode("ascii"))
    except UnicodeDecodeError:
        return None


def _parsed(body: str) -> Message | None:
    found = _BODY.fullmatch(body)
    if found is None or int(found[1]) > MOST_SEQ:
        return None
    return Message(int(found[1]), found[2], tuple(found[3].split()))
