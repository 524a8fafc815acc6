"""A rehearsal's tasks, the figures made of its looks, and what makes it lapse."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from referee.addons.rehearsals.certificate import rehearsal_of, stating
from referee.addons.rehearsals.rehearsal import FEWEST_LOOKS, Rehearsal, advice
from referee.addons.rehearsals.share import predicted
from referee.addons.rehearsals.tally import Counts, Ease, Group, LookTally, grouped
from referee.addons.rehearsals.tasks import TASKS
from referee.addons.rehearsals.validity import CameraConditions, Conditions, Reason, ends_on, lapses, lasting
from referee.certificate.values import Certificate
from referee.games import game_named
from referee.kinds.grid.rehearsal import changed_around, compared, ease
from referee.kinds.grid.tasks import Ground, as_it_stands, next_task
from referee.values.board import Board, Field
from referee.values.partial import PartialBoard
from tests.certificate.figures import certificate
from web.certificate import page

KIT = game_named("terra-turrium").kit
START = Board(np.ones((10, 10), np.int8), np.zeros((10, 10), np.int8), KIT.letters)
USUAL = ((0.1, 0.0, 0.2, 0.7), (0.2, 0.0, 0.2, 0.6))
CAMERA = CameraConditions(
    "cam0", "lens", (0.0, -430.0, 640.0), (100.0,) * 8, (200.0,) * 8, (210.0,) * 8, dict.fromkeys(range(8), 2.4), 0.8
)
EYES = (("cam0",), 0)
RIGHT = LookTally((Counts(), Counts(), Counts(20), Counts(80)))


def ground(hidden: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Ground:
    return Ground(
        KIT, hidden, np.full((10, 10), 20.0), lambda heights: heights >= 2, START, np.ones((10, 10), np.bool_)
    )


def look(rng: np.random.Generator, share: float, correlation: float) -> LookTally:
    """Return a look whose fields in plain view are told right with a share that differs from look to look."""
    size = 1 / correlation - 1
    right = int(rng.binomial(100, rng.beta(share * size, (1 - share) * size)))
    return LookTally((Counts(), Counts(), Counts(), Counts(right, 0, 100 - right)))


def rehearsal(*looks: LookTally) -> Rehearsal:
    group = Group(("cam0",), 0, looks, USUAL)
    return Rehearsal("2026-11-26T09:00:00+0100", "", 7, 0, (group,), Conditions("kit", (CAMERA,)))


def test_tasks_follow_from_the_seed_and_move_stones_that_are_there() -> None:
    hidden = np.zeros((10, 10))
    hidden[7:, 7:] = 0.5
    made, board, pieces = ground(hidden), START, set[int]()
    assert as_it_stands(made).asked == START.text
    for number in range(1, TASKS + 1):
        task = next_task(made, board, number, 5)
        assert task == next_task(made, board, number, 5)
        after = Board.parse(task.asked, 10, 10, KIT.letters)
        changed = (after.heights != board.heights) | (after.flags != board.flags)
        assert {Field(int(r), int(c)) for r, c in np.argwhere(changed)} == set(task.fields) != set()
        assert after.heights.sum() == START.heights.sum()
        pieces |= set(after.flags.ravel().tolist())
        board = after
    assert len(pieces) == 1 + len(KIT.pieces)  # every colour has its turn
    moved = np.abs(board.heights.astype(int) - START.heights).sum() / 2
    assert moved > 0.35 * START.heights.sum()  # late boards are rehearsed as well
    first = [next_task(made, START, 1, seed).fields[0] for seed in range(60)]
    assert sum(at.row >= 7 and at.col >= 7 for at in first) > 3 * 60 * 9 / 100  # what is often hidden is asked most
    assert board.text != Board.parse(next_task(made, START, 1, 6).asked, 10, 10, KIT.letters).text


def test_a_task_is_found_where_there_is_room_for_few() -> None:
    """Stones one level high, or a board on which every field is taken: no task builds what the kit doesn't allow."""
    flat = replace(ground(np.zeros((10, 10))), kit=replace(KIT, tallest=1))
    board = START
    for number in range(1, TASKS + 1):
        board = Board.parse(next_task(flat, board, number, 5).asked, 10, 10, KIT.letters)
        assert board.heights.max() == 1
    taken = Board(START.heights, np.ones((10, 10), np.int8), KIT.letters)
    for number in range(1, TASKS + 1):
        assert next_task(flat, taken, number, 5).asked == START.text


def test_a_field_is_right_only_with_stack_and_piece() -> None:
    told = PartialBoard.parse("/".join(["1" * 10] * 8 + ["12?1r1~11111", "1" * 10]), 10, 10, KIT.letters)
    px = np.full((10, 10), 20.0)
    px[1, 1] = 1.0
    found = compared(START, told, ease(px))
    assert found.wrong == (Field(1, 1), Field(1, 3))
    assert found.open == (Field(1, 2), Field(1, 4))
    assert found.parts == (Counts(0, 1, 0), Counts(), Counts(), Counts(96, 1, 2))


def test_what_stands_as_before_counts_once() -> None:
    """An open field far from all that changed is the same one, not another; beside a change it may be read anew."""
    after = START.with_field(Field(5, 5), 4, 0)
    fresh = changed_around(START, after)
    assert {Field(int(r), int(c)) for r, c in np.argwhere(fresh)} == {
        Field(r, c) for r in (4, 5, 6) for c in (4, 5, 6)
    }
    told = PartialBoard.parse("/".join(["1" * 10] * 9 + ["?" + "1" * 9]), 10, 10, KIT.letters)
    found = compared(after, told, ease(np.full((10, 10), 20.0)), fresh)
    assert (found.all, found.wrong, found.open) == (Counts(8, 1, 0), (Field(5, 5),), ())


def game_share(rng: np.random.Generator, share: float, correlation: float) -> float:
    """Return the share told right in twenty looks of a game, what two of which share falls by e in sixteen turns."""
    looks = [look(rng, share, correlation)]
    while len(looks) < 20:
        looks.append(looks[-1] if rng.random() < np.exp(-1 / 16) else look(rng, share, correlation))
    return sum(each.all.right for each in looks) / 100 / len(looks)


@pytest.mark.long
def test_the_interval_holds_a_games_share_nearly_as_often_as_it_says() -> None:
    """Tables drawn at random. Had a game five different boards, or twenty, too many games would lie outside."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(60):
        share, correlation = rng.uniform(0.6, 0.99), 10 ** rng.uniform(-1.3, -0.7)
        group = Group(("cam0",), 0, tuple(look(rng, share, correlation) for _ in range(10)), ((0.0, 0.0, 0.0, 1.0),))
        held += predicted(group).right.holds(game_share(rng, share, correlation))
    assert held >= 0.87 * 60


def test_hard_tasks_are_weighed_as_play_makes_them() -> None:
    """Where half of the rehearsed fields were hidden and open, a game that hides a tenth leaves a tenth open."""
    hard = LookTally((Counts(0, 0, 50), Counts(), Counts(), Counts(50, 0, 0)))
    usual = ((0.1, 0.0, 0.0, 0.9),)
    shares = predicted(Group(("cam0",), 0, (hard,) * 10, usual))
    assert shares.right.holds(0.9)
    assert not shares.right.holds(0.7)


def test_views_and_cameras_are_told_apart() -> None:
    told = {(("phone",), 2): RIGHT, (("phone",), 1): LookTally((Counts(0, 0, 40), Counts(), Counts(), Counts(60)))}
    groups = grouped([told] * 6, dict.fromkeys(told, USUAL))
    assert [(group.views, group.counts.right) for group in groups] == [(2, 600), (1, 360)]
    (words,) = advice(replace(rehearsal(), groups=groups[1:]))
    assert "side more with the phone" in words.text("en")


def test_no_figure_rests_on_a_look_or_two() -> None:
    """A second camera gave one picture: its one look is no rehearsal, and a check without it goes by the others."""
    both = (("cam0", "cam1"), 0)
    usual = dict.fromkeys((EYES, both), USUAL)
    groups = grouped([{EYES: RIGHT, both: RIGHT}, *[{EYES: RIGHT}] * 5], usual, FEWEST_LOOKS)
    assert [(group.eyes, len(group.looks)) for group in groups] == [(EYES, 6)]
    poor = LookTally((Counts(), Counts(), Counts(8, 4, 8), Counts(50, 10, 20)))
    known = rehearsal()
    made = replace(known, groups=grouped([{EYES: poor, both: RIGHT}] * 10, usual, FEWEST_LOOKS))
    at = "2026-12-24T18:00:00+0100"
    assert made.renewed([{EYES: poor}] * 3, known.conditions, at) is not None
    assert made.renewed([{both: poor, EYES: poor}] * 3, known.conditions, at) is None
    assert made.renewed([{(("cam1",), 0): RIGHT}] * 3, known.conditions, at) is None


def test_it_lapses_by_age_and_is_stated_in_the_certificate() -> None:
    made = rehearsal(*[RIGHT] * 6)
    stated = Certificate.from_json(json.loads(json.dumps(stating(certificate(), made).to_json())))
    assert rehearsal_of(stated) == made
    assert "fields in 6 looks, 600 were told right" in page(stated)
    assert made.lapses(None, date(2027, 11, 25)) == ()
    assert [each.reason for each in made.lapses(None, date(2027, 11, 26))] == [Reason.AGE]
    assert [ends_on(date(2027, *day)) for day in ((1, 31), (2, 28))] == [date(2028, 1, 31), date(2028, 2, 28)]
    assert ends_on(date(2028, 2, 29)) == date(2029, 2, 28)


def now(**changes: object) -> Conditions:
    return Conditions("kit", (replace(CAMERA, **changes),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        (now(at_mm=(10.0, -430.0, 640.0)), Reason.MOVED),
        (now(rim_px=(130.0,) * 8), Reason.MOVED),
        (now(darkest=(90.0,) * 8, brightest=(90.0,) * 8), Reason.LIGHT),
        (now(darkest=(200.0,) * 6 + (140.0,) * 2, brightest=(200.0,) * 6 + (140.0,) * 2), Reason.LIGHT),
        (now(edge_px={**CAMERA.edge_px, 0: 4.4, 1: 4.4}), Reason.SMEARED),
        (now(contrast=0.5), Reason.SMEARED),
        (now(lens="another"), Reason.CAMERAS),
        (Conditions("other", (CAMERA,)), Reason.PIECES),
    ],
)
def test_it_lapses_when_the_table_is_another(conditions: Conditions, reason: Reason) -> None:
    made = rehearsal(*[RIGHT] * 6)
    assert [each.reason for each in lapses(made.conditions, conditions)] == [reason]
    renewed = made.renewed([{EYES: RIGHT}] * 3, conditions, "2026-12-24T18:00:00+0100")
    if reason in (Reason.MOVED, Reason.LIGHT):
        assert renewed is not None
        assert renewed.lapses(conditions, date(2026, 12, 24)) == ()
        assert renewed.ends_on == date(2027, 12, 24)
    else:
        assert renewed is None


def test_what_is_as_it_was_holds() -> None:
    near = now(at_mm=(0.3, -430.2, 640.1), darkest=(190.0,) * 8, brightest=(225.0,) * 8, edge_px={0: 2.6, 1: 3.4})
    assert lapses(rehearsal(RIGHT).conditions, near) == ()


def test_a_passing_arm_is_no_other_light() -> None:
    """What it may feign counts once it is measured twice; a camera that was moved counts at once."""
    made = rehearsal(RIGHT).conditions
    dim = lapses(made, now(darkest=(90.0,) * 8, brightest=(90.0,) * 8))
    moved = lapses(made, now(at_mm=(10.0, -430.0, 640.0)))
    assert lasting(dim, ()) == ()
    assert lasting(dim, dim) == dim
    assert lasting((*moved, *dim), moved) == moved


def test_a_check_that_reads_worse_renews_nothing() -> None:
    made = rehearsal(*[RIGHT] * 10)
    poor = LookTally((Counts(), Counts(), Counts(8, 4, 8), Counts(50, 10, 20)))
    assert made.renewed([{EYES: poor}] * 3, made.conditions, "2026-12-24T18:00:00+0100") is None
    assert made.groups[0].usually(Ease.HIDDEN) == pytest.approx(0.15)
