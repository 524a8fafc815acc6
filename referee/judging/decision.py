"""Hold what the judge says of a turn: the ruling, what to ask, what was taken for granted, what came out late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.games.contract import Position, RuleId, Ruling
from referee.values.board import Field
from referee.values.players import Player
from referee.values.words import Words


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
    from above. fields: those it would decide. words: for people.
    """

    azimuth_deg: int
    elevation_deg: int
    fields: tuple[Field, ...]
    words: Words

    def to_json(self, language: str) -> dict[str, object]:
        """Return what ``referee audit`` and the page say of it."""
        return {
            "azimuth_deg": self.azimuth_deg,
            "elevation_deg": self.elevation_deg,
            "fields": [place.name for place in self.fields],
            "message": self.words.text(language),
        }


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """The referee's word on a turn.

    kind: ``legal``, ``illegal`` or ``unsure``. observed: text of the board it rests on (the likeliest, when unsure).
    ruling: the engine's ruling on that board; ``None`` when unsure. doubts, ask: what to look at, when unsure.
    assumed: what a legal ruling takes for granted. late: what this look says of an earlier turn. odds: nats by which
    a legal turn is likelier than any other. before: the position the turn is judged from. open: where the board that
    an illegal ruling rests on may as well be another. swept: towers fell or hands swept the board: nobody is accused.
    candidates: the likeliest boards, when unsure, to choose from.
    """

    kind: Literal["legal", "illegal", "unsure"]
    observed: str
    ruling: Ruling | None
    doubts: tuple[Field, ...] = ()
    ask: Ask | None = None
    assumed: tuple[Assumption, ...] = ()
    late: LateDiscovery | None = None
    odds: float = 0.0
    before: Position | None = None
    open: frozenset[Field] = frozenset()
    swept: bool = False
    candidates: tuple[Candidate, ...] = ()
