"""The benefit of the doubt: legal, illegal or unsure, over a tiny game whose rule anybody can check by eye."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.games import package_named
from referee.games.contract import RuleId, Ruling, Violation
from referee.games.record import parse_record
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import judge
from referee.match.hypotheses import Hypotheses
from referee.values.belief import BoardBelief, Standing
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.words import verbatim
from tests.kinds.grid.judging.following import follow
from tests.kinds.grid.judging.seeing import GAME, START, OneCube, Spot, seen


def adjudicate(game: OneCube, position: Spot, belief: BoardBelief) -> Judgement:
    """Judge one turn of a tiny game that began at a known position."""
    return follow(game, Hypotheses.at(position), belief, None)[0]


CASES: dict[str, tuple[BoardBelief, str]] = {
    "a clear legal turn": (seen("121/111r"), "legal"),
    "a clear illegal turn": (seen("143/111r", 16.0), "illegal"),
    "nothing moved": (seen("111/211r"), "illegal"),
    "the source can't be seen: the legal board explains it": (seen("121/211r", doubts={"A1": {}}), "legal"),
    "illegal at best, but a legal board is near": (seen("121/211r", doubts={"A1": {2: 13.0, 1: 8.0}}), "unsure"),
    "illegal, and a legal board is far": (seen("131/211r", doubts={"A1": {2: 14.0, 1: 0.0}}), "illegal"),
    "legal at best, an illegal board is as near": (seen("121/111r", doubts={"C2": {1: 8.0, 2: 18.5}}), "unsure"),
}


@pytest.mark.parametrize(("belief", "kind"), CASES.values(), ids=CASES)
def test_verdicts(belief: BoardBelief, kind: str) -> None:
    verdict = adjudicate(GAME, START, belief)
    assert verdict.kind == kind
    assert (verdict.ruling is None) == (kind == "unsure")
    assert bool(verdict.doubts) == (kind == "unsure")


class Phases(OneCube):
    """A game in which whatever is wrong breaks three rules, and boards during the turn show that phases were."""

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        ruling = super().check(position, observed, (), declared)
        if ruling.legal and not frames:
            return ruling
        broken = tuple(Violation(RuleId(f"phase.{number}"), (), verbatim("phase")) for number in range(3))
        return replace(ruling, legal=False, violations=broken, next=None)


def test_nobody_is_accused_without_a_rule() -> None:
    """Boards during the turn speak against the likeliest; a legal one further off was not weighed with them."""
    belief = seen("121/111r", doubts={"B2": {2: 10.0, 1: 6.6}, "C2": {1: 10.0, 2: 6.6}})
    frames = [Standing(START.board, np.zeros((2, 3), np.bool_))]
    verdict, _ = follow(Phases(), Hypotheses.at(START), belief, None, frames=frames)
    assert verdict.kind == "unsure"


class TwoCubes(OneCube):
    """A turn moves exactly two cubes."""

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        change = observed.heights.astype(int) - position.board.heights
        legal = int(change.sum()) == 0 and int(np.abs(change).sum()) == 4
        violations = () if legal else (Violation(RuleId("cube.two"), (), verbatim("cube.two")),)
        after = replace(position, board=observed, turn=position.turn + 1) if legal else None
        return Ruling(legal, violations, (), (), None, after)


def test_what_nobody_sees_is_taken_for_granted_and_said() -> None:
    """Two cubes are gone in plain sight; only where nobody sees may they lie."""
    verdict = adjudicate(TwoCubes(), START, seen("111/101r", 16.0, doubts={"B2": {}, "C2": {}}))
    assert verdict.kind == "legal"
    assert {one.field.name for one in verdict.assumed} <= {"B2", "C2"}
    assert verdict.assumed
    in_sight = adjudicate(TwoCubes(), START, seen("122/101r", 16.0))
    assert in_sight.kind == "legal"
    assert not in_sight.assumed


def test_doubts_name_the_field_that_decides() -> None:
    verdict = adjudicate(GAME, START, CASES["illegal at best, but a legal board is near"][0])
    assert Field.from_name("A1") in verdict.doubts
    assert verdict.ask is not None
    assert verdict.ask.field == Field.from_name("A1")


def test_only_what_every_near_board_breaks_is_called_broken() -> None:
    belief = seen("143/111r", 16.0)
    flags = belief.flags.copy()
    corner = Field.from_name("C1")
    flags[corner.row, corner.col] = [9.0, 4.0, 0.0, 0.0, 0.0]
    verdict = adjudicate(GAME, START, BoardBelief(belief.heights, flags, "rygb"))
    assert verdict.kind == "illegal"
    assert verdict.ruling is not None
    assert [violation.rule for violation in verdict.ruling.violations] == ["cube.one"]


def test_nobody_is_accused_when_too_much_is_unseen() -> None:
    blind = BoardBelief(np.zeros((2, 3, 6)), np.zeros((2, 3, 5)), "rygb")
    verdict = adjudicate(GAME, START, blind)
    assert verdict.kind == "unsure"
    assert verdict.doubts


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_a_board_knocked_over_is_nobodys_breach(share: float) -> None:
    """So many fields differ that no turn can have done it: however clear the pictures are, nobody is accused."""
    package = package_named("terra-turrium")
    assert package.playthrough is not None
    start = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))
    rng = np.random.default_rng(7)
    heights = np.where(rng.random((10, 10)) < share, 0, start.observed.heights)
    scores = np.where(np.arange(12) == heights[..., None], 0.0, -40.0)
    flags = np.where(np.arange(5) == start.observed.flags[..., None], 0.0, -40.0)
    look = TurnEvidence(BoardBelief(scores, flags, start.observed.letters))
    judgement, _ = judge(package.game, Context.at(start), look)
    assert judgement.kind == "unsure"


def test_no_prior_acquits_a_turn_that_a_field_plainly_gainsays() -> None:
    """A stack two higher hardly ever comes about; but the eyes were never so wrong about a field in sight."""
    plain = seen("121/113r", 20.0, {"C1": {1: 10.0, 3: 19.5}})
    verdict = adjudicate(GAME, START, plain)
    assert verdict.kind != "legal"
    near = seen("121/111r", 20.0, {"C1": {1: 10.0, 3: 16.0}})
    assert adjudicate(GAME, START, near).kind == "legal"
