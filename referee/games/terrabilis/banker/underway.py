"""Follow a turn under way: what the acts declared so far have booked, and what is still to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.games.terrabilis.copy.data import MissingValueError
from referee.games.terrabilis.declared.acts import Declared, TurnCase
from referee.games.terrabilis.declared.seen import NOTHING_SEEN
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine
from referee.games.terrabilis.replay.comparison import check_complete
from referee.games.terrabilis.replay.lifting import Broken, Licence, UnliftedError
from referee.games.terrabilis.replay.turn import LedgerTurn, Picks
from referee.games.terrabilis.replay.whole import play, title_of
from referee.games.terrabilis.ruleset import ACCOUNTS


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What the acts declared so far have come to.

    stuck: the breach that keeps the last act from being made. turn: the replay as far as it went. ready: whether the
    turn may end now; missing: what must be declared before.
    """

    turn: LedgerTurn
    stuck: Broken | None
    missing: Broken | None

    @property
    def ready(self) -> bool:
        """Return whether the turn may end now."""
        rolled = self.turn.dice is not None or self.turn.over
        return rolled and self.stuck is None and self.missing is None and not self.turn.awaited

    @property
    def lines(self) -> Mapping[Country, LedgerLine]:
        """Return the ledger as it stands now."""
        return {who: account.line for who, account in self.turn.books.accounts.items()}

    @property
    def zone(self) -> tuple[int, int]:
        """Return how many green and yellow counters lie in the Zone now."""
        return self.turn.books.zone.green, self.turn.books.zone.yellow

    @property
    def title(self) -> str | None:
        """Return the winner's title, where somebody has won."""
        return title_of(self.turn)


@dataclass(frozen=True, slots=True)
class Effect:
    """What an act changes for one player, with the player's signs."""

    who: Country
    money: int = 0
    energy: int = 0
    green: int = 0
    yellow: int = 0


def under_way(case: TurnCase) -> UnderWay:
    """Book the acts declared so far, as those of a turn that goes on; what was seen is not looked at."""
    case = replace(case, observed=NOTHING_SEEN)
    turn, stuck = _played(case)
    missing = None
    if stuck is None:
        missing = _missing(turn, len(case.acts))
    return UnderWay(turn, stuck, missing)


def _played(case: TurnCase) -> tuple[LedgerTurn, Broken | None]:
    turn = LedgerTurn(case, Licence(frozenset()), Picks(), waiting=True)
    try:
        play(turn)
    except UnliftedError as error:
        return turn, error.broken
    return turn, None


def _missing(turn: LedgerTurn, acts: int) -> Broken | None:
    try:
        check_complete(turn, acts)
    except UnliftedError as error:
        return error.broken
    return None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one more act would come to.

    effects: what it changes, player by player. hindrance: what keeps it from being made. leads: the space it leads
    to, of a roll. lacks: the place of the copy's value that must be known first; the rest is then empty.
    """

    effects: tuple[Effect, ...] = ()
    hindrance: Broken | None = None
    leads: str | None = None
    lacks: tuple[str, ...] = ()


def outlook(before: LedgerTurn, act: Declared) -> Outlook:
    """Return what one more act would come to."""
    case = before.case
    try:
        after, stuck = _played(replace(case, acts=(*case.acts, act)))
    except MissingValueError as error:
        return Outlook(lacks=error.place)
    found = []
    for who in case.position.clockwise(before.player):
        changes = {
            name: after.books.accounts[who].value(name) - before.books.accounts[who].value(name) for name in ACCOUNTS
        }
        if any(changes.values()):
            found.append(Effect(who, **changes))
    return Outlook(tuple(found), stuck, "start" if after.ended else after.space)
