"""A ruling by pictures from the hand waits for another side only where one would show something."""

from __future__ import annotations

import numpy as np
import pytest

from referee.judging.context import SeenByHand
from referee.judging.decision import ShowFrom
from referee.kinds.grid import session
from referee.match.events import ReadingMade, TurnRuled, Verdict
from referee.match.state import TableState
from referee.values.words import say
from tests.session.sessions import Table
from tests.untyped import untyped

SIDE = ShowFrom(90, 45, (), say("Come round to the right."))


@pytest.mark.parametrize(
    ("show", "asked"),
    [(SIDE, [True]), (None, [True, False])],
)
def test_a_ruling_waits_for_a_side_only_where_one_is_left(
    show: ShowFrom | None, asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = Table().session.state
    found: list[bool] = []

    def ruled(self: object, state: TableState, reading: ReadingMade, by_hand: SeenByHand) -> TurnRuled:
        found.append(by_hand.goes_on)
        return TurnRuled(Verdict.UNSURE, state.position.observed.text, None)

    monkeypatch.setattr(session.GridAdapter, "_ruled", ruled)
    monkeypatch.setattr(session, "seen_by_hand", lambda *asked: SeenByHand(np.ones((2, 2), np.int64)))
    monkeypatch.setattr(session, "show_next", lambda *asked: show)
    told = Table().session.adapter.ruled(state, untyped(None))
    assert found == asked
    assert told.show == show
