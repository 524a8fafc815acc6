"""Old pictures go, oldest first; those of running and disputed games stay whatever happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.storage.evidence import KeptPicture
from referee.storage.journal import Journal
from referee.storage.retention import ABANDONED_S, GamePictures, Limits, keep_mark, plan, sweep
from tests.house.kept import DAY_S, NOW_S, STARTED, WON, game, left


def kept(content: str, size_bytes: int, kept_at_s: float) -> KeptPicture:
    return KeptPicture(content, Path(content), size_bytes, kept_at_s)


games = st.lists(
    st.builds(
        lambda name, protected, ages: GamePictures(
            Path(f"{name}.journal"),
            protected,
            tuple(kept(f"{name}-{index}", size, 1000.0 - age) for index, (size, age) in enumerate(ages)),
        ),
        st.integers(0, 10**9),
        st.sampled_from(["", "", "disputed"]),
        st.lists(st.tuples(st.integers(1, 100), st.floats(-50, 900)), max_size=6),
    ),
    max_size=6,
    unique_by=lambda game: game.journal,
)


@given(games, st.floats(0, 1000), st.integers(0, 1500))
def test_the_plan(found: Sequence[GamePictures], keep_s: float, most_bytes: int) -> None:
    removals = plan(found, Limits(keep_s, most_bytes), 1000.0)
    gone = {removal.picture for removal in removals}
    free = {picture for game in found if not game.protected for picture in game.pictures}
    everything = {picture for game in found for picture in game.pictures}
    assert gone <= free
    assert len(gone) == len(removals)
    left = free - gone
    if keep_s:
        assert all(1000.0 - picture.kept_at_s <= keep_s for picture in left)
    assert not left or sum(picture.size_bytes for picture in everything - gone) <= most_bytes
    # Oldest first, and nothing goes that need not.
    assert max((p.kept_at_s for p in gone), default=-1e9) <= min((p.kept_at_s for p in left), default=1e9)
    if removals and removals[-1].why == "too much in all":
        size = removals[-1].picture.size_bytes
        assert sum(picture.size_bytes for picture in everything - gone) + size > most_bytes


LEGAL = ("ruling", {"ruling": "legal", "answer": {"finished": False}})
UNSURE = ("ruling", {"ruling": "unsure"})
DISPUTED = ("disputed", {"dispute": 1, "entry": 1})
SETTLED = ("resolved", {"dispute": 1, "outcome": "stands"})


@pytest.mark.parametrize(
    ("events", "stays"),
    [
        ((STARTED, LEGAL, WON), False),
        ((STARTED, LEGAL), True),
        ((STARTED, LEGAL, UNSURE), True),
        ((STARTED, ("game_ended", {"how": "draw"})), False),
        ((STARTED, ("resigned", {"position": {"finished": True}})), False),
        ((STARTED, ("resigned", {"position": {"finished": False}})), True),
        ((STARTED, WON, ("undone", {"entry": 1})), True),
        ((STARTED, WON, DISPUTED), True),
        ((STARTED, DISPUTED, WON), True),
        ((STARTED, DISPUTED, SETTLED, WON), False),
        ((STARTED, WON, DISPUTED, SETTLED), False),
    ],
)
def test_running_and_disputed_games_stay(
    tmp_path: Path, events: Sequence[tuple[str, Mapping[str, object]]], stays: bool
) -> None:
    path = game(tmp_path / "deep", "a", *events)
    gone = sweep(tmp_path, Limits(30 * DAY_S, 10**9), NOW_S)
    assert left(path) == int(stays)
    assert len(gone) == 1 - int(stays)
    assert path.exists()


def test_a_game_somebody_has_open_stays(tmp_path: Path) -> None:
    path = game(tmp_path, "a", STARTED, WON)
    with Journal(path):
        assert sweep(tmp_path, Limits(DAY_S, 0), NOW_S) == []
    assert left(path) == 1
    assert len(sweep(tmp_path, Limits(DAY_S, 0), NOW_S)) == 1


def test_a_marked_game_and_one_that_cannot_be_read_stay(tmp_path: Path) -> None:
    marked, broken = game(tmp_path, "a", STARTED, WON), game(tmp_path, "b", STARTED, WON)
    keep_mark(marked).touch()
    broken.write_bytes(b"no database, and long enough to be looked at as one. " * 10)
    assert sweep(tmp_path, Limits(DAY_S, 0), NOW_S) == []
    assert (left(marked), left(broken)) == (1, 1)


def test_a_game_nobody_ended_is_running_for_a_month(tmp_path: Path) -> None:
    path = game(tmp_path, "a", STARTED, LEGAL)
    assert sweep(tmp_path, Limits(DAY_S, 0), NOW_S + ABANDONED_S * 0.9) == []
    assert len(sweep(tmp_path, Limits(DAY_S, 0), NOW_S + ABANDONED_S * 1.1)) == 1
    assert left(path) == 0


def test_too_much_in_all_takes_the_oldest_and_a_dry_run_takes_nothing(tmp_path: Path) -> None:
    paths = [game(tmp_path, name, STARTED, WON, age_s=age) for name, age in (("a", 50), ("b", 300), ("c", 10))]
    limits = Limits(0, 2 * 4)
    dry = sweep(tmp_path, limits, NOW_S, dry=True)
    assert [left(path) for path in paths] == [1, 1, 1]
    assert [removal.journal for removal in dry] == [paths[1]]
    assert sweep(tmp_path, limits, NOW_S) == dry
    assert [left(path) for path in paths] == [1, 0, 1]
