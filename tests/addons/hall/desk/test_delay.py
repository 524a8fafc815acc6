"""What spectators see: late, only what the players allow, and never for long what a correction has taken back."""

from __future__ import annotations

import random
from functools import reduce

import pytest
from pydantic import JsonValue

from referee.addons.hall.desk.broadcast import Broadcast
from referee.addons.hall.desk.delay import MOST_STATES, MOST_WAITING_BYTES, LateTable
from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.desk.shown import room_view_of
from tests.addons.hall.desk.tables import Sent, Voice, game_id

ONE = Voice(1)
DELAY_MS = 60_000


def table(*messages: Sent) -> HeardTable:
    hall = reduce(lambda so_far, one: so_far.heard(*one, 1), (ONE.about(), *messages), HeardHall())
    return hall.tables[ONE.id]


def shown(late: LateTable, now_ms: int) -> int:
    due = late.due(now_ms, DELAY_MS)
    return due.shown.event if due.shown is not None else 0


def test_spectators_see_everything_late() -> None:
    late = (
        LateTable()
        .put(table(ONE.stands(1, event=5)), 0, DELAY_MS)
        .put(table(ONE.stands(2, event=6)), 9_000, DELAY_MS)
    )
    assert [shown(late, now) for now in (59_999, 60_000, 68_999, 69_000)] == [0, 5, 5, 6]


def test_what_a_correction_replaces_is_not_shown_any_more() -> None:
    late = (
        LateTable()
        .put(table(ONE.stands(1, event=5)), 0, DELAY_MS)
        .put(table(ONE.stands(2, event=6)), 20_000, DELAY_MS)
    )
    corrected = table(ONE.stands(3, event=8), ONE.event(8, 4, replaces=6))
    late = late.put(corrected, 40_000, DELAY_MS)
    assert [shown(late, now) for now in (60_000, 80_000, 100_000)] == [5, 5, 8], "nobody ever sees event 6"
    assert game_id(1) in corrected.games


def test_a_table_that_changes_all_the_time_waits_in_bounded_memory() -> None:
    late = LateTable()
    for now_ms in range(0, 3 * DELAY_MS, 900):
        late = late.put(table(ONE.stands(1 + now_ms, event=now_ms)), now_ms, DELAY_MS).due(now_ms, DELAY_MS)
        assert len(late.waiting) <= MOST_STATES + 2
    assert late.shown is not None
    behind_ms = 3 * DELAY_MS - late.shown.at_ms
    assert DELAY_MS - 900 <= behind_ms <= DELAY_MS * 1.1, "and spectators are hardly later than they should be"


def test_what_waits_is_bounded_in_bytes_and_still_comes_in_its_time() -> None:
    """A table with one password sends the largest states there can be, as often as it likes."""
    noise = random.Random(1)
    late = LateTable()
    for now_ms in range(0, 3 * DELAY_MS, DELAY_MS // MOST_STATES):
        view: dict[str, JsonValue] = {"board": noise.randbytes(200_000).hex()}
        late = late.put(table(ONE.stands(1 + now_ms, event=now_ms, view=view)), now_ms, DELAY_MS)
        late = late.due(now_ms, DELAY_MS)
        assert sum(state.size for state in late.waiting) <= MOST_WAITING_BYTES
    assert late.shown is not None
    assert 3 * DELAY_MS - late.shown.at_ms <= 2 * DELAY_MS, "it goes on"
    assert late.shown.table().state is not None


def test_a_table_that_can_not_be_drawn_does_not_take_the_wall_with_it(caplog: pytest.LogCaptureFixture) -> None:
    now_ms = 0
    broadcast = Broadcast(0.0, lambda: now_ms)
    wrong: list[dict[str, JsonValue]] = [{"violation": {}}, {"seats": [{"colour": []}], "players": {"red": {}}}]
    for number, view in enumerate([*wrong, {"board": "12r/1y1"}], start=1):
        one = Voice(number)
        hall = HeardHall().heard(*one.about(), 1).heard(*one.stands(1, room=(True, number != 2), view=view), 1)
        broadcast.put(hall.tables[one.id])
    broadcast.tick(now_ms)
    wall = broadcast.wall.snapshot("en")
    boards = [(told["name"], told.get("board")) for key, told in wall.items() if key.startswith("t:")]
    assert boards == [("Table 1", None), ("Table 2", None), ("Table 3", "12r/1y1")]
    assert caplog.text.count("can't be drawn") == len(wrong)


def test_the_room_sees_what_the_players_allow() -> None:
    hidden = room_view_of(table(ONE.stands(1, room=(False, True))), "en")
    assert "board" not in hidden
    view: dict[str, JsonValue] = {
        "seats": [{"colour": "red", "name": "Ana"}],
        "players": {"red": {"name": "Ana"}},
        "palette": {"red": {"name": "Red"}},
        "violation": {"rules": ["Ana"]},
    }
    nameless = table(ONE.stands(1, room=(True, False), view=view))
    assert "Ana" in str(nameless.state)
    shown = room_view_of(nameless, "en")
    assert "Ana" not in str(shown)
    assert shown["players"] == {"red": {"name": "Red"}}
    assert shown["seats"] == [{"colour": "red", "name": "Red"}]
