"""Compares what a hall's desks heard with the tables' journals, event by event. Pure but for reading the files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from referee.storage.journal import read_journal

Place = tuple[str, str, int]
"""Table, game and number of an event."""
Told = dict[str, dict[str, dict[int, str]]]
"""By table, by game, by number: an event's hash."""


@dataclass(frozen=True, slots=True)
class HeardLine:
    """One event as a desk took it in. at_s: monotonic, s."""

    at_s: float
    table: str
    game: str
    number: int
    hash: str
    sent: int


@dataclass
class Findings:
    """What comes of a comparison.

    events: in the journals. lost: never heard by any desk. unheard: not heard either, but of those that need not be.
    lacking: not known to the desk at the end, of the games that it is to know. foreign: heard, but of no journal.
    copies: heard once more. overtaken: heard after a message that their table sent later, or after the event that
    follows them, which did not come once more.
    """

    events: int = 0
    lost: list[str] = field(default_factory=list)
    unheard: int = 0
    lacking: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    copies: int = 0
    overtaken: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """Return what must not be, in words."""
        told = {"lost": self.lost, "lacking at the end": self.lacking, "in no journal": self.foreign}
        told["out of order"] = self.overtaken
        return [f"{len(found)} events {what}, such as {found[0]}" for what, found in told.items() if found]


def journals_of(folders: Mapping[str, Path]) -> tuple[Told, dict[str, str]]:
    """Read all journals of the tables; return their events, and the game that each table plays now."""
    told: Told = {}
    playing = {}
    for table, folder in folders.items():
        games = {}
        for path in sorted(folder.glob("*.journal")):
            entries = read_journal(path)
            if entries:
                playing[table] = entries[0].hash[:16]
                games[playing[table]] = {entry.number: entry.hash for entry in entries}
        told[table] = games
    return told, playing


def written_of(folders: Mapping[str, Path]) -> dict[Place, float]:
    """Return when each event was written into its journal, Unix time, s."""
    return {
        (table, entries[0].hash[:16], entry.number): datetime.fromisoformat(entry.at).timestamp()
        for table, folder in folders.items()
        for path in sorted(folder.glob("*.journal"))
        if (entries := read_journal(path))
        for entry in entries
    }


def excused(written_s: Mapping[Place, float], from_s: float, lines: Sequence[HeardLine]) -> set[Place]:
    """Return the events that a desk which was opened anew need not hear, though none before it did.

    They were written between a time and the moment when it first heard their table, in games of which it heard
    nothing: it asks for the games that are played then. A table that it never heard is excused nothing. written_s,
    from_s: monotonic, s, as the lines' times. lines: what it heard, in order.
    """
    since_s = dict[str, float]()
    for line in lines:
        since_s.setdefault(line.table, line.at_s)
    games = {(line.table, line.game) for line in lines}
    return {
        place
        for place, at_s in written_s.items()
        if place[:2] not in games and from_s < at_s < since_s.get(place[0], float("-inf"))
    }


def to_know(
    journals: Told, playing: Mapping[str, str], lines: Iterable[HeardLine], most: int
) -> dict[str, list[str]]:
    """Return the games that a desk is to know, by table: that is played, and the newest others that it heard of."""
    heard = {(line.table, line.game) for line in lines}
    return {
        table: [game for game in journals[table] if game == played or (table, game) in heard][-most:]
        for table, played in playing.items()
    }


def games_begun(folders: Mapping[str, Path]) -> dict[str, int]:
    """Return how many games each table has begun."""
    return {table: len(list(folder.glob("*.journal"))) for table, folder in folders.items()}


def heard_of(log: Path) -> list[HeardLine]:
    """Return the events that a desk noted; a line that was cut off by its end is none."""
    found = []
    for line in whole_lines(log):
        at_s, leaf, table, game, number, *more = line.split()
        if leaf == "event":
            found.append(HeardLine(float(at_s), table, game, int(number), more[0], int(more[1])))
    return found


def whole_lines(log: Path) -> list[str]:
    """Return a log's lines, without one that was cut off when its writer was killed or is being written now."""
    return [line for line in log.read_text(encoding="ascii").splitlines(keepends=True) if line.endswith("\n")]


def compared(
    journals: Told,
    wanted: Mapping[str, Sequence[str]],
    desks: Sequence[Sequence[HeardLine]],
    known: Mapping[str, Mapping[str, Iterable[tuple[int, str]]]],
    unheard: Container[Place] = frozenset(),
) -> Findings:
    """Compare journals with what each desk heard, one after the other, and with what the last one knows.

    All desks but the last were killed. wanted: games that the last one is to know, by table. unheard: events that
    need not have been heard.
    """
    found = Findings(sum(len(game) for games in journals.values() for game in games.values()))
    ever = set[tuple[str, str, int, str]]()
    for lines in desks:
        found.overtaken += _behind_their_next(lines, killed=lines is not desks[-1])
        once, newest = set[tuple[str, str, int, str]](), dict[str, int]()
        sent = set[tuple[str, int]]()
        for line in lines:
            key = (line.table, line.game, line.number, line.hash)
            found.copies += key in once
            once.add(key)
            if line.sent < newest.get(line.table, 0) and (line.table, line.sent) not in sent:
                found.overtaken.append(_place(*key[:3]))
            newest[line.table] = max(newest.get(line.table, 0), line.sent)
            sent.add((line.table, line.sent))
        ever |= once
    right = {
        (table, game, number, digest)
        for table, games in journals.items()
        for game, events in games.items()
        for number, digest in events.items()
    }
    found.lost = [_place(*key[:3]) for key in sorted(right - ever) if key[:3] not in unheard]
    found.unheard = len(right - ever) - len(found.lost)
    found.foreign = [_place(*key[:3]) for key in sorted(ever - right)]
    for table, game in ((table, game) for table, games in wanted.items() for game in games):
        knows = set(known.get(table, {}).get(game, ()))
        written = set(journals[table][game].items())
        found.lacking += [_place(table, game, number) for number, _ in sorted(written - knows)]
        found.foreign += [_place(table, game, number) for number, _ in sorted(knows - written)]
    return found


def _behind_their_next(lines: Sequence[HeardLine], killed: bool) -> list[str]:
    """Return the events that a desk first heard behind the one that follows them, which did not come once more.

    Where a desk was opened late, or the broker lost something, it asks for what is missing: the table then sends all
    once more from there on. killed: the last that it heard of each game may have been the beginning of that.
    """
    first, last = dict[Place, int](), dict[Place, int]()
    ends = dict[tuple[str, str], int]()
    for at, line in enumerate(lines):
        place = line.table, line.game, line.number
        first.setdefault(place, at)
        last[place] = ends[place[:2]] = at
    return [
        _place(*place)
        for place, at in first.items()
        if (following := (place[0], place[1], place[2] + 1)) in first
        and first[following] < at
        and last[following] < at
        and not (killed and ends[place[:2]] == at)
    ]


def _place(table: str, game: str, number: int) -> str:
    return f"event {number} of game {game} at table {table}"
