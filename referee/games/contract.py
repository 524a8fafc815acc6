"""The contract every game fulfils, and what a game may do beside it.

Engines know no clock, camera, file or thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from referee.games.answers import (
    Act,
    Citation,
    Counter,
    Details,
    GoalStep,
    Observation,
    Offer,
    Position,
    Progress,
    RequestError,
    RuleId,
    Ruling,
    Seat,
    StoneTrack,
    Violation,
)
from referee.values.choices import Choices
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.kit import Kit
from referee.values.matparts import MatPart
from referee.values.players import Player
from referee.values.words import Words

__all__ = [
    "Act",
    "Citation",
    "Counter",
    "Details",
    "DoubtsFirst",
    "Game",
    "GoalStep",
    "HasDetails",
    "KeepsData",
    "LiesOnMat",
    "Observation",
    "Offer",
    "OwnActs",
    "Position",
    "Progress",
    "RequestError",
    "RuleId",
    "Ruling",
    "Seat",
    "StoneTrack",
    "TurnsOn",
    "Violation",
]

P = TypeVar("P", bound=Position)


@runtime_checkable
class DoubtsFirst(Protocol):
    """A game that asks before it calls a breach what may only have been told wrongly, or not yet."""

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
class HasDetails(Protocol):
    """A game whose rulings tell more than the contract has."""

    def details(self, answer: Mapping[str, object]) -> Details | None:
        """Read the details in an answer that ``Ruling.to_json`` wrote; ``None`` where it has none."""


@runtime_checkable
class TurnsOn(Protocol):
    """A game in which an act can earn another, so that a turn may have gone on where no camera saw it."""

    def turns_on(self, position: Any, ruling: Ruling) -> bool:
        """Whether by the rules a legal turn from a position could have held more acts than the ruling's."""
