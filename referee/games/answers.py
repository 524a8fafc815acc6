"""Define what a game answers: rulings with violations, acts and offers, and what the page tells of players and turns.

A position is the game's own frozen value; the rest of the house handles it through the ``Position`` protocol and its
JSON form.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType, Protocol, runtime_checkable

from referee.values.board import Board, Field
from referee.values.declaring import Declared
from referee.values.players import Player
from referee.values.words import Words, verbatim

RuleId = NewType("RuleId", str)
"""Stable text such as ``turn.order``: journals, tests and rule books quote it; never renamed once published."""
UNNAMED = RuleId("unnamed")
"""Stands for the broken rules of a turn whose search ended before it found any: nobody is accused of it."""


class RequestError(ValueError):
    """A request that cannot be judged; ``code`` is a stable word, ``words`` say what to do."""

    def __init__(self, code: str, message: str | Words) -> None:
        super().__init__(str(message))
        self.code = code
        self.words = message if isinstance(message, Words) else verbatim(message)


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that was broken: where the tablet points, and a sentence the players understand."""

    rule: RuleId
    fields: tuple[Field, ...]
    words: Words

    @property
    def message(self) -> str:
        """Return the sentence in English."""
        return self.words.text()

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the violation as formats.md writes it, its message in a language."""
        names = [place.name for place in self.fields]
        return {"rule": self.rule, "fields": names, "message": self.words.text(language)}


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a turn, as the page draws it.

    kind: ``take`` and ``build`` (one field), ``move`` (the fields of the path, the start first) or ``enter`` (a
    piece comes onto the board on the first field and walks on). captures: the fields on the path where a foreign
    piece was captured. text: the act in the game's notation.
    """

    kind: str
    fields: tuple[Field, ...]
    captures: tuple[Field, ...] = ()
    text: str = ""


class Observation(Protocol):
    """What a game observes: a grid of stacks, a tower, a ledger. What lies inside is the game's and its kind's."""

    @property
    def text(self) -> str:
        """Return the observation as formats write it: its identity, which parses and prints and goes round."""


@runtime_checkable
class Drawn(Protocol):
    """An observation that decides itself how the page draws it, as the widget of its kind asks for."""

    def view(self, language: str) -> Mapping[str, object]:
        """Return JSON-able values (docs/reference/state.md)."""


@runtime_checkable
class HasFields(Protocol):
    """An observation of fields, each of which can be told by itself."""

    def like(self, text: object) -> HasFields:
        """Parse text of an observation of the same size. Raises BoardError when it is none."""

    def stands(self, place: Field) -> str:
        """Return what stands on a field, as text."""


class Position(Protocol):
    """A game's state before a turn, as far as every room may look at it."""

    @property
    def observed(self) -> Observation:
        """Return what stands on the table before the turn, an Observation of the game's kind."""

    @property
    def to_move(self) -> Player:
        """Return whose turn it is."""

    @property
    def turn(self) -> int:
        """Return the number of the turn about to be played, from 1."""

    @property
    def winners(self) -> tuple[Player, ...]:
        """Return who has won so far."""

    @property
    def finished(self) -> bool:
        """Return whether the game is over."""

    def to_json(self) -> dict[str, object]:
        """Return the position as formats.md writes it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One act declared otherwise. act: its number, from 0. instead: the act as the game's formats write it."""

    act: int
    instead: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """Return the offer as formats.md writes it."""
        return {"act": self.act, "instead": self.instead}


class Details(Protocol):
    """What the rulings of a game tell beside the contract, in the game's own keys."""

    def to_json(self) -> dict[str, object]:
        """Return the keys of an answer as the game's formats have them."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one turn.

    turn: the explanation as the game's formats write it, ``None`` when there is none. next: the position after a
    legal turn, else ``None``. complete: false when the search was cut short and the violations are only those that
    are certain. questions: what is asked before anything is called wrong. offers: each alone would make everything
    agree. lacking: what is still to be done before the turn may end. details: what only this game tells. states: how
    many states the search looked at, where the game counts them.
    """

    legal: bool
    violations: tuple[Violation, ...]
    alternatives: tuple[tuple[RuleId, ...], ...]
    acts: tuple[Act, ...]
    turn: Mapping[str, object] | None
    next: Position | None
    winners: tuple[Player, ...] = ()
    finished: bool = False
    complete: bool = True
    doubtful: frozenset[RuleId] = frozenset()
    questions: tuple[Words, ...] = ()
    offers: tuple[Offer, ...] = ()
    lacking: tuple[Words, ...] = ()
    details: Details | None = None
    states: int = 0

    @property
    def undecided(self) -> bool:
        """Return whether the turn is neither legal nor illegal: something is asked, and nothing is broken."""
        return bool(self.questions) and not self.violations

    def naming(self, rules: Set[RuleId]) -> Ruling:
        """Return the ruling with only some of its rules named; no other set then stands in their place."""
        named = tuple(violation for violation in self.violations if violation.rule in rules)
        if len(named) == len(self.violations):
            return self
        return replace(self, violations=named, alternatives=(), doubtful=frozenset())

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the answer of ``referee check`` (formats.md), without its id; its messages in a language."""
        answer: dict[str, object] = {
            "legal": None if self.undecided else self.legal,
            "violations": [violation.to_json(language) for violation in self.violations],
            "alternatives": [list(rules) for rules in self.alternatives],
            "turn": self.turn,
            "next": self.next.to_json() if self.next is not None else None,
            "winners": [c.word for c in self.winners],
            "finished": self.finished,
        }
        if self.details is not None:
            answer.update(self.details.to_json())
        if self.offers:
            answer["offers"] = [offer.to_json() for offer in self.offers]
        for key, asked in (("questions", self.questions), ("lacking", self.lacking)):
            if asked:
                answer[key] = [words.text(language) for words in asked]
        return answer if self.complete else answer | {"complete": False}


@dataclass(frozen=True, slots=True)
class StoneTrack:
    """A track beside the board on which a stone counts. fields: how many; at: the stone's place from 1, 0 off it.

    ring: the fields are numbered from 0 and go round the board; the stone is never off it, and may be moved after the
    ruling.
    """

    fields: int
    at: int
    ring: bool = False


@dataclass(frozen=True, slots=True)
class Counter:
    """What a game counts for a player: ``value`` of at most ``of``. id: its key in a position; words: for people.

    track: how the table itself keeps this count, where a stone on a track does.
    """

    id: str
    words: Words
    value: int
    of: int
    track: StoneTrack | None = None


@dataclass(frozen=True, slots=True)
class GoalStep:
    """One part of the goal, in few characters or a word or two, and whether it is reached now."""

    text: str | Words
    reached: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """One player as the page shows them. goal: short words on how near the player is to winning; steps: the same."""

    colour: Player
    places: tuple[str, ...]
    counters: tuple[Counter, ...] = ()
    goal: Words | None = None
    steps: tuple[GoalStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is written: name of the edition, heading of the paragraph, both as the sheet prints them."""

    sheet: str
    paragraph: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a turn has come by what stands on the board. of: the most there can be, ``None`` where that is open."""

    id: str
    words: Words
    value: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer to a question. id: a word for scripts. declared: what is then declared of the turn."""

    id: str
    name: Words
    declared: Declared
    explains: Words | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before a turn is called illegal: each reply alone would make it legal.

    words: the question. why: what leads to it. no: the answer that leaves the turn illegal. fields: where to look.
    """

    words: Words
    why: Words
    replies: tuple[Reply, ...]
    no: Words
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class AccountLine:
    """Points and the reason for them, with the fields they were counted on."""

    words: Words
    points: int
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class AccountShare:
    """What a player got. score: on the track before and after. place: in the ranking, from 1."""

    player: Player
    lines: tuple[AccountLine, ...]
    score: tuple[int, int]
    place: int


@dataclass(frozen=True, slots=True)
class TurnAccount:
    """Points as a turn brought them, the player who is ahead first. notes: what follows from them."""

    title: Words
    shares: tuple[AccountShare, ...]
    notes: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """A game for who does not know it. how: how it is played, in lines. signs: of its turns, with what each means."""

    how: tuple[Words, ...]
    signs: tuple[tuple[str, Words], ...]


@dataclass(frozen=True, slots=True)
class OtherSetup:
    """Another set-up of the same game that a board shows. position: of it; words: asks whether to play so."""

    position: Position
    words: Words


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """One way to explain the pictures.

    board: how the board stands after it. rules: the smallest set of rules it breaks, as the engine names it; empty
    for a legal turn. score: natural log of how likely the turn is and how likely it makes the pictures, up to a
    constant common to all explanations of one belief. complete: false where the engine's search for the set was cut
    short, so that only some of the rules are named, or ``UNNAMED``.
    """

    board: Board
    rules: frozenset[RuleId]
    score: float
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Effort:
    """How far to search.

    breach_nats: what each broken rule costs; near_nats: explanations so far below the best one of all, and legal ones
    so far below the best that is illegal, still count; most_tests: boards put to the rules at most, of each kind;
    most_states: states that a search for moves, or for the rules that boards break, may reach in all; floor: score
    below which nothing counts at all; most_boards: boards put to the rules for a game without a search of its own.
    """

    breach_nats: float
    near_nats: float
    most_tests: int
    most_states: int
    floor: float = -float("inf")
    most_boards: int = 64


@dataclass(frozen=True, slots=True)
class Weighed:
    """The explanations that count, best first, none where none does.

    overlooked: score that a legal turn which was not looked at could have at most; minus infinity where all that
    count were looked at. states: how many the rules looked at, for a game without a search of its own.
    """

    explanations: tuple[Reconstruction, ...]
    overlooked: float
    states: int = 0


class Strength(StrEnum):
    """How well a seat plays: weak looks no further than the next step, strong searches."""

    WEAK = "weak"
    MIDDLE = "middle"
    STRONG = "strong"
