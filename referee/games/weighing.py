"""How a game tells the judge which turns may have made the pictures, and how likely each of them is.

A judge knows what the pictures say of every field; the game knows which turns there are. Weighing joins the two: the
turns that come near the likeliest one, each with the board it leads to, what it breaks and its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from referee.games.contract import Position, RuleId
from referee.values.belief import BoardBelief
from referee.values.board import Board

P_contra = TypeVar("P_contra", bound=Position, contravariant=True)


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """One way to explain the pictures.

    board: how the board stands after it. rules: the smallest set of rules it breaks, as the engine names it; empty
    for a legal turn. score: natural log of how likely the turn is and how likely it makes the pictures, up to a
    constant common to all explanations of one belief. complete: false where the engine's search for the set was cut
    short, so that only some of the rules are named.
    """

    board: Board
    rules: frozenset[RuleId]
    score: float
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Effort:
    """How far to search. breach_nats: what each broken rule costs; near_nats: explanations so far below the best one
    of all, and legal ones so far below the best that is illegal, still count; most_tests: boards put to the rules at
    most, of each kind; most_states: states of a search for moves looked at in all; floor: score below which nothing
    counts at all."""

    breach_nats: float
    near_nats: float
    most_tests: int
    most_states: int
    floor: float = -float("inf")


@dataclass(frozen=True, slots=True)
class Weighed:
    """The explanations that count, best first, none where none does.

    overlooked: score that a legal turn which was not looked at could have at most; minus infinity where all that
    count were looked at.
    """

    explanations: tuple[Reconstruction, ...]
    overlooked: float


@runtime_checkable
class WeighsTurns(Protocol[P_contra]):
    """A game that searches its turns against a belief itself.

    Others are judged by their likeliest boards one by one, each changed field counted as an act.
    """

    def weigh(self, position: P_contra, seen: BoardBelief, effort: Effort) -> Weighed:
        """Weigh the turns that may have led from the position to what was seen.

        seen: natural-log likelihoods, the fields independent of each other given the board.
        """
