"""The state of a refereed game at one moment: frozen values, made from events alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from referee.games.contract import Position
from referee.match.clock import Clock
from referee.match.events import (
    GameEnded,
    GameStarted,
    Illegal,
    Legal,
    ReadingMade,
    Resolution,
    TurnRuled,
    Unsure,
    WhyUnsure,
)
from referee.match.phases import Phase
from referee.match.standing import board_of
from referee.match.turn import TurnUnderWay, next_turn
from referee.values.board import Field, differing_fields
from referee.values.declaring import Declared
from referee.values.players import Player
from referee.values.words import Words


class TableError(Exception):
    """An event that can't happen as the table stands; the table is unchanged."""


class What(StrEnum):
    """Kinds of entries in the record."""

    TURN = "turn"
    CORRECTION = "correction"
    PASSED = "passed"
    RESIGNED = "resigned"
    ENDED = "ended"


class EntryStatus(StrEnum):
    """Status of an entry. Only what stands, was accepted or was found late to be a breach counts for the game."""

    OPEN = "open"
    STANDS = "stands"
    ACCEPTED = "accepted"
    TAKEN_BACK = "taken-back"
    REPLACED = "replaced"
    WITHDRAWN = "withdrawn"
    UNDONE = "undone"
    FOUND_LATE = "found-late"


@dataclass(frozen=True, slots=True)
class Anew:
    """A turn that was judged again because an earlier one, or itself, was put right.

    look: the newest one then. given: the ruling as it was given at first. judged: what is ruled now. said: people
    said how this very turn was.
    """

    look: int
    given: TurnRuled
    judged: TurnRuled
    said: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the game's record; none is ever removed.

    id: its number in the record, from 1. turn, player: whose turn it was. before, after: the positions around it
    (``after`` is ``None`` while nothing follows from it). by: who decided it, where a person did. ruled, reading: of
    a turn. by_hand: the board ruled on was given by the players. declared: what was said of the turn when it was
    ruled on. denied: players said no to what was asked before calling it illegal. time_ms: what the clock says
    the turn took, ``None`` without one. since: the entry whose ruling left open where the turn began, 0 where that
    was known for certain. retold: the look that told more of this turn than its own, 0 for none. known: what
    witnesses said stands on fields. anew: how it was judged again, ``None`` where it was not.
    """

    id: int
    what: What
    turn: int
    player: Player
    before: Position
    after: Position | None
    fate: EntryStatus
    by: str = ""
    ruled: TurnRuled | None = None
    reading: ReadingMade | None = None
    by_hand: bool = False
    declared: Declared = field(default_factory=dict)
    denied: bool = False
    time_ms: int | None = None
    since: int = 0
    retold: int = 0
    known: Mapping[str, str] = field(default_factory=dict)
    anew: Anew | None = None

    @property
    def counts(self) -> bool:
        """Return whether the game went on from this entry."""
        return self.fate in (EntryStatus.STANDS, EntryStatus.ACCEPTED, EntryStatus.FOUND_LATE)

    @property
    def sightless(self) -> tuple[Words, ...]:
        """Return a sentence for each fixed camera that did not see what was ruled on; none for a board by hand."""
        return () if self.reading is None or self.ruled is None or self.by_hand else self.reading.sightless

    @property
    def open(self) -> frozenset[Field]:
        """Return the fields of which it is not known how a legal turn left them."""
        found = None if self.ruled is None else self.ruled.found
        return found.open if isinstance(found, Legal) and self.counts else frozenset()


@dataclass(frozen=True, slots=True)
class Dispute:
    """Somebody disputes an entry. outcome: ``None`` while it is open."""

    id: int
    entry: int
    by: str
    words: str
    outcome: Resolution | None = None
    settled_by: str = ""
    settled_words: str = ""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Something that an arbiter ordered.

    act, words, entry: as in the event ``ArbiterOrdered``. turn: that was played then. rulings: in the record then.
    player, taken_ms: whose time was taken, and how much of it; empty and 0 for none.
    """

    by: str
    act: str
    words: str
    entry: int
    turn: int
    rulings: int
    player: str = ""
    taken_ms: int = 0


@dataclass(frozen=True, slots=True)
class Orders:
    """What arbiters ordered.

    newest: the number of the newest order of each desk. told: the newest ``MOST_ORDERED`` of them. penalties: how
    often time was taken from a player.
    """

    newest: Mapping[str, int] = field(default_factory=dict)
    told: tuple[Ordered, ...] = ()
    penalties: int = 0


@dataclass(frozen=True, slots=True)
class TableState:
    """A refereed game at one moment.

    begun: how the game began. turn: under way. look: number of the newest look, 0 for none. reading: the newest one.
    history: the record. ended: why no more pictures come, empty as long as they do. paused_in: the phase to which a
    pause goes back. result: how the players ended the game. clock: as it was last written down, ``None`` where none
    is used. orders: by arbiters.
    """

    begun: GameStarted
    phase: Phase
    turn: TurnUnderWay
    look: int = 0
    reading: ReadingMade | None = None
    history: tuple[Entry, ...] = ()
    ended: str = ""
    paused_in: Phase | None = None
    disputes: tuple[Dispute, ...] = ()
    result: GameEnded | None = None
    clock: Clock | None = None
    orders: Orders = Orders()

    @property
    def position(self) -> Position:
        """Return where the turn under way began, by the record."""
        return self.turn.position

    @property
    def players(self) -> Mapping[str, str]:
        """Return what the players are called, by word."""
        return dict(self.begun.players)

    def naming(self, players: Mapping[str, str]) -> TableState:
        """Return the same game with players who are called otherwise."""
        return replace(self, begun=replace(self.begun, players=tuple(players.items())))

    @property
    def awaiting(self) -> bool:
        """Return whether the newest look has no outcome yet, so that it must be taken again after a restart."""
        phase = self.paused_in or self.phase
        return phase in (Phase.READING, Phase.RULING) or (phase is Phase.SET_UP and self.turn.checking)

    @property
    def out(self) -> tuple[Player, ...]:
        """Return the players who gave up."""
        return tuple(entry.player for entry in self.history if entry.what is What.RESIGNED and entry.counts)

    @property
    def rulings(self) -> int:
        """Return how many turns were ruled on."""
        return sum(entry.ruled is not None for entry in self.history)

    @property
    def unanswered(self) -> tuple[Field, ...]:
        """Return the fields of the set-up that nobody has told yet."""
        return tuple(ask.field for ask in self.turn.asks if ask.field.name not in self.turn.end.known)

    @property
    def last(self) -> Entry | None:
        """Return the turn ruled on last."""
        return next((entry for entry in reversed(self.history) if entry.ruled is not None), None)

    @property
    def unsure(self) -> Unsure | None:
        """Return why the turn that waits for the players' decision can't be ruled on, ``None`` where it is none."""
        turn = self.open_turn
        return None if turn is None or turn.ruled is None else turn.ruled.unsure

    @property
    def unchanged(self) -> bool:
        """Return whether the newest look showed no change, and nobody has said yet what that means."""
        return self.unsure is not None and self.unsure.why is WhyUnsure.UNCHANGED

    @property
    def last_counting(self) -> Entry | None:
        """Return the newest entry from which the game went on."""
        return next((entry for entry in reversed(self.history) if entry.counts), None)

    @property
    def open_now(self) -> frozenset[Field]:
        """Return the fields of which it is not known what stands on them now, the turn under way apart."""
        turn = self.last_moved
        if turn is None or turn.ruled is None or not turn.open:
            return frozenset()
        known = board_of(self.position)
        others = (differing_fields(known, board_of(position)) for position, _ in self.turn.left_open.track)
        return turn.open & turn.ruled.left_open.lost.union(*others)

    @property
    def last_moved(self) -> Entry | None:
        """Return the newest entry that counts and after which something may stand otherwise."""
        idle = (What.PASSED, What.RESIGNED)
        return next((entry for entry in reversed(self.history) if entry.counts and entry.what not in idle), None)

    @property
    def open_turn(self) -> Entry | None:
        """Return the turn that waits for the players' decision."""
        last = self.last
        return last if last is not None and last.fate is EntryStatus.OPEN else None

    @property
    def stood(self) -> str:
        """Return the text of what stood on the table last, by the record: after the open turn, or those undone."""
        turn = self.open_turn or next((one for one in reversed(self.history) if one.fate is EntryStatus.UNDONE), None)
        if turn is not None and turn.after is None and turn.ruled is not None:
            return turn.ruled.observed
        position = self.position if turn is None or turn.after is None else turn.after
        return position.observed.text

    def played_anew(self, event: TurnRuled) -> bool:
        """Return whether an illegal turn was taken back: this ruling sees fewer than half of its acts again.

        Of a turn that is nearly the same nobody knows whether hands put it right or it is read otherwise.
        """
        ruled = None if self.open_turn is None else self.open_turn.ruled
        if ruled is None or event.ruling is None or not isinstance(ruled.found, Illegal):
            return False
        acts, again = ({act.text for act in ruling.acts} for ruling in (ruled.found.ruling, event.ruling))
        return 2 * len(acts & again) < len(acts)

    def with_entry(self, entry: Entry) -> TableState:
        """Return the state with an entry of the record as it is known now."""
        return replace(self, history=tuple(entry if old.id == entry.id else old for old in self.history))

    def entry(self, number: int) -> Entry | None:
        """Return the entry of the record with a number, ``None`` when there is none."""
        return self.history[number - 1] if 0 < number <= len(self.history) else None


def turn_after(position: Position, led: Entry | None) -> TurnUnderWay:
    """Return the turn that begins at a position, with what the ruling that led there left open."""
    if led is None or led.ruled is None or led.fate is not EntryStatus.STANDS:
        return next_turn(position)
    return next_turn(position, led.ruled.left_open, led.id)
