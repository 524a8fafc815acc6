"""What a rules engine answers, and the contract every game fulfils.

Engines know no clock, camera, file or thread. A position is the game's own frozen value; the rest of the house
handles it through the ``Position`` protocol and its JSON form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NewType, Protocol, TypeVar, runtime_checkable

from referee.values.board import Field
from referee.values.choices import Choices
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.kit import Kit
from referee.values.matparts import MatPart
from referee.values.players import Player
from referee.values.words import Words, verbatim

RuleId = NewType("RuleId", str)
"""Stable text such as ``turn.order``: journals, tests and rule books quote it; never renamed once published."""


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
        """The sentence in English."""
        return self.words.text()

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The violation as formats.md writes it, its message in a language."""
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
        """The observation as formats write it: its identity, which parses and prints and goes round."""


class Position(Protocol):
    """A game's state before a turn, as far as every room may look at it."""

    @property
    def observed(self) -> Any:
        """What stands on the table before the turn, an Observation of the game's kind."""

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""

    @property
    def turn(self) -> int:
        """Number of the turn about to be played, from 1."""

    @property
    def winners(self) -> tuple[Player, ...]:
        """Who has won so far."""

    @property
    def finished(self) -> bool:
        """Whether the game is over."""

    def to_json(self) -> dict[str, object]:
        """The position as formats.md writes it."""


P = TypeVar("P", bound=Position)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one turn.

    turn: the explanation as the game's formats write it, ``None`` when there is none. next: the position after a
    legal turn, else ``None``. complete: false when the search was cut short and the violations are only those that
    are certain. more: further keys of the answer, as the game's formats have them.
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
    more: Mapping[str, object] = field(default_factory=dict)

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The answer of ``referee check`` (formats.md), without its id; its messages in a language."""
        answer: dict[str, object] = {
            "legal": self.legal,
            "violations": [violation.to_json(language) for violation in self.violations],
            "alternatives": [list(rules) for rules in self.alternatives],
            "turn": self.turn,
            "next": self.next.to_json() if self.next is not None else None,
            "winners": [c.word for c in self.winners],
            "finished": self.finished,
        }
        answer.update(self.more)
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
    """One part of the goal, in few characters, and whether it is reached now."""

    text: str
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


LACKING = "lacking"
"""Key of a ruling's ``more``: what is still to be done before the turn may end (words)."""


@runtime_checkable
class DoubtsFirst(Protocol):
    """A game that asks before it calls a breach what may only have been told wrongly, or not yet.

    Its rulings tell what is asked in ``more``: ``questions`` (words), and ``offers``, changed declarations with which
    all would agree.
    """

    def lacking(self, position: Any, declared: Declared) -> tuple[Words, ...]:
        """What a turn that goes on must still hold, of one whose acts so far could all be made; empty: it may end.

        Raises RequestError for what can't be declared.
        """

    def insisted(self, position: Any, observed: Any, declared: Declared) -> Ruling:
        """The ruling once the players say that all was done as declared, and lies as it is seen."""


@runtime_checkable
class KeepsData(Protocol):
    """A game whose box holds values that no rule sheet prints: they are entered once and kept as a file.

    data: an object of JSON-able values, under the key ``copy`` of a new game's choice. All raise RequestError, saying
    what to do.
    """

    def data_new(self, name: str) -> dict[str, object]:
        """Data of which nothing but the name was entered."""

    def data_checked(self, data: object) -> tuple[str, dict[str, object]]:
        """The name of somebody's data, and the data as a file keeps them."""

    def data_view(self, data: Mapping[str, object], language: str) -> dict[str, object]:
        """Parts, rows and fields as the page's form shows them (docs/reference/state.md)."""

    def data_with(
        self, data: Mapping[str, object], part: str, row: str, values: Mapping[str, object] | None
    ) -> tuple[dict[str, object], str]:
        """The data with one row put in place of another, ``None``: taken out, and its id; an empty id: a new row."""

    def data_invented(self, position: Any) -> Words | None:
        """Return what players must know of a game whose values are examples; ``None`` where they are somebody's."""


@runtime_checkable
class LiesOnMat(Protocol):
    """A game kept as a ledger of which cameras over a mat see something: dice, pawns, counters, cards laid out."""

    def laid_out(self, position: Any, seen: Mapping[str, object]) -> Any:
        """The observation of what cameras saw, as formats write ``observed``; ``None`` in it was not seen.

        What nobody has in a game from this position is left out.
        """

    def mat_parts(self) -> Sequence[MatPart]:
        """What is shown to the cameras once, in the order in which it is asked for."""


@runtime_checkable
class OwnActs(Protocol):
    """A game whose players may each declare from a device of their own."""

    def declarers(self, position: Any, before: Declared, after: Declared) -> frozenset[Any] | None:
        """Whose own acts one declaration adds to another, or takes back; ``None`` where it changes anything else.

        Raises RequestError for what can't be read.
        """


class Game(Protocol[P]):
    """What the referee needs from a rules engine."""

    @property
    def name(self) -> str:
        """The game's id in formats, a stable word."""

    @property
    def title(self) -> str:
        """The game's name for people."""

    @property
    def kit(self) -> Kit:
        """What lies on the table: the same for eyes, sheets and page."""

    def form(self, position: P) -> Form | None:
        """What may be declared of the turn about to end; ``None`` where everything is seen."""

    def player(self, word: object) -> Player:
        """The player a word names. Raises RequestError for any other."""

    def position(self, data: object) -> P:
        """Validate a position's JSON form. Raises RequestError with what to do."""

    def observation(self, text: object) -> Any:
        """Parse what formats write of a table. Raises RequestError with what to do."""

    def setup_differences(self, position: P, observed: Any) -> tuple[Violation, ...]:
        """How an observed board differs from the set-up of the position's edition, field by field."""

    def opening(self, said: Mapping[str, object], observed: Any) -> P:
        """The position a game is set up from: the stacks as the rules put them, no flag placed yet.

        said: ``edition``, ``seats``, ``variants``, ``options`` and ``teams`` as far as they are known. Who sits where
        is taken from the observed flags where it is not said. Raises RequestError with what to do.
        """

    def check(
        self, position: P, observed: Any, frames: Sequence[Any] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        """Rule on the turn that led from the position to what is observed.

        frames: what was seen standing still during the turn, oldest first. declared: what players said of it, by the
        ids of the form. Raises RequestError for what no turn can lead to, or a declaration of another form.
        """

    def seats(self, position: P) -> tuple[Seat, ...]:
        """The players in playing order with their counters, for the page."""

    def sighting(self, position: P) -> Any:
        """What the eyes may expect to see after a turn from this position: a prior of the kind the game observes."""

    def expectation(self, said: Mapping[str, object], shape: tuple[int, int]) -> Any:
        """What the eyes may expect where no position is known.

        said: ``seats``, ``players`` and ``edition`` as far as they are known, as formats write them. shape: rows and
        columns of the table's board. Raises RequestError with what to do.
        """

    def begun(self, position: P, observed: Any) -> P:
        """The position with which a game begins whose set-up is seen. Raises RequestError when no game can."""

    def accepted(self, position: P, observed: Any, declared: Declared = NOTHING_DECLARED) -> P:
        """The position after a turn that all players let stand, whatever the rules say of it.

        What the players count is reconciled with the board, and with what was declared. Raises RequestError, saying
        what must be put right, for a board no position can have.
        """

    def corrected(self, position: P, changes: Mapping[str, object]) -> P:
        """The position with some keys of its JSON form changed by hand.

        Keys that follow from a changed one are changed with it unless they are given as well. Raises RequestError.
        """

    def resigned(self, position: P, out: frozenset[Any]) -> P:
        """The position once the players in ``out`` have given up: finished when only one side is left."""

    def passed(self, position: P) -> P:
        """The position after a turn in which nothing happened, because its player has given up."""

    def choices(self) -> Choices:
        """What can be chosen for a new game."""

    def new_game(self, choice: Mapping[str, object]) -> P:
        """The position before the set-up of a new game, nothing on the board but the stacks.

        choice: keys of a position as formats write them, ``edition`` and ``seats`` at least. Raises RequestError with
        what to do.
        """

    def citation(self, position: P, rule: RuleId) -> Citation:
        """Where a rule is written in the sheet of the position's edition; an empty paragraph where it is in none."""

    def progress(self, position: P, seen: Sequence[Any]) -> tuple[Progress, ...]:
        """How far the turn under way has come, by boards seen standing still during it, oldest first."""


@runtime_checkable
class TurnsOn(Protocol):
    """A game in which an act can earn another, so that a turn may have gone on where no camera saw it."""

    def turns_on(self, position: Any, ruling: Ruling) -> bool:
        """Whether by the rules a legal turn from a position could have held more acts than the ruling's."""
