"""What a game may tell beside its contract: what is to be done, questions, points, what decided, seats seen.

A game that has nothing of the kind leaves these methods out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from referee.games.contract import Ruling
from referee.values.board import Field
from referee.values.declaring import Declared
from referee.values.players import Player
from referee.values.words import Words


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


@runtime_checkable
class Prompts(Protocol):
    """A game that says what the player to move is to do now."""

    def prompt(self, position: Any) -> Words | None:
        """One sentence; ``None`` where it is just a turn."""


@runtime_checkable
class AsksBefore(Protocol):
    """A game that asks before it accuses."""

    def question(self, position: Any, ruling: Ruling, declared: Declared) -> Question | None:
        """What to ask of a turn that was ruled illegal from a position, with what was declared of it."""


@runtime_checkable
class Accounts(Protocol):
    """A game that works out points, and shows how."""

    def account(self, position: Any, ruling: Ruling) -> TurnAccount | None:
        """The points a ruling on a turn from the position brought; ``None`` where it brought none."""


@runtime_checkable
class TellsWhy(Protocol):
    """A game that says by what it was won or lost."""

    def why_over(self, position: Any) -> Words | None:
        """What decided a game that is over by its rules; ``None`` where the rules did not decide it."""


@dataclass(frozen=True, slots=True)
class OtherSetup:
    """Another set-up of the same game that a board shows. position: of it; words: asks whether to play so."""

    position: Any
    words: Words


@runtime_checkable
class InfersSetup(Protocol):
    """A game whose set-up shows who sits where."""

    def other_setup(self, position: Any, observed: Any) -> OtherSetup | None:
        """The set-up that is seen, where it is another than that of the position agreed on, and fits better."""
