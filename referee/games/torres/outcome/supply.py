"""Keep account of blocks: where those of a turn came from, and where those not used go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.games.contract import RequestError
from referee.games.torres.colours import KnightColour
from referee.games.torres.position.position import Declared, Stack, TorresPosition
from referee.games.torres.ruleset import PHASES, TorresRules
from referee.values.words import Value, say


@dataclass(frozen=True, slots=True)
class Supply:
    """A player's stacks and the common reserve after a turn."""

    stacks: Stack
    reserve: int


def after_turn(position: TorresPosition, declared: Declared, more: int) -> Supply:
    """Return stacks and reserve after a legal turn of the player to move.

    more: blocks on the board more than before. Raises RequestError for a declared leftover that cannot be.
    """
    stacks = position.stacks[position.to_move]
    extra = int(declared.card == "extra" and more > 0 and position.reserve > 0)
    reserve, used = position.reserve - extra, more - extra
    beyond = max(0, used - sum(stacks)) + min(0, used)  # only in turns that players let stand
    reserve, used = max(0, reserve - beyond), used - beyond
    chosen = declared.stack or max(stacks, default=0)
    others = _without(stacks, chosen)
    while used > chosen + 1 and others:  # likewise
        others, used = _one_less(others, max(others)), used - 1
    ways = _ways(others, chosen, used, declared.card == "under")
    if declared.leftover is None:
        found, rest = _spread(position, *ways[0])
        return Supply(found, reserve + rest)
    for kept, left in ways:
        if _possible(position, kept, left, declared.leftover):
            return Supply(declared.leftover, reserve + sum(kept) + left - sum(declared.leftover))
    expected: Value = _spread(position, *ways[0])[0] or say("none")
    who = position.to_move
    told = say("The supply stacks declared as left can’t be: {who} is left with {stacks}.", who=who, stacks=expected)
    raise RequestError("leftover", told)


def _without(stacks: Stack, size: int) -> Stack:
    if size not in stacks:
        return stacks
    place = stacks.index(size)
    return stacks[:place] + stacks[place + 1 :]


def _one_less(stacks: Stack, size: int) -> Stack:
    """Return stacks after a block is taken from one of a size; one that is used up is gone."""
    return _without(stacks, size) + ((size - 1,) if size > 1 else ())


def _ways(others: Stack, chosen: int, used: int, under: bool) -> list[tuple[Stack, int]]:
    """Return how the blocks can have come from the stacks: the other stacks then, and the blocks not used."""
    found = [(others, chosen - used)] if used <= chosen else []
    if used > chosen or (under and used):
        sizes = sorted(set(others), reverse=True)
        found += [(_one_less(others, size), chosen - used + 1) for size in sizes]
    return found or [((), 0)]


def _spread(position: TorresPosition, others: Stack, left: int) -> tuple[Stack, int]:
    """Let unused blocks go one after the other onto the then lowest stack; return also how many go to the reserve."""
    if others:
        return filled(others, left, position.rules.stack_limit)
    if position.rules.phase_leftover == "kept" and position.phase < PHASES and left:
        return (left,), 0
    return (), left


def filled(stacks: Stack, blocks: int, limit: int | None) -> tuple[Stack, int]:
    """Return stacks after blocks have gone one by one onto the then lowest, and how many found no place."""
    found = list(stacks)
    for placed in range(blocks):
        if not found or (limit is not None and min(found) >= limit):
            return tuple(found), blocks - placed
        found[found.index(min(found))] += 1
    return tuple(found), 0


def _possible(position: TorresPosition, others: Stack, left: int, leftover: Stack) -> bool:
    """Return whether unused blocks can have been spread so that these stacks result."""
    limit = position.rules.stack_limit
    stacks, _ = _spread(position, others, left)
    if not others:
        return leftover == stacks
    if len(leftover) != len(others) or sum(leftover) != sum(stacks):
        return False
    pairs = list(zip(sorted(others), sorted(leftover), strict=True))
    return all(a <= b and (limit is None or b <= limit or a == b) for a, b in pairs)


def dealt(
    rules: TorresRules, phase: int, stacks: Mapping[KnightColour, Stack], reserve: int
) -> tuple[dict[KnightColour, Stack], int]:
    """Return the stacks of a new phase and the reserve they are dealt from.

    stacks: what is left of the old phase; it goes back to the reserve, or onto the new stacks where it is kept.
    """
    new = rules.stacks(phase)
    found = {}
    for player, old in stacks.items():
        blocks = sum(old)
        on_top, rest = filled(new, blocks, rules.stack_limit) if rules.phase_leftover == "kept" else (new, blocks)
        found[player] = on_top
        reserve += rest - sum(new)
    return found, max(0, reserve)
