"""What spectators see: late, only what the players allow, and never for long what a correction has taken back."""

from __future__ import annotations

from functools import reduce

from pydantic import JsonValue

from referee.desk.delay import MOST_STATES, LateTable
from referee.desk.hall import HeardHall
from referee.desk.seen import HeardTable
from referee.desk.shown import room_view_of
from tests.desk.tables import Sent, Voice, game_id

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


def test_the_room_sees_what_the_players_allow() -> None:
    hidden = room_view_of(table(ONE.stands(1, room=(False, True))), "en")
    assert "board" not in hidden
    view: dict[str, JsonValue] = {
        "seats": [{"colour": "red", "name": "Ana"}],
        "players": {"red": {"name": "Red"}},
        "violation": {"rules": ["Ana"]},
    }
    nameless = table(ONE.stands(1, room=(True, False), view=view))
    assert "Ana" in str(nameless.state)
    assert "Ana" not in str(room_view_of(nameless, "en"))
