"""Choose several things at once, best first, where the worth of a choice is the sum of its parts."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, nextafter
from typing import Generic, TypeVar

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Pick(Generic[K]):
    """Something to choose.

    value: what it adds. size: how much of the total it takes. group: only one of a group can be chosen. key: what it
    stands for.
    """

    value: float
    size: int
    group: Hashable
    key: K


def best_by_size(options: Sequence[Pick[K]], most: int) -> list[float]:
    """Return the best value of a choice of each total size from 0 to ``most``; minus infinity where there is none."""
    groups: dict[Hashable, list[Pick[K]]] = {}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    best = [0.0] + [-float("inf")] * most
    for members in groups.values():
        longer = list(best)
        for option in members:
            for size in range(option.size, most + 1):
                longer[size] = max(longer[size], best[size - option.size] + option.value)
        best = longer
    return best


def choices(options: Sequence[Pick[K]], total: int, floor: float, most: int) -> list[tuple[float, tuple[K, ...]]]:
    """Return all choices of a total size worth at least ``floor``, best first, at most ``most`` of them.

    Branch and bound: options are tried by falling worth a unit of size, so what is left can't be worth more than the
    next option's worth a unit allows.
    """
    ranked = sorted(options, key=lambda option: -option.value / option.size)
    found: list[tuple[float, int, tuple[K, ...]]] = []
    used: list[Hashable] = []

    def grow(start: int, left: int, value: float, chosen: tuple[K, ...]) -> None:
        nonlocal floor
        if not left:
            item = (value, -len(found), chosen)
            if len(found) < most:
                heapq.heappush(found, item)
            else:
                heapq.heappushpop(found, item)
            if len(found) == most:  # of those worth as much as the least of them there may be millions
                floor = max(floor, nextafter(found[0][0], inf))
            return
        for n in range(start, len(ranked)):
            option = ranked[n]
            if value + left * option.value / option.size < floor:
                return
            if option.size <= left and option.group not in used:
                used.append(option.group)
                grow(n + 1, left - option.size, value + option.value, (*chosen, option.key))
                used.pop()

    grow(0, total, 0.0, ())
    return [(value, chosen) for value, _, chosen in sorted(found, key=lambda item: (-item[0], -item[1]))]


def deviations(costs: Sequence[float], groups: Sequence[Hashable]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield sets of deviations by rising total cost, the empty set first; no two of a group.

    costs: not negative, rising. Sets are grown by the usual successor rule (append the next deviation, or replace the
    last one by its successor), so none is yielded twice.
    Source: E. L. Lawler, A procedure for computing the K best solutions, Management Science 18 (1972).
    """
    heap: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    while heap:
        cost, chosen = heapq.heappop(heap)
        clash = len({groups[n] for n in chosen}) < len(chosen)
        if not clash:
            yield cost, chosen
        last = chosen[-1] if chosen else -1
        if last + 1 < len(costs):
            if not clash:
                heapq.heappush(heap, (cost + costs[last + 1], (*chosen, last + 1)))
            if chosen:
                heapq.heappush(heap, (cost - costs[last] + costs[last + 1], (*chosen[:-1], last + 1)))
