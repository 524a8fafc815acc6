"""Boards of castles are weighed by what their turns do: blocks come, a knight walks, what can't be accuses nobody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.games.torres.engine import GAME
from referee.games.torres.position.position import TorresPosition
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import judge
from referee.match.hypotheses import Hypotheses
from referee.values.belief import BoardBelief, Habits
from referee.values.board import Board, Field

BEFORE = "00001k000/02000000/01r100100/10000000/00000001/0010013b0/000002b00/00010000"


def position(**changes: object) -> TorresPosition:
    said = {"game": "torres", "edition": "fr-1999", "players": ["blue", "red"], "first": "blue", "to_move": "red"}
    cards = {"blue": {"held": 0, "played": []}, "red": {"held": 1, "played": []}}
    return GAME.position(said | {"board": BEFORE, "round": 2, "turn": 4, "cards": cards} | changes)


def seen(text: str, nats: float = 13.0) -> TurnEvidence:
    """Return a look that shows a board, every field so sure."""
    board = GAME.observation(text)
    heights, flags = np.full((8, 8, 11), -nats), np.full((8, 8, 10), -nats)
    row, col = np.indices((8, 8))
    heights[row, col, board.heights] = 0.0
    flags[row, col, board.flags] = 0.0
    return TurnEvidence(BoardBelief(heights, flags, board.letters), None, ())


def ruled(text: str, **changes: object) -> str:
    decision, _ = judge(GAME, Context(Hypotheses.at(position(**changes))), seen(text))
    return decision.kind + "".join(f" {one.rule}" for one in (decision.ruling.violations if decision.ruling else ()))


@pytest.mark.parametrize(
    ("board", "word"),
    [
        ("00001k000/03100000/01r100100/10000000/00000001/0010013b0/000002b00/00010000", "legal"),
        ("00001k000/02000010/01r100100/10000000/00000001/0010013b0/100002b00/00010000", "illegal build.new"),
        ("00001k000/04000000/01r100100/10000000/00000001/0010013b0/000002b00/00010000", "illegal build.height"),
    ],
)
def test_what_is_seen_clearly_is_ruled_on(board: str, word: str) -> None:
    """Two blocks on one stack are no sign of a misreading, as two cubes out of nowhere would be."""
    assert ruled(board) == word


def test_two_kings_are_a_misreading_and_accuse_nobody() -> None:
    two = "00001k000/02000000/01r100100/10000000/00000001/0010013b0/000002b00/0001k0000"
    assert ruled(two) == "unsure"


def test_a_board_knocked_over_accuses_nobody_and_takes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Board] = []
    check = type(GAME).check
    monkeypatch.setattr(type(GAME), "check", lambda self, *a, **k: (tried.append(a[1]), check(self, *a, **k))[1])
    far = "1111k1111/11111111/00000000/00000000/00000000/00000000/00000000/00000000"
    decision, _ = judge(GAME, Context(Hypotheses.at(position())), seen(far))
    assert decision.kind == "unsure"
    assert len(tried) <= 2


def test_boards_are_put_to_the_rules_once_although_a_look_is_weighed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Board] = []
    check = type(GAME).check
    monkeypatch.setattr(type(GAME), "check", lambda self, *a, **k: (tried.append(a[1]), check(self, *a, **k))[1])
    context = Context(Hypotheses.at(position()))
    look = seen("00001k000/02000010/01r100100/10000000/00000001/0010013b0/100002b00/00010000", 4.0)
    judge(GAME, context, look)
    first = len(tried)
    assert first > 20
    judge(GAME, context, replace(look, known={Field.from_name("A2"): (1, 0)}))
    assert len(tried) < 1.5 * first


def test_habits_say_how_likely_a_change_is() -> None:
    nats = Habits((0.9, 0.05, 0.01), 0.004).nats(np.array([0, 1, 2, 3, 5, -1, -2]))
    assert np.exp(nats) == pytest.approx([0.9, 0.05, 0.01, 0.001, 0.001, 0.004, 0.0004])


def test_a_declaration_that_cant_be_leaves_a_turn_open() -> None:
    legal = "00001k000/03100000/01r100100/10000000/00000001/0010013b0/000002b00/00010000"
    look = seen(legal)
    declared = TurnEvidence(look.belief, None, (), declared={"leftover": [1]})
    decision, _ = judge(GAME, Context(Hypotheses.at(position())), declared)
    assert decision.kind == "unsure"
