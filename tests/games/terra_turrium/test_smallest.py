"""The sets a ruling names are all the smallest ones: every set of rules up to that size is tried."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, grids, side_of
from referee.games.terra_turrium.ruleset import PREFERENCE, TURN_ORDER
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from referee.games.terra_turrium.search.walk import Budget
from referee.values.board import Board

FILES = sorted((Path(__file__).parent / "data").glob("*.jsonl"))


def illegal_cases() -> list[Any]:
    found = []
    for path in FILES:
        cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found += [pytest.param(case, id=case["id"]) for case in cases if not case["legal"]]
    return found


def smallest(position: TerraPosition, observed: Board, most: int) -> set[tuple[str, ...]]:
    after, flags_after = grids(observed)
    before, flags = position.grids[0], position.flag_masks
    searches = []
    for player in position.players:
        side = side_of(position, player)
        cubes = CubeSearch(position.rules, side, before, after, flags[0])
        searches.append((player, cubes, FlagSearch(position.rules, side, after, flags, flag_masks(flags_after))))
    for size in range(1, most + 1):
        sets = set()
        for rules in combinations(PREFERENCE, size):
            lifted = frozenset(rules)
            for player, cubes, moves in searches:
                if (player == position.to_move) == (TURN_ORDER in lifted):
                    continue
                if cubes.plan(lifted) is not None and moves.explicable(lifted, Budget(10**6)):
                    sets.add(rules)
        if sets:
            return sets
    return set()


@pytest.mark.parametrize("case", illegal_cases())
def test_all_smallest_sets(case: dict[str, Any]) -> None:
    position = GAME.position(case["position"])
    observed = parse_board(case["observed"])
    ruling = GAME.check(position, observed)
    in_order = [tuple(violation.rule for violation in ruling.violations), *ruling.alternatives]
    ranks = [[PREFERENCE.index(rule) for rule in rules] for rules in in_order]
    assert ranks == sorted(ranks), "the preferred set is named first"
    named = set(in_order)
    if len(ruling.violations) <= 2:
        assert named == smallest(position, observed, 2)
    else:
        assert not smallest(position, observed, 2)


def test_no_sets_of_more_rules_than_matter_are_looked_for() -> None:
    tried = 0
    for case in (param.values[0] for param in illegal_cases()):
        position = GAME.position(case["position"])
        after, flags = grids(parse_board(case["observed"]))
        side = side_of(position, position.to_move)
        args = position.rules, side, after, position.flag_masks, flag_masks(flags)
        sets = FlagSearch(*args).smallest(Budget(10**6))
        size = len(sets[0])
        if size:
            tried += 1
            assert FlagSearch(*args).smallest(Budget(10**6), size) == sets
            assert FlagSearch(*args).smallest(Budget(10**6), size - 1) == ()
    assert tried
