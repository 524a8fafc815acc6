"""Define the interface of a game: what the referee needs of every one, and the abilities a game may have besides.

A game inherits from ``Rules`` and from each ability it has, so that a type checker says what is missing; whatever has
the methods serves as well. Engines know no clock, camera, file or thread. What they answer stands in
``referee.games.answers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from referee.games.answers import (
    Act,
    Citation,
    Counter,
    Details,
    Effort,
    Explained,
    GoalStep,
    Observation,
    Offer,
    OtherSetup,
    Position,
    Progress,
    Question,
    RequestError,
    RuleId,
    Ruling,
    Seat,
    StoneTrack,
    Strength,
    TurnAccount,
    Violation,
    Weighed,
)
from referee.values.belief import BoardBelief
from referee.values.choices import Choices
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.kit import Kit
from referee.values.matparts import MatPart
from referee.values.players import Names, Player
from referee.values.words import Words

__all__ = [
    "ABILITIES",
    "Accounts",
    "Act",
    "AnyGame",
    "AsksBefore",
    "Banking",
    "Citation",
    "Counter",
    "Details",
    "DoubtsFirst",
    "Explains",
    "Game",
    "GoalStep",
    "HasCopies",
    "HasDetails",
    "InfersSetup",
    "LiesOnMat",
    "Observation",
    "Offer",
    "OwnActs",
    "Plays",
    "Position",
    "Progress",
    "Prompts",
    "RequestError",
    "RuleId",
    "Rules",
    "Ruling",
    "Seat",
    "StoneTrack",
    "TellsLegal",
    "TellsWhy",
    "TurnsOn",
    "Violation",
    "WeighsTurns",
]

P = TypeVar("P", bound=Position)
P_contra = TypeVar("P_contra", bound=Position, contravariant=True)
Obs = TypeVar("Obs", bound=Observation)
Obs_co = TypeVar("Obs_co", bound=Observation, covariant=True)
Obs_contra = TypeVar("Obs_contra", bound=Observation, contravariant=True)
Prior_co = TypeVar("Prior_co", covariant=True)


class Rules(Protocol[P, Obs, Prior_co]):
    """What every game has. P: its positions; Obs: what it observes; Prior_co: what a reader may expect to see."""

    @property
    def name(self) -> str:
        """Return the game's id in formats, a stable word."""

    @property
    def title(self) -> str:
        """Return the game's name for people."""

    @property
    def kit(self) -> Kit:
        """Return what lies on the table: the same for reader, sheets and page."""

    def form(self, position: P) -> Form | None:
        """Return what may be declared of the turn about to end; ``None`` where everything is seen."""

    def player(self, word: object) -> Player:
        """Return the player a word names. Raises RequestError for any other."""

    def position(self, data: object) -> P:
        """Validate a position's JSON form. Raises RequestError with what to do."""

    def observation(self, text: object) -> Obs:
        """Parse what formats write of a table. Raises RequestError with what to do."""

    def setup_differences(self, position: P, observed: Obs) -> tuple[Violation, ...]:
        """Return how an observed board differs from the set-up of the position's edition, field by field."""

    def infer_setup(self, said: Mapping[str, object], observed: Obs) -> P:
        """Return the position a game is set up from: the stacks as the rules put them, no flag placed yet.

        said: ``edition``, ``seats``, ``variants``, ``options`` and ``teams`` as far as they are known. Who sits where
        is taken from the observed flags where it is not said. Raises RequestError with what to do.
        """

    def check(
        self, position: P, observed: Obs, frames: Sequence[Obs] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        """Rule on the turn that led from the position to what is observed.

        frames: what was seen standing still during the turn, oldest first. declared: what players said of it, by the
        ids of the form. Raises RequestError for what no turn can lead to, or a declaration of another form.
        """

    def seats(self, position: P) -> tuple[Seat, ...]:
        """Return the players in playing order with their counters, for the page."""

    def prior_after(self, position: P) -> Prior_co:
        """Return what a reader may expect to see after a turn from this position: a prior of the game's kind."""

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior_co:
        """Return what a reader may expect where no position is known.

        said: ``seats``, ``players`` and ``edition`` as far as they are known, as formats write them. shape: rows and
        columns of the table's board. Raises RequestError with what to do.
        """

    def start_from_setup(self, position: P, observed: Obs) -> P:
        """Return the position with which a game begins whose set-up is seen. Raises RequestError when no game can."""

    def accepted(self, position: P, observed: Obs, declared: Declared = NOTHING_DECLARED) -> P:
        """Return the position after a turn that all players let stand, whatever the rules say of it.

        What the players count is reconciled with the board, and with what was declared. Raises RequestError, saying
        what must be put right, for a board no position can have.
        """

    def corrected(self, position: P, changes: Mapping[str, object]) -> P:
        """Return the position with some keys of its JSON form changed by hand.

        Keys that follow from a changed one are changed with it unless they are given as well. Raises RequestError.
        """

    def resigned(self, position: P, out: frozenset[Player]) -> P:
        """Return the position once the players in ``out`` have given up: finished when only one side is left."""

    def passed(self, position: P) -> P:
        """Return the position after a turn in which nothing happened, because its player has given up."""

    def choices(self) -> Choices:
        """Return what can be chosen for a new game."""

    def new_game(self, choice: Mapping[str, object]) -> P:
        """Return the position before the set-up of a new game, nothing on the board but the stacks.

        choice: keys of a position as formats write them, ``edition`` and ``seats`` at least. Raises RequestError with
        what to do.
        """

    def citation(self, position: P, rule: RuleId) -> Citation:
        """Return where the sheet of the position's edition has a rule; an empty paragraph where no rule says it."""

    def progress(self, position: P, seen: Sequence[Obs]) -> tuple[Progress, ...]:
        """Return how far the turn under way has come, by boards seen standing still during it, oldest first."""


Game: TypeAlias = Rules[P, Any, Any]
"""A game whose observations and priors are its own affair."""
AnyGame: TypeAlias = Game[Any]
"""A game whose positions are so, too."""


# What a game may have: rulings


@runtime_checkable
class HasDetails(Protocol):
    """A game whose rulings tell more than the contract has."""

    def details(self, answer: Mapping[str, object]) -> Details | None:
        """Read the details in an answer that ``Ruling.to_json`` wrote; ``None`` where it has none."""


@runtime_checkable
class DoubtsFirst(Protocol[P_contra, Obs_contra]):
    """A game that asks before it calls a breach what may only have been told wrongly, or not yet."""

    def lacking(self, position: P_contra, declared: Declared) -> tuple[Words, ...]:
        """Return what the acts so far still lack before the turn may end, if all could be made; empty: nothing.

        Raises RequestError for what can't be declared.
        """

    def insisted(self, position: P_contra, observed: Obs_contra, declared: Declared) -> Ruling:
        """Rule on a turn once the players say that all was done as declared, and lies as it is seen."""


@runtime_checkable
class AsksBefore(Protocol[P_contra]):
    """A game that asks before it accuses."""

    def question(self, position: P_contra, ruling: Ruling, declared: Declared) -> Question | None:
        """Return what to ask of a turn that was ruled illegal from a position, with what was declared of it."""


@runtime_checkable
class TurnsOn(Protocol[P_contra]):
    """A game in which an act can earn another, so that a turn may have gone on where no camera saw it."""

    def turns_on(self, position: P_contra, ruling: Ruling) -> bool:
        """Return whether by the rules a legal turn from a position could have held more acts than the ruling's."""


@runtime_checkable
class WeighsTurns(Protocol[P_contra]):
    """A game that searches its turns against a belief itself.

    The judge knows what the pictures say of every field, the game knows which turns there are: the turns that come
    near the likeliest one are weighed. Others are judged by their likeliest boards one by one, each changed field
    counted as an act.
    """

    def weigh(self, position: P_contra, seen: BoardBelief, effort: Effort) -> Weighed:
        """Weigh the turns that may have led from the position to what was seen.

        seen: natural-log likelihoods, the fields independent of each other given the board.
        """


@runtime_checkable
class TellsLegal(Protocol[P_contra, Obs_contra]):
    """A game that knows sooner whether a turn is legal than which rules it broke.

    Where a tower may have fallen, dozens of boards are put to the rules, each with one put up again.
    """

    def is_legal(self, position: P_contra, observed: Obs_contra, declared: Declared) -> bool:
        """Return whether ``check`` would rule the turn legal; raises what it would raise."""


# What a game may have: the set-up, and what lies on the table


@runtime_checkable
class InfersSetup(Protocol[P_contra, Obs_contra]):
    """A game whose set-up shows who sits where."""

    def other_setup(self, position: P_contra, observed: Obs_contra) -> OtherSetup | None:
        """Return the set-up that is seen, where it fits better than that of the position agreed on."""


@runtime_checkable
class LiesOnMat(Protocol[P_contra, Obs_co]):
    """A game kept as a ledger of which cameras over a mat see something: dice, pawns, counters, cards laid out."""

    def laid_out(self, position: P_contra, seen: Mapping[str, object]) -> Obs_co:
        """Return the observation of what cameras saw, as formats write ``observed``; ``None`` in it was not seen.

        What nobody has in a game from this position is left out.
        """

    def mat_parts(self) -> Sequence[MatPart]:
        """Return what is shown to the cameras once, in the order in which it is asked for."""


@runtime_checkable
class HasCopies(Protocol[P_contra]):
    """A game whose box holds values that no rule sheet prints: they are entered once and kept as a file.

    data: an object of JSON-able values, under the key ``copy`` of a new game's choice. All raise RequestError, saying
    what to do.
    """

    def new_copy(self, name: str) -> dict[str, object]:
        """Return data of which nothing but the name was entered."""

    def checked_copy(self, data: object) -> tuple[str, dict[str, object]]:
        """Return the name of somebody's data, and the data as a file keeps them."""

    def copy_view(self, data: Mapping[str, object], language: str) -> dict[str, object]:
        """Return parts, rows and fields as the page's form shows them (docs/reference/state.md)."""

    def changed_copy(
        self, data: Mapping[str, object], part: str, row: str, values: Mapping[str, object] | None
    ) -> tuple[dict[str, object], str]:
        """Return the data with one row replaced (``None``: taken out) and the row's id; an empty id adds a row."""

    def invented_copy(self, position: P_contra) -> Words | None:
        """Return what players must know of a game whose values are examples; ``None`` where they are somebody's."""


# What a game may have: the page


@runtime_checkable
class Prompts(Protocol[P_contra]):
    """A game that says what the player to move is to do now."""

    def prompt(self, position: P_contra) -> Words | None:
        """Return one sentence; ``None`` where it is just a turn."""


@runtime_checkable
class Accounts(Protocol[P_contra]):
    """A game that works out points, and shows how."""

    def account(self, position: P_contra, ruling: Ruling) -> TurnAccount | None:
        """Return the points a ruling on a turn from the position brought; ``None`` where it brought none."""


@runtime_checkable
class TellsWhy(Protocol[P_contra]):
    """A game that says by what it was won or lost."""

    def why_over(self, position: P_contra) -> Words | None:
        """Return what decided a game that is over by its rules; ``None`` where the rules did not decide it."""


@runtime_checkable
class Explains(Protocol[P_contra]):
    """A game that says how it is played."""

    def explained(self, position: P_contra) -> Explained:
        """Return the game as its edition and options have it played."""


@runtime_checkable
class Banking(Protocol[P_contra, Obs_contra]):
    """A game whose page keeps the accounts of the turn under way.

    All methods return JSON-able values (docs/reference/state.md).
    """

    def ledger(
        self, position: P_contra, declared: Declared, language: str, seen: Obs_contra | None, names: Names
    ) -> Mapping[str, object]:
        """Return the accounts, and what may be chosen now, beside what is observed.

        seen: an observation of what lies on the table now, its dice where they were thrown just now.
        """

    def bookings(self, turn: Mapping[str, object], language: str) -> list[dict[str, object]]:
        """Return the changes of accounts that a ruled turn brought."""

    def ways(
        self, position: P_contra, declared: Declared, offers: Sequence[Offer], language: str, names: Names
    ) -> list[dict[str, object]]:
        """Return the changed declarations with which all would agree, as a ruling offers them."""


@runtime_checkable
class OwnActs(Protocol[P_contra]):
    """A game whose players may each declare from a device of their own."""

    def declarers(self, position: P_contra, before: Declared, after: Declared) -> frozenset[Player] | None:
        """Return whose own acts one declaration adds to another, or takes back; ``None`` where anything else changes.

        Raises RequestError for what can't be read.
        """


ABILITIES = (
    *(HasDetails, DoubtsFirst, AsksBefore, TurnsOn, WeighsTurns, TellsLegal),
    *(InfersSetup, LiesOnMat, HasCopies),
    *(Prompts, Accounts, TellsWhy, Explains, Banking, OwnActs),
)
"""All that a game may have besides; whoever has one method of an ability has all of them."""


@runtime_checkable
class Plays(Protocol[P_contra, Obs_co]):
    """What chooses a game's turns, in ``GamePackage.plays``. What is played is a proposal: the engine rules on it.

    Same position, strength and state of ``chance``: same turn, on any machine. Work is bounded in positions looked
    at, never by a clock; a strong turn stays within about two seconds on one core of a small computer.
    """

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return what is chosen for a new game, with all that a game without people needs besides."""

    def set_up(self, position: P_contra, chance: Random) -> Obs_co:
        """Return what stands on the table once a new game is set up, as far as no turn of the game does it."""

    def turns(self, position: P_contra, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield acts for the player to move as records write them, best first.

        The first that the engine calls legal is played; nothing is left to play where the last is not.
        """
