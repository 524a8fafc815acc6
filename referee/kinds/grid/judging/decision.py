"""Hold what the judge says of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.games.contract import Position, Ruling
from referee.match.decision import Ask, Assumption, Candidate, LateDiscovery
from referee.values.board import Field


@dataclass(frozen=True, slots=True)
class Judgement:
    """The referee's word on a turn.

    kind: ``legal``, ``illegal`` or ``unsure``. observed: text of the board it rests on (the likeliest, when unsure).
    ruling: the engine's ruling on that board; ``None`` when unsure. doubts, ask: what to look at, when unsure.
    assumed: what a legal ruling takes for granted. late: what this look says of an earlier turn. before: the position
    the turn is judged from. open: where the board that an illegal ruling rests on may as well be another. swept:
    towers fell or hands swept the board: nobody is accused. candidates: the likeliest boards, when unsure, to choose
    from. standing: fields of pieces that a legal ruling takes to stand where they stood, though the pictures don't
    tell; those likeliest to be gone first. gone: of all that stay those of which the pictures show that none stands
    there.
    """

    kind: Literal["legal", "illegal", "unsure"]
    observed: str
    ruling: Ruling | None
    doubts: tuple[Field, ...] = ()
    ask: Ask | None = None
    assumed: tuple[Assumption, ...] = ()
    late: LateDiscovery | None = None
    before: Position | None = None
    open: frozenset[Field] = frozenset()
    swept: bool = False
    candidates: tuple[Candidate, ...] = ()
    standing: tuple[Field, ...] = ()
    gone: tuple[Field, ...] = ()
