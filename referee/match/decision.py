"""Hold what a ruling may say beside its verdict: what to ask, what it takes for granted, what came out late."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.contract import RuleId
from referee.values.board import Field
from referee.values.players import Player
from referee.values.words import Words

MOST_DOUBTS = 6
"""Fields named at most when the players are asked to look."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The one field whose sight would settle most.

    why: for people. answers: the heights and flags (0: none) that may stand there, the likeliest first.
    """

    field: Field
    why: Words
    answers: tuple[tuple[int, int], ...] = ()


Candidate = tuple[tuple[Field, tuple[int, int]], ...]
"""A board that may stand there: height and flag (0: none) of each field in which the boards offered differ."""


@dataclass(frozen=True, slots=True)
class ShowFrom:
    """The side from which one more view by a camera in a hand would decide most.

    azimuth_deg: seen from the board's middle, 0 the side of row 1, 90 that of the last column, counter-clockwise seen
    from above. fields: those it would decide. words: for people. towards, distance_mm: the field to look down into,
    and from how near, where that is what is asked for.
    """

    azimuth_deg: int
    elevation_deg: int
    fields: tuple[Field, ...]
    words: Words
    towards: Field | None = None
    distance_mm: int | None = None

    def to_json(self, language: str) -> dict[str, object]:
        """Return what ``referee audit`` and the page say of it."""
        return {
            "azimuth_deg": self.azimuth_deg,
            "elevation_deg": self.elevation_deg,
            "fields": [place.name for place in self.fields],
            "message": self.words.text(language),
            **self.near_json(),
        }

    def near_json(self) -> dict[str, object]:
        """Return what is told besides of a look down into a field."""
        return {} if self.towards is None else {"towards": self.towards.name, "distance_mm": self.distance_mm}


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something a legal ruling rests on though no camera sees it."""

    field: Field
    words: Words


@dataclass(frozen=True, slots=True)
class LateDiscovery:
    """A turn that was ruled legal on something nobody saw, and must have broken a rule: that is seen now.

    turn, player: whose it was. rules: what it broke. words: for the players, who decide what follows.
    """

    turn: int
    player: Player
    rules: frozenset[RuleId]
    words: Words
