"""Tell the page how far a turn has come, by boards that stood still while somebody plays it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.contract import Progress
from referee.games.torres.board import TorresBoard
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.ruleset import AP
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import TorresScene
from referee.values.words import say

_STATES = 2_000
"""States looked at for the action points used so far."""


def progress(position: TorresPosition, seen: Sequence[TorresBoard]) -> tuple[Progress, ...]:
    """Return the blocks built, and the fewest action points that lead to the newest board, where some do."""
    if position.stage != "play" or not seen:
        return ()
    scene = TorresScene(position.rules, position.board, seen[-1], position.reserve)
    stacks = position.stacks[position.to_move]
    found = [Progress("built", say("blocks built"), max(0, scene.more), max(stacks, default=0))]
    plan = Suspect(position, scene, position.to_move, Declared(), SearchEffort(_STATES)).legal()
    if plan is not None:
        found.append(Progress("points", say("action points used"), plan.cost, AP))
    return tuple(found)
