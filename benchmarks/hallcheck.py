"""Compares what a hall's desks heard with the tables' journals, event by event. Pure but for reading the files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from referee.storage.journal import read_journal

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

    events: in the journals. lost: never heard by any desk. unheard: of games that were over before a desk
    that was killed was open again. lacking: not known to the desk at the end, of the games
    that are played then. foreign: heard, but of no journal. copies: heard once more. overtaken: heard after a message
    that their table sent later.
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


def ended_of(folders: Mapping[str, Path]) -> dict[tuple[str, str], float]:
    """Return when each game was over, by table and game: when the table began the next one, Unix time, s."""
    found = {}
    for table, folder in folders.items():
        first = [entries[0] for path in sorted(folder.glob("*.journal")) if (entries := read_journal(path))]
        for one, following in pairwise(first):
            found[table, one.hash[:16]] = datetime.fromisoformat(following.at).timestamp()
    return found


def games_begun(folders: Mapping[str, Path]) -> dict[str, int]:
    """Return how many games each table has begun."""
    return {table: len(list(folder.glob("*.journal"))) for table, folder in folders.items()}


def heard_of(log: Path) -> list[HeardLine]:
    """Return the events that a desk noted; a line that was cut off by its end is none."""
    found = []
    for line in log.read_text(encoding="ascii").splitlines(keepends=True):
        at_s, leaf, table, game, number, *more = line.split()
        if leaf == "event" and line.endswith("\n"):
            found.append(HeardLine(float(at_s), table, game, int(number), more[0], int(more[1])))
    return found


def compared(
    journals: Told,
    playing: Mapping[str, str],
    desks: Sequence[Iterable[HeardLine]],
    known: Mapping[str, Mapping[str, Iterable[tuple[int, str]]]],
    unheard: Container[tuple[str, str]] = frozenset(),
) -> Findings:
    """Compare journals with what each desk heard, one after the other, and with what the last one knows.

    unheard: tables and games that were over before a desk that was killed was open again.
    """
    found = Findings(sum(len(game) for games in journals.values() for game in games.values()))
    ever = set[tuple[str, str, int, str]]()
    for lines in desks:
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
    found.lost = [_place(*key[:3]) for key in sorted(right - ever) if key[:2] not in unheard]
    found.unheard = len(right - ever) - len(found.lost)
    found.foreign = [_place(*key[:3]) for key in sorted(ever - right)]
    for table, game in playing.items():
        knows = sorted(known.get(table, {}).get(game, ()))
        wanted = sorted(journals[table][game].items())
        lacks = dict(wanted).items() - dict(knows).items()
        found.lacking += [_place(table, game, number) for number, _ in sorted(lacks)]
        found.foreign += [_place(table, game, number) for number, _ in set(knows) - set(wanted)]
    return found


def _place(table: str, game: str, number: int) -> str:
    return f"event {number} of game {game} at table {table}"
