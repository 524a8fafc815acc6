"""Has devices witness the journal that is open now: makes heads for them to co-sign and keeps what they signed."""

from __future__ import annotations

import base64
import logging
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from referee.storage.checkpoint import Signer
from referee.storage.eventtree import EventTree
from referee.storage.journal import Journal, JournalError
from referee.storage.signednote import NoteError, TreeHead, WitnessNote, signed_by_table
from referee.storage.witnesses import Witnessed, keep_witnessed, read_witnessed
from referee.values.words import say
from web.tableview import Outcome

_LOG = logging.getLogger(__name__)
_EVENTS = re.compile(r"(?a)[^\n]+\n(\d{1,15})\n")


class JournalWitnesses:
    """The witnesses of the journal that is open now. ``journal`` gives it: a new game has a new one.

    place: where a journal's notes lie.
    """

    def __init__(self, signer: Signer, journal: Callable[[], Journal], place: Callable[[Path], Path]) -> None:
        self._signer, self._journal, self._place = signer, journal, place
        self._mutex = threading.Lock()
        self._of: Journal | None = None
        self._game = ""
        self._trouble = ""
        self._tree = EventTree()
        self._made: tuple[int, str] = 0, ""
        self._kept: set[tuple[str, int]] = set()
        """Device and number of events of each note that is kept."""

    def head(self, since: int) -> Mapping[str, object] | None:
        """Return the journal's head as the table signs it, once for each.

        ``None`` before the first event, and where the journal can't be read any more.
        """
        with self._mutex:
            if self._caught_up() is None:
                return None
            events = self._tree.size
            if not events:
                return None
            if self._made[0] != events:
                note = signed_by_table(self._signer, self._game, events, self._tree.root(events))
                self._made = events, note
            proof = self._tree.proof(since, events) if since <= events else []
            written = [base64.b64encode(one).decode() for one in proof]
            return {"game": self._game, "events": events, "note": self._made[1], "proof": written}

    def take(self, note: str, device: str) -> Outcome:
        """Keep a note that a device co-signed, one for each head."""
        try:
            given = WitnessNote.parse(note)
        except NoteError:
            return Outcome(False, say("This is no note that a device has co-signed."), "note")
        with self._mutex:
            journal = self._caught_up()
            if journal is None:
                return Outcome(
                    False, say("The game’s journal can’t be read: nothing in it can be witnessed."), "journal"
                )
            events = given.head.events
            known = 0 < events <= self._tree.size
            ours = known and given.head == TreeHead(self._signer.public, self._game, events, self._tree.root(events))
            if not ours or len(given.cosignatures) != 1:
                return Outcome(False, say("This note is not of the game that is played now."), "other")
            if (device, events) not in self._kept:
                try:
                    keep_witnessed(self._place(journal.path), Witnessed(device, given.text))
                except OSError as error:
                    _LOG.warning("a witness's note could not be kept: %s", error)
                    return Outcome(False, say("The note could not be kept: the disk does not take it."), "disk")
                self._kept.add((device, events))
        return Outcome(True, result={"events": events})

    def _caught_up(self) -> Journal | None:
        """Return the journal, followed to its end; ``None`` where it can't be read, which is logged once."""
        try:
            journal = self._catch_up()
        except JournalError as error:
            if self._trouble != str(error):
                _LOG.warning("nothing can be witnessed: %s", error)
            self._trouble = str(error)
            return None
        self._trouble = ""
        return journal

    def _catch_up(self) -> Journal:
        journal = self._journal()
        if journal is not self._of:
            self._of, self._game, self._tree, self._made = journal, "", EventTree(), (0, "")
            self._kept = self._kept_at(journal.path)
        for entry in journal.entries(self._tree.size):
            self._game = self._game or entry.hash[:16]
            self._tree.add(entry.hash)
        return journal

    def _kept_at(self, path: Path) -> set[tuple[str, int]]:
        try:
            found = read_witnessed(self._place(path))
        except OSError as error:
            _LOG.warning("the notes of witnesses can't be read: %s", error)
            return set()
        sizes = ((one.device, _EVENTS.match(one.note)) for one in found)
        return {(device, int(size[1])) for device, size in sizes if size}
