"""Asks an authority for a timestamp (RFC 3161) on the journal's checkpoint after a turn, from a thread of its own.

Nothing waits for it: a table without internet plays on, and ``trouble`` says why there are no timestamps.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import threading
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from referee.storage.journal import Journal, JournalError
from referee.storage.timestamps import Timestamped, keep_timestamp, read_timestamps, stamped
from referee.values.words import Words, say, verbatim

GLANCE_S = 2.0
"""It is seen so often whether a turn was ruled on."""
AGAIN_S = 60.0
"""After a failure the authority is left alone for so long."""
PATIENCE_S = 15.0
"""An answer is waited for so long."""
LARGEST_BYTES = 64_000
"""Bytes of an answer at most; with the authority's certificates it has some six thousand."""
_LOG = logging.getLogger(__name__)
_QUERY, _REPLY = "application/timestamp-query", "application/timestamp-reply"


class StampError(Exception):
    """An authority that gave no timestamp. words: why, for players; the message says more, for the log."""

    def __init__(self, words: Words, more: str = "") -> None:
        super().__init__(": ".join(part for part in (words.text("en"), more) if part))
        self.words = words


def asked(authority: str, checkpoint: str) -> Timestamped:
    """Ask an authority for a timestamp on a checkpoint's text. Raises StampError."""
    try:
        from rfc3161_client import HashAlgorithm, TimestampRequestBuilder, decode_timestamp_response
    except ImportError:
        how = "run pip install 'tower-referee[timestamps]' in the referee's environment"
        raise StampError(say("rfc3161-client is not installed"), how) from None
    host = verbatim(urlsplit(authority).hostname or authority)
    data = stamped(checkpoint)
    request = TimestampRequestBuilder().data(data).hash_algorithm(HashAlgorithm.SHA256).build()
    posted = urllib.request.Request(
        authority, request.as_bytes(), {"Content-Type": _QUERY, "Accept": _REPLY}, method="POST"
    )
    try:
        with urllib.request.urlopen(posted, timeout=PATIENCE_S) as answer:
            content = answer.read(LARGEST_BYTES + 1)
    except (OSError, HTTPException, ValueError) as error:
        raise StampError(say("{host} gives no answer", host=host), str(error)) from error
    try:
        found = decode_timestamp_response(content)
        granted = found.status in (0, 1)
        fits = granted and found.tst_info.message_imprint.message == hashlib.sha256(data).digest()
    except ValueError as error:
        raise StampError(say("{host} sends no timestamp", host=host), str(error)) from error
    if not fits or found.tst_info.nonce != request.nonce:
        raise StampError(say("{host} sends no timestamp", host=host), "it is not of what was asked for")
    return Timestamped(checkpoint, content)


class Timestamping:
    """Stamps the game that is open now, once a ruling at most, from ``start`` to ``close``."""

    def __init__(
        self,
        authority: str,
        journal: Callable[[], Journal],
        rulings: Callable[[], int],
        checkpoint: Callable[[Journal], str],
        place: Callable[[Path], Path],
        glance_s: float = GLANCE_S,
        again_s: float = AGAIN_S,
    ) -> None:
        """Take an authority's address.

        rulings: how many turns were ruled on in the journal that is open. checkpoint: text of a journal's checkpoint.
        place: where its timestamps lie.
        """
        self._authority, self._journal, self._rulings = authority, journal, rulings
        self._checkpoint, self._place = checkpoint, place
        self._glance_s, self._again_s = glance_s, again_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timestamps", daemon=True)
        self._trouble: Words | None = None

    @property
    def trouble(self) -> Words | None:
        """Return why the newest turn has no timestamp, ``None`` where it has one or none was due yet."""
        why = self._trouble
        return None if why is None else say("Turns get no timestamps: {why}.", why=why)

    def start(self) -> None:
        """Begin to look for rulings."""
        self._thread.start()

    def close(self) -> None:
        """Stop; an answer that is waited for is left to itself."""
        self._stop.set()

    def _run(self) -> None:
        done: tuple[Path, int] | None = None
        while not self._stop.wait(self._glance_s):
            with contextlib.suppress(JournalError):
                journal = self._journal()
                now = journal.path, self._rulings()
                if now == done or not now[1]:
                    continue
                if self._stamped(journal):
                    done = now
                else:
                    self._stop.wait(self._again_s)

    def _stamped(self, journal: Journal) -> bool:
        """Have the journal stamped as it stands; return whether it was."""
        place, text = self._place(journal.path), self._checkpoint(journal)
        try:
            if not any(one.checkpoint == text for one in read_timestamps(place)[-1:]):  # else before a restart
                keep_timestamp(place, asked(self._authority, text))
            self._trouble = None
        except (StampError, OSError) as error:
            if self._trouble is None:  # said once, not each minute of an evening without internet
                _LOG.info("no timestamp: %s", error)
            self._trouble = error.words if isinstance(error, StampError) else say("the disk takes none")
        return self._trouble is None
