"""Bring every event of every game to the broker, in order, however often the line breaks.

Nothing waits here in memory but a few events under way: the journals keep them. On the disk stands, for each game,
the number of the newest event that the broker has acknowledged; from there it goes on after a restart. An event may
so be sent twice, never left out.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from calibration.files import write_atomic
from referee.addons.hall.chronicle import Chronicle
from referee.addons.hall.messages import MOST_BYTES, MOST_EARLIER, EventLine
from referee.match.events import AnyGame
from referee.storage.chain import JournalEntry, JournalError
from referee.storage.journal import Journal, read_journal

WINDOW = 16
"""Events that are under way at a time."""
MOST_BODY = MOST_BYTES // 3
"""Characters of a body that is sent: as text within JSON it may double, and then some."""
SAVED_S = 1.0
"""What was acknowledged is written down so often at most."""
MOST_GAMES = 200
"""Games of which something may wait; the oldest are given up first."""

_LOG = logging.getLogger(__name__)


class _Waiting:
    """A game of which events wait.

    path: of its journal. source: gives its events above a number. acknowledged: number of the newest event that the
    broker has; sent: of the newest that is under way or there.
    """

    def __init__(self, path: Path, game: AnyGame, source: Callable[[int], Iterator[JournalEntry]]) -> None:
        self.path, self.source, self.chronicle = path, source, Chronicle(game)
        self.acknowledged = self.sent = 0
        self._replaces: dict[int, int] = {}
        self._read: deque[JournalEntry] = deque()

    def follow(self) -> None:
        """Follow the journal up to its end. Raises JournalError."""
        for entry in self.source(self.chronicle.number):
            replaced = self.chronicle.follow(entry)
            if replaced:
                self._replaces[entry.number] = replaced

    def next(self) -> tuple[JournalEntry, int] | None:
        """Return the next event to send, with what it replaces; ``None`` for none. Raises JournalError."""
        if self.sent >= self.chronicle.number:
            return None
        if not self._read:
            self._read.extend(islice(self.source(self.sent), WINDOW))
        entry = self._read.popleft()
        self.sent = entry.number
        return entry, self._replaces.get(entry.number, 0)

    @property
    def over(self) -> bool:
        """Return whether nothing of it is to be sent any more, nor under way."""
        return min(self.acknowledged, self.sent) >= self.chronicle.number

    def back(self, to: int) -> None:
        """Go on again after the event with this number."""
        self.sent = to
        self._read.clear()


class Outbox:
    """The events of the games at a table, for one thread.

    file: where it stands what was acknowledged. open_journal: gives the journal of the game that is played now.
    stamp: gives the next ``sent``.
    """

    def __init__(
        self, file: Path, game: AnyGame, open_journal: Callable[[], Journal], stamp: Callable[[], int]
    ) -> None:
        self._file, self._game, self._journal, self._stamp = file, game, open_journal, stamp
        self._known: dict[str, tuple[int, str]] = _read(file)
        """What was acknowledged of each game, and its file, the oldest first."""
        self._older = deque(self._known)
        self._whole: dict[str, int] = {}
        self._asked: dict[str, int] = {}
        self._present: _Waiting | None = None
        self._noted: _Waiting | None = None
        """The game whose place among the known was written down; none before its first event was read."""
        self._past: _Waiting | None = None
        self._under_way: dict[int, tuple[_Waiting, int]] = {}
        self._dirty, self._saved_s = False, 0.0

    @property
    def chronicle(self) -> Chronicle | None:
        """Return the game that is played now, as far as it was followed."""
        return self._present.chronicle if self._present is not None else None

    @property
    def undelivered(self) -> int:
        """Return how many events of this game the broker has not."""
        present = self._present
        return present.chronicle.number - present.acknowledged if present is not None else 0

    @property
    def earlier(self) -> Mapping[str, int]:
        """Return how many events each game before this one has that the broker has in full, the oldest first.

        Who missed some of them may ask for them again: the broker keeps no event for who is not there.
        """
        return dict(self._whole)

    def look(self) -> None:
        """Take in what was written into the journal meanwhile. Raises JournalError."""
        journal, present = self._journal(), self._present
        if present is None or present.path != journal.path:
            if present is not None:
                self._put_behind(present)
            self._present = present = _Waiting(journal.path, self._game, journal.entries)
        present.follow()
        if present is not self._noted and present.chronicle.id:
            known, _ = self._known.pop(present.chronicle.id, (0, ""))
            present.acknowledged = present.sent = min(known, present.chronicle.number)
            self._note(present)
            self._noted = present
            self.save(at_once=True)

    def _put_behind(self, game: _Waiting) -> None:
        """Have the rest of a game delivered that is over, whether or not it could be read until now."""
        if game is self._noted:
            self._older.append(game.chronicle.id)
            return
        try:
            first = next(iter(read_journal(game.path)), None)
        except JournalError as error:
            _LOG.warning("events of an older game can't be brought to the hall: %s", error)
            return
        if first is not None:
            self._known.setdefault(first.hash[:16], (0, game.path.name))
            self._older.append(first.hash[:16])
            self._dirty = True

    def due(self) -> Iterator[tuple[EventLine, Callable[[int], None]]]:
        """Yield events to publish now, each with what to tell the message's id. Raises JournalError.

        A game is begun when the one before is delivered.
        """
        while len(self._under_way) < WINDOW and (game := self._sending()) is not None:
            found = game.next()
            if found is None:
                return
            entry, replaces = found

            def note(mid: int, game: _Waiting = game, number: int = entry.number) -> None:
                self._under_way[mid] = (game, number)

            yield line_of(entry, game.chronicle.id, replaces, self._stamp()), note

    def _sending(self) -> _Waiting | None:
        """Return the game whose event is sent next."""
        past = self._past
        if past is not None and past.over:
            self._delivered(past)
            past = None
        while past is None and self._older:
            past = self._opened(self._older.popleft())
        self._past = past
        return past or self._present

    def _opened(self, game: str) -> _Waiting | None:
        """Open an older game of which something may wait; ``None`` where nothing does, or it is gone."""
        present = self._present
        if game not in self._known or (present is not None and present.chronicle.id == game):
            return None
        acknowledged, name = self._known[game]
        path = self._journal().path.with_name(name)
        try:
            entries = read_journal(path)
            found = _Waiting(path, self._game, lambda after: iter(entries[after:]))
            found.follow()
        except JournalError as error:
            _LOG.warning("events of an older game can't be brought to the hall: %s", error)
            self._forget(game)
            return None
        if found.chronicle.id != game:
            self._forget(game)
            return None
        found.acknowledged = acknowledged
        found.sent = min(acknowledged, self._asked.pop(game, acknowledged))
        if found.over:
            self._delivered(found)
            return None
        return found

    def _note(self, game: _Waiting) -> None:
        self._known[game.chronicle.id] = (game.acknowledged, game.path.name)
        self._dirty = True

    def _delivered(self, game: _Waiting) -> None:
        """Count all of an older game as delivered; the newest few are remembered."""
        self._whole[game.chronicle.id] = game.chronicle.number
        self._whole = {known: self._whole[known] for known in self._known if known in self._whole}
        while len(self._whole) > MOST_EARLIER:
            self._forget(next(iter(self._whole)))

    def _forget(self, game: str) -> None:
        self._whole.pop(game, None)
        if self._known.pop(game, None) is not None:
            self._dirty = True

    def acknowledged(self, mid: int) -> None:
        """Count a message as delivered; those of others are nothing to this.

        A broker acknowledges in the order in which it was sent to (MQTT 5, 4.6).
        """
        found = self._under_way.pop(mid, None)
        if found is not None:
            game, number = found
            game.acknowledged = max(game.acknowledged, number)
            if game.chronicle.id in self._known:
                self._note(game)

    def again(self, game: str, after: int) -> None:
        """Send the events of a game again, from the one after a number: of the present one, or one of ``earlier``."""
        past, present = self._past, self._present
        if present is not None and present.chronicle.id == game:
            present.back(min(present.sent, after))
        elif past is not None and past.chronicle.id == game:
            past.back(min(past.sent, after))
        elif game in self._whole:
            self._asked[game] = min(after, self._asked.get(game, after))
            if game not in self._older:
                self._older.append(game)

    def broken(self) -> None:
        """Begin anew after the newest event that was acknowledged: what was under way is gone with the line."""
        self._under_way.clear()
        for game in (self._past, self._present):
            if game is not None:
                game.back(game.acknowledged)

    def save(self, at_once: bool = False) -> None:
        """Write down what was acknowledged, if anything was; now and then, or at once. Failing is only logged."""
        if not self._dirty or (not at_once and time.monotonic() < self._saved_s + SAVED_S):
            return
        while len(self._known) > MOST_GAMES:
            self._forget(next(iter(self._known)))
        games = [{"game": game, "acknowledged": at, "file": name} for game, (at, name) in self._known.items()]
        self._saved_s = time.monotonic()
        try:
            self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
            write_atomic(self._file, json.dumps({"sent": self._stamp(), "games": games}).encode())
            self._dirty = False
        except OSError as error:
            _LOG.warning("%s can't be written, events may be sent twice: %s", self._file, error.strerror)


def line_of(entry: JournalEntry, game: str, replaces: int, sent: int) -> EventLine:
    """Return an event as the hall gets it."""
    body = entry.body
    return EventLine(
        sent=sent,
        game=game,
        number=entry.number,
        kind=entry.kind[:80],
        at=entry.at,
        previous=entry.previous,
        hash=entry.hash,
        body=body if _fits(body) else "",
        replaces=replaces,
    )


def _fits(body: str) -> bool:
    try:
        return len(body.encode()) <= MOST_BODY
    except UnicodeEncodeError:  # of a journal that came from elsewhere
        return False


def last_stamp(file: Path) -> int:
    """Return the newest ``sent`` that was written down, 0 for none: a clock that was set back takes nothing back."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["sent"]
    except (OSError, ValueError, KeyError, TypeError):
        return 0
    return found if type(found) is int else 0


def _read(file: Path) -> dict[str, tuple[int, str]]:
    """Return what was acknowledged of each game; of a file that can't be read nothing: it is sent once more."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))["games"]
        found = {str(row["game"]): (int(row["acknowledged"]), Path(str(row["file"])).name) for row in rows}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        _LOG.warning("%s can't be read, events are sent once more: %s", file, error)
        return {}
    return {game: (max(0, at), name) for game, (at, name) in found.items()}
