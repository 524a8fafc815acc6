"""The turn under way as one frozen value. ``next_turn`` makes it; what isn't handed over there is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.answers import OtherSetup
from referee.games.contract import Position, Violation
from referee.match.decision import Ask
from referee.match.events import CERTAIN, LeftOpen, SetupChecked
from referee.values.declaring import NOTHING_DECLARED, Declared


@dataclass(frozen=True, slots=True)
class DraftedAnswers:
    """Values that somebody filled in for an option and has not declared. by: who; values: by the ids asked for."""

    by: str
    values: Declared


@dataclass(frozen=True, slots=True)
class EndOfTurn:
    """What people say of the board as it stands at the end of a turn, or of the set-up.

    known: what witnesses say stands on fields. confirmed: the turn is over although nothing changed. board: the text
    of the whole board, ``None`` where nobody gave it; that of a tower without any bar is empty. stood: those told
    when somebody was asked whether something fell.
    """

    known: Mapping[str, str] = field(default_factory=dict)
    confirmed: bool = False
    board: str | None = None
    stood: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TurnUnderWay:
    """All that is known of the turn under way. Setting up the table belongs to the first turn.

    position: where it began, by the record. left_open: by earlier turns. since: the entry whose ruling left it open,
    0 where the position is known for certain. declared: what was said of the turn that no camera sees. drafts: what
    is filled in and not declared, by the option that asks for it. unseen: since the position was known the table has
    changed with nobody seen at it. checking: somebody asked for a look at the set-up, which has no outcome yet.
    checked: what the last one found, ``None`` before.
    """

    position: Position
    left_open: LeftOpen
    since: int
    declared: Declared
    drafts: Mapping[str, DraftedAnswers]
    unseen: bool
    end: EndOfTurn = EndOfTurn()
    checking: bool = False
    checked: SetupChecked | None = None

    @property
    def differences(self) -> tuple[Violation, ...] | None:
        """Return what differed when the set-up was last looked at, ``None`` before."""
        return None if self.checked is None else self.checked.differences

    @property
    def asks(self) -> tuple[Ask, ...]:
        """Return what players must tell of the set-up, because that look did not."""
        return () if self.checked is None else self.checked.asks

    @property
    def other(self) -> OtherSetup | None:
        """Return the set-up that was seen instead of the one agreed on."""
        return None if self.checked is None else self.checked.other


def next_turn(
    position: Position,
    left_open: LeftOpen = CERTAIN,
    since: int = 0,
    declared: Declared = NOTHING_DECLARED,
    drafts: Mapping[str, DraftedAnswers] | None = None,
    unseen: bool = False,
) -> TurnUnderWay:
    """Return a turn that begins at a position. Nothing is known of it but what is handed over."""
    return TurnUnderWay(position, left_open, since, declared, drafts or {}, unseen)
