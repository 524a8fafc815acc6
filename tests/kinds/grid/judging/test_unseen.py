"""What no picture shows is asked after before a turn is called legal: by another side, or by one word, seldom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ceiling import graded
from referee.games.terra_turrium.engine import GAME
from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import Context, People, SeenByHand, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.session import SELDOM_TURNS, GridAdapter
from referee.match.decision import Ask
from referee.match.events import (
    GameStarted,
    LeftOpen,
    Legal,
    ReadingMade,
    SetupAccepted,
    TurnRuled,
    Unsure,
    Verdict,
    WhyUnsure,
)
from referee.match.state import Entry, EntryStatus, TableState, What
from referee.match.transitions import begin, step
from referee.match.turn import EndOfTurn
from referee.values.belief import BoardBelief, Unchanged, packed
from referee.values.board import Board, Field
from referee.values.words import say
from tests.kinds.grid.judging.starting import start

C9, D9, C10, A9, G5, F5 = (Field.from_name(name) for name in ("C9", "D9", "C10", "A9", "G5", "F5"))
TIRED = People(rested=False)
EVERYWHERE = SeenByHand(np.full((10, 10), 2))


def walked() -> Board:
    """Return the start with one flag a step farther, beside others."""
    board = start().observed
    flags = board.flags.copy()
    flags[D9], flags[C9] = flags[C9], 0
    return Board(board.heights, flags, board.letters)


def judged(belief: BoardBelief, people: People | None = None, **more: object) -> Judgement:
    return judge(GAME, Context.at(start()), replace(TurnEvidence(belief, people=people), **more))[0]


def asked(judgement: Judgement) -> Field | None:
    return None if judgement.ask is None else judgement.ask.field


@pytest.mark.parametrize(
    ("hidden", "people", "place"),
    [
        ("C10", None, None),
        ("C10", People(), C10),
        ("C10", TIRED, None),
        ("C10", People(asked=frozenset({C10})), None),
        ("A9", People(), None),
    ],
)
def test_a_flag_that_no_camera_sees_is_asked_after_on_a_first_look_where_flags_beside_it_moved(
    hidden: str, people: People | None, place: Field | None
) -> None:
    judgement = judged(graded(walked(), {"flags": (hidden,)}, 14.0), people)
    assert (judgement.kind, asked(judgement)) == ("legal" if place is None else "unsure", place)


@pytest.mark.parametrize(("people", "place"), [(None, None), (People(), D9), (TIRED, D9)])
def test_a_flag_that_came_to_where_no_camera_sees_is_always_asked_after(
    people: People | None, place: Field | None
) -> None:
    judgement = judged(graded(walked(), {"flags": ("D9",)}, 14.0), people)
    assert (judgement.kind, asked(judgement)) == ("legal" if place is None else "unsure", place)


def test_later_looks_are_compared_with_one_before() -> None:
    belief, same = graded(walked(), {"flags": ("C10",)}, 14.0), Unchanged(np.zeros((10, 10)), np.zeros((10, 10)))
    assert judged(belief, People(), unchanged=same).kind == "legal"


def test_one_word_shows_that_it_was_taken_off() -> None:
    belief = graded(walked(), {"flags": ("C10",)}, 14.0)
    assert judged(belief, known={C10: (1, 1)}).kind == "legal"
    known = {place: stand(walked(), place) for place in walked().fields if place.row > 6}
    told = judged(belief, known=known | {C10: (1, 0)})
    assert told.ruling is not None
    assert [violation.rule for violation in told.ruling.violations] == ["flag.count"]


@pytest.mark.parametrize(("goes_on", "kind", "doubts"), [(True, "unsure", (C10,)), (False, "legal", ())])
def test_by_a_phone_it_is_shown_before_the_turn_is_legal(goes_on: bool, kind: str, doubts: Sequence[Field]) -> None:
    belief = graded(walked(), {"flags": ("C10",)}, 14.0)
    judgement = judged(belief, by_hand=replace(EVERYWHERE, goes_on=goes_on))
    assert (judgement.kind, judgement.doubts, judgement.ask) == (kind, doubts, None)
    assert judged(belief, by_hand=SeenByHand(np.full((10, 10), 3))).kind == "legal", "three sides were shown"


@pytest.mark.parametrize(
    ("nats", "goes_on", "people", "kind"),
    [
        (1.5, True, None, "unsure"),
        (1.5, True, People(), "unsure"),
        (1.5, False, None, "legal"),
        (1.5, False, TIRED, "unsure"),
        (0.5, True, People(), "legal"),
        (0.5, False, People(), "legal"),
    ],
)
def test_by_a_phone_a_flag_that_seems_gone_is_looked_at_from_any_side_that_is_left_and_then_asked_after(
    nats: float, goes_on: bool, people: People | None, kind: str
) -> None:
    belief = graded(walked(), {}, 14.0)
    flags = belief.flags.copy()
    flags[C10] = -14.0
    flags[C10][:2] = nats, 0.0
    sides = SeenByHand(np.full((10, 10), 4), goes_on)
    judgement = judged(replace(belief, flags=flags), people, by_hand=sides)
    assert judgement.kind == kind
    assert judgement.doubts == ((C10,) if kind == "unsure" else ())
    assert asked(judgement) == (C10 if kind == "unsure" and not goes_on else None)
    told = judged(replace(belief, flags=flags), people, by_hand=sides, known={C10: (1, 1)})
    assert told.kind == "legal"


@pytest.mark.parametrize(
    ("nats", "people", "kind"),
    [
        (4.5, None, "legal"),
        (4.5, People(), "unsure"),
        (4.5, TIRED, "legal"),
        (3.5, People(), "legal"),
        (5.5, None, "legal"),
        (5.5, TIRED, "unsure"),
    ],
)
def test_a_flag_that_seems_to_stand_on_another_stone_is_asked_after(
    nats: float, people: People | None, kind: str
) -> None:
    belief = graded(start().observed, {}, 14.0)
    heights = belief.heights.copy()
    heights[C10] = 0.0
    heights[C10][1:3] = 8.0 - nats, 8.0
    judgement = judged(replace(belief, heights=heights), people)
    assert (judgement.kind, asked(judgement)) == (kind, C10 if kind == "unsure" else None)


def table(turn: int, asked: Sequence[int], known: bool = False, recorded: bool = False) -> TableState:
    """Return a table at a turn, with the turns before at which a legal turn was asked about."""
    state = step(begin(GameStarted(start(), recorded=recorded)), SetupAccepted(""))
    history: list[Entry] = []
    ask = Ask(A9, say("Please look."))
    legal = GAME.check(start(), start().observed)
    for number in range(1, turn):
        now = replace(start(), turn=number)
        for found in (*((Unsure(WhyUnsure.OPEN, ask=ask),) if number in asked else ()), Legal(legal)):
            ruled = TurnRuled(now.observed.text, found, LeftOpen())
            history.append(
                Entry(len(history) + 1, What.TURN, number, now.to_move, now, None, EntryStatus.STANDS, ruled=ruled)
            )
    end = EndOfTurn({"A9": "1r"} if known else {})
    under_way = replace(state.turn, position=replace(start(), turn=turn), end=end)
    return replace(state, history=tuple(history), turn=under_way)


@pytest.mark.parametrize(
    ("state", "people"),
    [
        (table(1, ()), People()),
        (table(1, (), recorded=True), None),
        (table(1, (), known=True), TIRED),
        (table(SELDOM_TURNS, (3,)), People(frozenset({A9}), rested=False)),
        (table(SELDOM_TURNS + 1, (3,)), People(frozenset({A9}))),
        (table(SELDOM_TURNS + 1, (3, 4)), People(frozenset({A9}), rested=False)),
    ],
)
def test_people_are_seldom_asked_about_what_is_hardly_in_doubt(state: TableState, people: People | None) -> None:
    met: list[TurnEvidence] = []

    def met_by(game: object, context: Context, seen: TurnEvidence) -> tuple[Judgement, Context]:
        met.append(seen)
        return judge(GAME, context, seen)

    belief = packed(graded(start().observed, {}, 14.0))
    reading = ReadingMade(start().observed.text, (), (), True, (), (), 1.0, (), belief)
    GridAdapter(GAME, object(), met_by).rule(replace(state, reading=reading))  # type: ignore[arg-type]
    assert [seen.people for seen in met] == [people]


@pytest.mark.parametrize(
    ("shown", "lost", "accused"), [(("G5", "F5"), "", True), ((), "", False), (("G5", "F5"), "G5", False)]
)
def test_a_board_that_players_gave_accuses_nobody_of_what_changed_earlier_out_of_sight(
    shown: Sequence[str], lost: str, accused: bool
) -> None:
    """G5's stone went to F5, where red may take none; the look before this turn showed both fields, or neither.

    lost: where something may have stood all along that no position kept has.
    """
    now = walked()
    heights = now.heights.copy()
    heights[G5] -= 1
    heights[F5] += 1
    given = Board(heights, now.flags, now.letters)
    state = table(5, ())
    belief = graded(start().observed, {}, 14.0)
    dark = belief.heights.copy()
    for place in {G5, F5} - {Field.from_name(name) for name in shown}:
        dark[place] = 0.0
    reading = ReadingMade(start().observed.text, (), (), True, (), (), 1.0, (), packed(replace(belief, heights=dark)))
    last = replace(state.history[-1], reading=reading, after=state.position)
    end = EndOfTurn(board=given.text)
    left_open = replace(state.turn.left_open, lost=frozenset({Field.from_name(lost)} if lost else ()))
    turn = replace(state.turn, end=end, left_open=left_open)
    state = replace(state, history=(*state.history[:-1], last), turn=turn)
    ruled = GridAdapter(GAME, object()).rule(state)  # type: ignore[arg-type]
    assert (ruled.verdict is Verdict.ILLEGAL) == accused
    if lost:
        assert ruled.unsure is not None
        assert ruled.unsure.ask is None, "everything was told"
