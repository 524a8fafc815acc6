"""Replay a turn on the ledger with some rules lifted, in every order of pouring nobody declared."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from referee.games.contract import RuleId
from referee.games.terrabilis.declared.acts import Roll, TurnCase
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.replay.comparison import check_complete, compare
from referee.games.terrabilis.replay.ending import after_act, eliminate_used_up, title
from referee.games.terrabilis.replay.lifting import Broken, LedgerDifference, Licence, UnliftedError
from referee.games.terrabilis.replay.moving import roll
from referee.games.terrabilis.replay.playing import idle, perform
from referee.games.terrabilis.replay.turn import LedgerTurn, Picks
from referee.games.terrabilis.ruleset import Lifted

MOST_ORDERS = 256
"""Combinations of orders tried in one replay before it is content with those."""


@dataclass(frozen=True, slots=True)
class LedgerReplay:
    """How a turn came out with some rules lifted.

    stuck: the breach that kept an act from being made, if one did. differences: of ledger and table, not excused.
    broken: the lifted rules that were broken. asked: rules whose lifting could change how it comes out. rolled:
    whether there was a roll before the game ended. complete: whether every order of pouring was tried; runs: how many
    were.
    """

    turn: LedgerTurn
    stuck: Broken | None
    differences: tuple[LedgerDifference, ...]
    broken: tuple[Broken, ...]
    asked: Lifted
    rolled: bool
    complete: bool = True
    runs: int = 1

    @property
    def made(self) -> bool:
        """Return whether all acts could be made."""
        return self.stuck is None and self.rolled

    @property
    def agrees(self) -> bool:
        """Return whether all acts could be made and all agrees with what was seen."""
        return self.made and not self.differences


def replay(case: TurnCase, lifted: Lifted = frozenset()) -> LedgerReplay:
    """Replay a turn: the first order of pouring with which everything agrees, else green first."""
    first: LedgerReplay | None = None
    asked: set[RuleId] = set()
    complete, runs = True, 0
    for number, outcome in enumerate(_replays(case, lifted)):
        runs += 1
        if outcome.agrees:
            return replace(outcome, runs=runs)
        asked |= outcome.asked
        first = first or outcome
        if number >= MOST_ORDERS:
            complete = False
            break
    assert first is not None
    return replace(first, asked=frozenset(asked), complete=complete, runs=runs)


def _replays(case: TurnCase, lifted: Lifted) -> Iterator[LedgerReplay]:
    script: tuple[int, ...] | None = ()
    met: dict[Hashable, tuple[int, ...]] = {}
    while script is not None:
        picks = Picks(script, met)
        yield _replay(case, Licence(lifted), picks)
        script = picks.following


def _replay(case: TurnCase, licence: Licence, picks: Picks) -> LedgerReplay:
    turn = LedgerTurn(case, licence, picks)
    stuck = None
    try:
        reached = play(turn)
        check_complete(turn, reached)
        if not turn.over:
            eliminate_used_up(turn)
        compare(turn)
    except UnliftedError as error:
        stuck = error.broken
    return LedgerReplay(
        turn=turn,
        stuck=stuck,
        differences=tuple(licence.differences),
        broken=tuple(licence.broken),
        asked=frozenset(licence.asked),
        rolled=turn.dice is not None or turn.over,
    )


def play(turn: LedgerTurn) -> int:
    """Carry out the acts; return the index of the first that is not looked at. Raises UnliftedError."""
    acts = turn.case.acts
    for index, act in enumerate(acts):
        if index in turn.booked or idle(act):
            continue
        if isinstance(act, Roll):
            roll(turn, index, act)
        else:
            perform(turn, act)
        if not turn.awaited:
            after_act(turn)
        if turn.over:
            return len(acts) if turn.ended else index + 1
        if turn.ended:
            break
    return len(acts)


def position_after(turn: LedgerTurn) -> TerrabilisPosition:
    """Return the position after a turn that was replayed to its end."""
    before, books = turn.case.position, turn.books
    zone = books.zone
    return replace(
        before,
        to_move=turn.player if turn.over else _next_player(turn),
        ledger={who: account.line for who, account in books.accounts.items()},
        turn=before.turn + 1,
        lap=books.lap,
        zone=(zone.green, zone.yellow),
        lost=(zone.lost_green, zone.lost_yellow),
        discard=tuple(books.discard),
        finished=turn.over,
        winners=() if turn.winner is None else (turn.winner,),
    )


def _next_player(turn: LedgerTurn) -> Country:
    return turn.others()[0]


def title_of(turn: LedgerTurn) -> str | None:
    """Return the title of a turn's winner; ``None`` without one."""
    if turn.winner is None:
        return None
    return title(turn.case, turn.winner, turn.books.accounts[turn.winner].line)
