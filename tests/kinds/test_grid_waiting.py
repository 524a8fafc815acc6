"""A ruling by pictures from the hand waits for another side only where one would show something."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.kinds.grid import session
from referee.kinds.grid.judging.context import Context, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.match.decision import ShowFrom
from referee.match.events import AnyGame
from referee.values.words import say
from tests.match.fakes import FakeEyes, picture_of
from tests.session.sessions import GAME, STEP, Table
from tests.untyped import untyped

SIDE = ShowFrom(90, 45, (), say("Come round to the right."))


@pytest.mark.parametrize(
    ("show", "asked"),
    [(SIDE, [True]), (None, [True, False])],
)
def test_a_ruling_waits_for_a_side_only_where_one_is_left(
    show: ShowFrom | None, asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []

    def judge(game: AnyGame, context: Context, seen: TurnEvidence) -> tuple[Judgement, Context]:
        assert seen.by_hand is not None
        found.append(seen.by_hand.goes_on)
        return Judgement("unsure", STEP, None), context

    monkeypatch.setattr(session, "seen_by_hand", lambda *asked: SeenByHand(np.ones((2, 2), np.int64)))
    monkeypatch.setattr(session, "show_next", lambda *asked: show)
    state = Table().session.state
    adapter = session.GridAdapter(GAME, untyped(FakeEyes()), judge)
    seen = adapter.read(state, session.GridSightings(), [picture_of(STEP)])
    told = adapter.rule(replace(state, reading=seen.reading))
    assert found == asked
    assert told.show == show
