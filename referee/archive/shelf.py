"""Show every game of a data folder as one card, and search the cards.

A card is made from the events as they lie there, without the rules of the game, so that games of a version or of
a package that is not installed stand on the shelf too. A journal that can't be read has a card that says why. A card
is kept beside its journal, so that a shelf of thousands needn't read them all anew.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from referee.archive.measures import MEASURES, measures_folder
from referee.games import game_named, names
from referee.games.contract import RequestError
from referee.storage.diskspace import RESERVE_BYTES, free_bytes
from referee.storage.evidence import PICTURES, EvidenceStore, pictures_folder
from referee.storage.journal import JournalEntry, JournalError, read_journal
from referee.storage.retention import keep_mark
from referee.values.gameerror import GameError
from referee.values.words import Words, say

JOURNAL = ".journal"
DAMAGED = ".damaged"
"""Ending of a journal's name once a repaired one has taken its place."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game came out. how: rules, agreement, draw or abandoned; winners: words of their colours."""

    how: str
    winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the shelf shows it.

    name: of its journal, without the ending. game, title: id and name of what is played. players: a colour's word and
    what its player is called, empty where nobody said. begun_at, last_at: ISO 8601, UTC. turns: those that stand.
    result: ``None`` while it is not over. disputed: a dispute is open. disputes: how many there were. pictures,
    size_bytes: of all that is kept of it. trouble: what keeps its journal from being read. repaired: a damaged
    journal lies beside it.
    """

    path: Path
    name: str
    game: str = ""
    title: str = ""
    players: tuple[tuple[str, str], ...] = ()
    begun_at: str = ""
    last_at: str = ""
    turns: int = 0
    result: GameResult | None = None
    disputed: bool = False
    disputes: int = 0
    events: int = 0
    head: str = ""
    pictures: int = 0
    size_bytes: int = 0
    trouble: str = ""
    repaired: bool = False
    kept: bool = False

    def called(self, word: str, language: str = "en") -> str:
        """Return what the player of a colour is called: the name, else the colour."""
        return dict(self.players).get(word) or Words(word.capitalize()).text(language)

    def result_text(self, language: str = "en") -> str:
        """Say how the game came out."""
        return self._result(", ".join(self.called(word, language) for word in self.winners)).text(language)

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the words of the colours that won."""
        return self.result.winners if self.result is not None else ()

    def _result(self, who: str) -> Words:
        if self.trouble:
            return say("can’t be read")
        if self.result is None:
            return say("not over")
        if self.result.how == "draw":
            return say("a draw")
        if not who:
            return say("left off") if self.result.how == "abandoned" else say("over, nobody has won")
        by_agreement = self.result.how == "agreement"
        return say("won by {who}, by agreement", who=who) if by_agreement else say("won by {who}", who=who)


@dataclass(frozen=True, slots=True)
class GameSearch:
    """What games are looked for; empty fields ask for nothing.

    text: parts of names, colours, title, date or the journal's name, every word of it. player: part of a name or a
    colour. since, until: dates as ``2026-03-14``, both included. game: part of its id or title. result: a winner's
    name or colour, or one of draw, abandoned, agreement, rules, running. disputed: whether a dispute is open.
    """

    text: str = ""
    player: str = ""
    since: str = ""
    until: str = ""
    game: str = ""
    result: str = ""
    disputed: bool | None = None

    def finds(self, card: GameCard) -> bool:
        """Return whether a card is among those looked for."""
        people = [word for player in card.players for word in player]
        day = card.begun_at[:10]
        what = (card.game, card.title)
        return (
            all(_within(word, (*people, *what, day, card.name)) for word in self.text.split())
            and _within(self.player, people)
            and (not self.since or day >= self.since)
            and (not self.until or (day != "" and day <= self.until))
            and _within(self.game, what)
            and _within(self.result, _results(card))
            and (self.disputed is None or self.disputed == card.disputed)
        )


def _within(part: str, places: Iterable[str]) -> bool:
    wanted = part.strip().casefold()
    return not wanted or any(wanted in place.casefold() for place in places)


def _results(card: GameCard) -> tuple[str, ...]:
    if card.result is None:
        return ("running",)
    return (card.result.how, *card.result.winners, *(card.called(word) for word in card.result.winners))


class Shelf:
    """The games of a folder. Cards are made anew only where a file has changed. Not for several threads at once."""

    def __init__(self, folder: Path) -> None:
        """Take a folder with journals in it or below."""
        self.folder = folder
        self._known: dict[Path, tuple[object, GameCard]] = {}

    def cards(self, search: GameSearch | None = None) -> list[GameCard]:
        """Return the cards of the games that a search finds, or of all: the newest first."""
        found = {path: self._card(path) for path in _journals(self.folder)}
        self._known = {path: self._known[path] for path in found}
        chosen = [card for card in found.values() if search is None or search.finds(card)]
        return sorted(chosen, key=lambda card: (card.begun_at, card.name), reverse=True)

    def card(self, name: str) -> GameCard:
        """Return the card of the game with a name. Raises JournalError as ``journal`` does."""
        return self._card(self.journal(name))

    def journal(self, name: str) -> Path:
        """Return the journal of the game with a name.

        Raises JournalError where there is no such game, or there are several.
        """
        paths = [path for path in sorted(_journals(self.folder)) if path.stem == name.removesuffix(".journal")]
        if len(paths) != 1:
            why = "there is no game of this name" if not paths else "several games have this name"
            raise JournalError(f"{name}: {why} in {self.folder}; 'referee games' lists them")
        return paths[0]

    def _card(self, path: Path) -> GameCard:
        mark = _state_of(path)
        known = self._known.get(path)
        if known is None or known[0] != mark:
            known = self._known[path] = (mark, _kept_card(path, mark) or _keep_card(card_of(path), mark))
        return known[1]


def card_file(journal: Path) -> Path:
    """Return the file that keeps a game's card, ``game.card`` beside ``game.journal``."""
    return journal.with_suffix(".card")


def _journals(folder: Path) -> list[Path]:
    """Return the journals in a folder or below; what lies beside a game is not searched."""
    found = []
    for place, inside, files in os.walk(folder):
        inside[:] = [name for name in inside if not name.endswith((PICTURES, MEASURES))]
        found += [Path(place, name) for name in files if name.endswith(JOURNAL)]
    return found


def _kept_card(path: Path, mark: object) -> GameCard | None:
    """Return the card that is kept of a journal; ``None`` where there is none of it as it is now."""
    try:
        said = json.loads(card_file(path).read_bytes())
        if said["made_of"] != _made_of(mark):
            return None
        told: dict[str, Any] = {name: str(said[name]) for name in ("game", "title", "begun_at", "last_at", "head")}
        told |= {name: int(said[name]) for name in ("turns", "disputes", "events", "pictures", "size_bytes")}
        told |= {name: bool(said[name]) for name in ("disputed", "repaired", "kept")}
        players = tuple((str(word), str(called)) for word, called in said["players"])
        over = said["result"]
        result = GameResult(str(over["how"]), _words(over["winners"])) if over is not None else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return GameCard(path, path.stem, players=players, result=result, **told)


def _keep_card(card: GameCard, mark: object) -> GameCard:
    """Keep a card beside its journal, where there is room and it could be read; return it."""
    if not card.trouble and free_bytes(card.path.parent) > RESERVE_BYTES:
        said = {**asdict(card), "path": "", "made_of": _made_of(mark)}
        with contextlib.suppress(OSError):  # half a card is none, and is made anew
            card_file(card.path).write_text(json.dumps(said), encoding="ascii")
    return card


def _made_of(mark: object) -> str:
    """Return what a card follows from, as text. mark: the files as they are."""
    return json.dumps([mark, *_known_here()])


@cache
def _known_here() -> tuple[str, ...]:
    """Return what else a card follows from: the referee, and the games that it knows."""
    return version("tower-referee"), *sorted(names())


def card_of(path: Path) -> GameCard:
    """Return the card of a journal; one that says why where it can't be read. Nothing is written."""
    sizes = [file.stat().st_size for file in _files_of(path)]
    pictures = sum(1 for _ in EvidenceStore(pictures_folder(path)).pictures())
    card = GameCard(
        path,
        path.stem,
        pictures=pictures,
        size_bytes=sum(sizes),
        repaired=path.with_name(path.name + DAMAGED).exists(),
        kept=keep_mark(path).exists(),
    )
    try:
        # What a killed referee left half written is put right by whoever takes the game up, not by whoever looks.
        return _told(card, read_journal(path, recover=False))
    except JournalError as error:
        return _troubled(card, str(error))


def _files_of(path: Path) -> list[Path]:
    folders = (pictures_folder(path), measures_folder(path))
    files = [path, *(file for folder in folders if folder.is_dir() for file in folder.rglob("*"))]
    return [file for file in files if file.is_file()]


def _state_of(path: Path) -> object:
    """Return a value that changes whenever a game's files do."""

    def mark(file: Path) -> tuple[int, int]:
        try:
            found = file.stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size

    wal, old = path.with_name(path.name + "-wal"), path.with_name(path.name + DAMAGED)
    return tuple(mark(file) for file in (path, wal, old, pictures_folder(path), keep_mark(path)))


def _troubled(card: GameCard, why: str) -> GameCard:
    return GameCard(
        card.path,
        card.name,
        pictures=card.pictures,
        size_bytes=card.size_bytes,
        trouble=why,
        repaired=card.repaired,
        kept=card.kept,
    )


_ENTRIES = ("position_corrected", "turn_passed", "resigned", "game_ended")
"""Events besides rulings that are entries of the record."""


@dataclass(slots=True)
class _Tally:
    """What is counted while the events go by. standing: numbers of the record's entries that are turns and stand."""

    entries: int = 0
    standing: list[int] = field(default_factory=list)
    looked: bool = False
    over: GameResult | None = None
    open: set[object] = field(default_factory=set)
    disputes: int = 0

    def take(self, entry: JournalEntry) -> None:
        """Count an event."""
        data = entry.data
        self._count(entry.kind, data)
        if entry.kind == "ruling" and data.get("ruling") == "legal":
            self.over = _by_rules(_object(data.get("answer")))
        elif entry.kind == "game_ended":
            self.over = GameResult(str(data.get("how")), _words(data.get("winners")))
        elif entry.kind == "disputed":
            self.open.add(data.get("dispute"))
            self.disputes += 1
        elif entry.kind == "resolved":
            self.open.discard(data.get("dispute"))
        elif entry.kind in ("undone", "ruling_withdrawn"):
            self.over = None
        elif "position" in data:
            self.over = _by_rules(_object(data["position"]))

    def _count(self, kind: str, data: Mapping[str, Any]) -> None:
        """Count the turns that stand, as the record's transitions do (referee/match/transitions.py)."""
        if kind == "ruling" or kind in _ENTRIES:
            self.entries += 1
        if (kind == "ruling" and data.get("ruling") == "legal") or kind == "turn_accepted":
            self.standing.append(self.entries)
        elif kind == "undone" and isinstance(data.get("entry"), int):
            self.standing = [number for number in self.standing if number < data["entry"]]
        elif kind == "ruling_withdrawn" and not self.looked and self.standing[-1:] == [self.entries]:
            self.standing.pop()
        if kind in ("reading", "ruling"):
            self.looked = kind == "reading"  # a look nothing was ruled on: what is withdrawn then is that look


def _told(card: GameCard, entries: Sequence[JournalEntry]) -> GameCard:
    if not entries:
        return _troubled(card, f"{card.path}: no game has begun in it")
    begun = next((entry for entry in entries if entry.kind == "game_started"), entries[0])
    seated = next((entry for entry in reversed(entries) if entry.kind == "seats_taken"), begun)
    position = _object(seated.data.get("position"))
    tally = _Tally()
    for entry in entries:
        tally.take(entry)
    name = str(position.get("game", ""))
    title, words = _title_and_players(name, position)
    called = _object(begun.data.get("players"))
    return GameCard(
        card.path,
        card.name,
        name,
        title,
        tuple((word, str(called.get(word, ""))) for word in dict.fromkeys((*words, *called))),
        begun.at,
        entries[-1].at,
        len(tally.standing),
        tally.over,
        bool(tally.open),
        tally.disputes,
        len(entries),
        entries[-1].hash,
        card.pictures,
        card.size_bytes,
        "",
        card.repaired,
        card.kept,
    )


def _title_and_players(name: str, position: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return the game's name for people and who plays, as far as this installation knows the game."""
    try:
        game = game_named(name)
        return game.title, tuple(seat.colour.word for seat in game.seats(game.position(position)))
    except (RequestError, ValueError, LookupError, TypeError, GameError):
        return name, ()


def _by_rules(answer: Mapping[str, Any]) -> GameResult | None:
    return GameResult("rules", _words(answer.get("winners"))) if answer.get("finished") else None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
