"""Timestamps by RFC 3161 on a journal's checkpoints, kept beside the journal, a line of JSON each.

An authority elsewhere signs that a checkpoint existed at a time, so a game that is written anew later, with all its
signatures, can't have its times. They are no events, as the notes of witnesses are none.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path

from referee.storage.witnesses import keep_line, read_start

MOST_BYTES = 32 << 20
"""Bytes of all timestamps of a game that are kept or read: some four thousand."""


@dataclass(frozen=True, slots=True)
class Timestamped:
    """A checkpoint with its timestamp.

    checkpoint: the text that the table signed, without an end of line. token: the authority's answer
    (TimeStampResp of RFC 3161, DER) on the SHA-256 of ``stamped``.
    """

    checkpoint: str
    token: bytes

    @property
    def stamped(self) -> bytes:
        """Return the bytes that the authority's hash is of: the checkpoint as a file of text."""
        return stamped(self.checkpoint)

    @property
    def line(self) -> str:
        """Return it as a line of JSON, with its end."""
        said = {"checkpoint": self.checkpoint, "token": base64.b64encode(self.token).decode()}
        return json.dumps(said, separators=(",", ":")) + "\n"


def stamped(checkpoint: str) -> bytes:
    """Return the bytes of a checkpoint that are timestamped."""
    return checkpoint.encode() + b"\n"


def timestamps_in(content: bytes) -> list[Timestamped]:
    """Return the timestamps among lines of JSON; what is none is passed over."""
    found = []
    for line in content.split(b"\n"):
        try:
            said = json.loads(line)
            found.append(Timestamped(str(said["checkpoint"]), base64.b64decode(said["token"], validate=True)))
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
    return found


def read_timestamps(path: Path) -> list[Timestamped]:
    """Return the timestamps in a file; a line that was broken off is passed over. Raises OSError."""
    return timestamps_in(read_start(path, MOST_BYTES)) if path.is_file() else []


def keep_timestamp(path: Path, fresh: Timestamped) -> None:
    """Add a timestamp to a file and bring it to the disk. Raises OSError as ``keep_line`` does."""
    keep_line(path, fresh.line, MOST_BYTES)
