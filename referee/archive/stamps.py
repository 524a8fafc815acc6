"""Checks timestamps on a game's checkpoints, and says in lines what time they prove."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificates

from referee.archive.verify import stamp_of
from referee.storage.checkpoint import Checkpoint, CheckpointError, contradiction
from referee.storage.journal import JournalEntry, JournalError
from referee.storage.timestamps import Timestamped


class StampsError(Exception):
    """A timestamp that doesn't fit its checkpoint, the events, or the authority; the message says which."""


def told_stamps(
    stamps: Sequence[Timestamped], entries: Sequence[JournalEntry], authority: Sequence[Certificate] | None
) -> Iterator[str]:
    """Yield what timestamps prove, in lines; nothing where there are none, and nobody asks to check them.

    authority: certificates of whoever gave them, ``None`` where signatures can't be checked. Raises StampsError for a
    timestamp that does not hold, JournalError where signatures can't be checked though they ought to be.
    """
    if not stamps:
        if authority is not None:
            yield "no timestamps in this game: nothing to check"
        return
    newest = (0, "")
    for number, one in enumerate(stamps, 1):
        try:
            checkpoint, stamp = Checkpoint.parse(one.checkpoint), stamp_of(one.token)
        except (CheckpointError, ValueError) as error:
            raise StampsError(f"timestamp {number}: {error}") from error
        if stamp.digest != hashlib.sha256(one.stamped).digest():
            raise StampsError(f"timestamp {number} is not of its checkpoint")
        if problem := contradiction(checkpoint, entries):
            raise StampsError(f"timestamp {number}: {problem}")
        if authority is not None:
            _check_signature(number, one, stamp.digest, authority)
        newest = max(newest, (checkpoint.events, stamp.at))
    count = f"{len(stamps)} timestamps" if len(stamps) > 1 else "1 timestamp"
    if authority is None:
        yield f"{count}: by the newest, the first {newest[0]} of {len(entries)} events were there at {newest[1]}"
        yield "  whether the authority signed that is checked with its certificates: --authority CA.pem"
    else:
        yield f"{count}, signed by the authority: the first {newest[0]} of {len(entries)} events were there"
        yield f"  at {newest[1]}"


def certificates(path: Path) -> list[Certificate]:
    """Read an authority's certificates. Raises OSError, and ValueError for a file that holds none."""
    try:
        return load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} holds no certificate (PEM)") from error


def _check_signature(number: int, one: Timestamped, digest: bytes, roots: Sequence[Certificate]) -> None:
    """Check what the authority signed. Raises StampsError, and JournalError where it can't be checked."""
    try:
        from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response
    except ImportError:
        needed = "to check the authority, run pip install 'tower-referee[timestamps]' in the referee's environment"
        raise JournalError(needed) from None
    try:
        VerifierBuilder(roots=list(roots)).build().verify(decode_timestamp_response(one.token), digest)
    except (VerificationError, ValueError) as error:
        raise StampsError(f"timestamp {number} is not signed by this authority: {error}") from error
