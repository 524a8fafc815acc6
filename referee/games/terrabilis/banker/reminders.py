"""Remind players of loans that fall due, a Zone about to overflow, and what is missing for a win."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine, TerrabilisPosition
from referee.games.terrabilis.ruleset import MOST_LOANS, ZONE_PLACES
from referee.values.words import Words, say, say_n


@dataclass(frozen=True, slots=True)
class WinStanding:
    """How near a player is to winning. cards, target: infrastructures installed and wanted."""

    who: Country
    member: bool
    cards: int
    target: int
    open_loans: int
    loans_left: int

    @property
    def missing(self) -> tuple[Words, ...]:
        """Return what is missing for a win, in words; nothing where the player wins."""
        found = []
        if self.cards < self.target:
            found.append(say_n("{n} infrastructure more", "{n} infrastructures more", self.target - self.cards))
        if not self.member:
            found.append(say("membership of the Alliance"))
        if self.open_loans:
            found.append(say("the loan repaid"))
        return tuple(found)


def standing(position: TerrabilisPosition, who: Country) -> WinStanding:
    """Return how near a player is to winning, and how many loans are left."""
    line = position.ledger[who]
    return WinStanding(
        who=who,
        member=line.member,
        cards=len(line.installed),
        target=position.target,
        open_loans=len(line.open_loans),
        loans_left=_loans_left(position, line),
    )


def _loans_left(position: TerrabilisPosition, line: LedgerLine) -> int:
    """Return how many loans a player may still take now."""
    if line.out or (position.readings.one_open_loan and line.open_loans):
        return 0
    return max(0, MOST_LOANS - len(line.loans))


def why_over(position: TerrabilisPosition) -> Words | None:
    """Say what was reached by who has won, else who is out."""
    if position.winners:
        cards = standing(position, position.winners[0]).cards
        return say_n(
            "{n} infrastructure installed, a member of the Alliance, no open loan.",
            "{n} infrastructures installed, a member of the Alliance, no open loan.",
            cards,
        )
    out = tuple(who for who in position.players if position.ledger[who].out)
    return say("The group has lost together: out are {who}.", who=out) if out else None


def reminders(position: TerrabilisPosition, copy: GameCopy) -> tuple[Words, ...]:
    """Return what the table should not forget before this turn, the most pressing first."""
    found = [*_loans(position, copy), *_zone(position, copy)]
    for who in position.remaining:
        state = standing(position, who)
        if len(state.missing) == 1 and (state.cards >= state.target or state.target - state.cards == 1):
            found.append(say("{who} wins with {missing}.", who=who, missing=state.missing[0]))
    return tuple(found)


def _loans(position: TerrabilisPosition, copy: GameCopy) -> list[Words]:
    due, later = [], []
    for who in position.remaining:
        for loan in position.ledger[who].open_loans:
            if loan.lap < position.lap:
                due.append(
                    say(
                        "{who} must repay {amount} Terras by the end of this lap, or is out.",
                        who=who,
                        amount=copy.amounts.loan_repay,
                    )
                )
            else:
                later.append(
                    say(
                        "{who} must repay {amount} Terras by the end of the next lap.",
                        who=who,
                        amount=copy.amounts.loan_repay,
                    )
                )
    return due + later


def _zone(position: TerrabilisPosition, copy: GameCopy) -> list[Words]:
    free = ZONE_PLACES - sum(position.zone)
    if free > copy.amounts.births:
        return []
    if not free:
        return [say("The Zone is full: the next counter poured removes all ten from the game.")]
    return [say_n("The Zone has {n} place left.", "The Zone has {n} places left.", free)]
