"""Whole games of random legal turns: every one is found legal, with an explanation that holds and right counts."""

from __future__ import annotations

import random

import pytest

from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import position
from tests.games.terra_turrium.reference import territory
from tests.games.terra_turrium.replay import broken_rules
from tests.games.terra_turrium.spoil import scrambled
from tests.games.terra_turrium.tables import TABLES


def check_counts(before: TerraPosition, after: TerraPosition, turn: Turn) -> None:
    attacked = any(territory(i) not in turn.player.team for i in turn.captured)
    assert after.attacks[turn.mover] - before.attacks[turn.mover] == attacked
    gained = sum(after.in_hand.values()) - sum(before.in_hand.values())
    assert gained == len(turn.captured) - turn.entered
    assert (after.turn, after.to_move) == (before.turn + 1, before.following(turn.mover))


@pytest.mark.long
@pytest.mark.parametrize("table", TABLES)
def test_random_games_are_legal(table: str) -> None:
    rnd = random.Random(table)
    now = GAME.position(position(**TABLES[table]))
    played = 0
    for _ in range(40):
        turn = Turn(rnd, now)
        board = turn.play()
        if not turn.complete:
            continue
        ruling = GAME.check(now, board)
        if not ruling.legal and not now.rules.returned_cubes:
            continue  # the random turn put a cube back where it came from
        assert ruling.legal, (now.to_json(), board.text, ruling.violations)
        assert ruling.turn is not None
        assert not broken_rules(now.to_json(), board.text, dict(ruling.turn))
        assert isinstance(ruling.next, TerraPosition)
        check_counts(now, ruling.next, turn)
        assert GAME.position(ruling.next.to_json()) == ruling.next
        now = ruling.next
        played += 1
        if now.finished:
            break
    assert played > 5


@pytest.mark.long
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.9])
@pytest.mark.parametrize("table", TABLES)
def test_scrambled_boards_are_explained(table: str, share: float) -> None:
    """Whatever is seen, what is named explains it, and nothing that was named is needless in the explanation."""
    rnd = random.Random(f"{table} {share}")
    now = GAME.position(position(**TABLES[table]))
    for _ in range(4):
        turn = Turn(rnd, now)
        board = scrambled(rnd, turn.play(), share)
        ruling = GAME.check(now, board)
        assert ruling.complete
        assert ruling.turn is not None
        named = {violation.rule for violation in ruling.violations}
        assert all(len(rules) == len(named) for rules in ruling.alternatives)
        assert len({*ruling.alternatives, tuple(v.rule for v in ruling.violations)}) == len(ruling.alternatives) + 1
        if not named & {"move.own", "flag.count"}:
            assert broken_rules(now.to_json(), board.text, dict(ruling.turn)) == named
        follow = GAME.check(now, turn.play()).next
        now = follow if isinstance(follow, TerraPosition) and not follow.finished else now
