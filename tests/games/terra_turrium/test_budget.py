"""When the search for the smallest sets is cut short: what is named then is certain, and the answer still comes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from referee.games.contract import Ruling
from referee.games.terra_turrium import verdict
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.values.declaring import NOTHING_DECLARED
from tests.games.terra_turrium.spoil import scrambled

KNOWN = [
    case
    for path in sorted((Path(__file__).parent / "data").glob("*.jsonl"))
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]
CASES = [case for case in KNOWN if not case["legal"]]


@pytest.mark.parametrize("states", [20, verdict.STATES])
def test_legal_is_what_a_ruling_says_is_legal(monkeypatch: pytest.MonkeyPatch, states: int) -> None:
    monkeypatch.setattr(verdict, "STATES", states)
    for case in KNOWN:
        now, board = GAME.position(case["position"]), parse_board(case["observed"])
        assert GAME.is_legal(now, board, NOTHING_DECLARED) == GAME.check(now, board).legal, case["id"]


def named(ruling: Ruling) -> frozenset[str]:
    return frozenset(violation.rule for violation in ruling.violations)


@pytest.mark.long
@pytest.mark.parametrize("states", [0, 2, 20])
def test_what_is_named_is_in_every_smallest_set(monkeypatch: pytest.MonkeyPatch, states: int) -> None:
    cut = 0
    for case in CASES:
        now, board = GAME.position(case["position"]), parse_board(case["observed"])
        monkeypatch.setattr(verdict, "STATES", states)
        ruling = GAME.check(now, board)
        monkeypatch.undo()
        full = GAME.check(now, board)
        assert full.complete
        assert not ruling.legal
        if ruling.complete:
            assert ruling.to_json() == full.to_json()
            continue
        cut += 1
        assert named(ruling) <= frozenset.intersection(named(full), *map(frozenset, full.alternatives)), case["id"]
        assert not ruling.alternatives
        assert ruling.to_json()["complete"] is False
        assert ruling.next is None
    assert cut


def test_a_legal_turn_is_searched_no_longer_than_an_illegal_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that is not enough it is not called legal, and no rule is blamed."""
    monkeypatch.setattr(verdict, "STATES", 0)
    cut = 0
    for case in (case for case in KNOWN if case["legal"]):
        ruling = GAME.check(GAME.position(case["position"]), parse_board(case["observed"]))
        if not ruling.legal:
            cut += 1
            assert (ruling.complete, ruling.violations, ruling.next) == (False, (), None), case["id"]
    assert cut


def cut_short(monkeypatch: pytest.MonkeyPatch, case: str) -> Ruling:
    found: dict[str, Any] = next(it for it in CASES if it["id"] == case)
    monkeypatch.setattr(verdict, "STATES", 0)
    ruling = GAME.check(GAME.position(found["position"]), parse_board(found["observed"]))
    assert not ruling.complete
    return ruling


def test_nothing_is_named_when_nothing_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong step explains it, but so may much else for who did not look: illegal, and no rule is blamed."""
    assert named(cut_short(monkeypatch, "k2-handicap-0084")) == set()


def test_another_player_may_have_made_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the player whose turn it was the flags don't count up; the other one may have made the turn."""
    assert named(cut_short(monkeypatch, "k2-pro-0115")) == set()


@pytest.mark.long
def test_a_scrambled_board_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However a board is scrambled: the searches for one ruling together look at no more states than they may."""
    looked = 0

    class Counted(verdict.Budget):
        def spend(self) -> None:
            nonlocal looked
            super().spend()
            looked += 1

    monkeypatch.setattr(verdict, "Budget", Counted)
    monkeypatch.setattr(verdict, "STATES", 12)
    rnd, cut = random.Random(5), 0
    for n, case in enumerate(CASES[::4]):
        looked = 0
        board = scrambled(rnd, parse_board(case["observed"]), (0.02, 0.1, 0.5)[n % 3])
        ruling = GAME.check(GAME.position(case["position"]), board)
        assert looked <= 12
        cut += not ruling.complete
    assert cut
