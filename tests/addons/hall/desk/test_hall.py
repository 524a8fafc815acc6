"""What a hall's messages add up to: no order and no repetition changes it, and nobody speaks for another table."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.addons.hall.desk import hall as desk_hall
from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.metering import (
    BYTES_AT_ONCE,
    GRACE_S,
    MESSAGES_AT_ONCE,
    MOST_NAMES,
    NEWCOMERS,
    REST_S,
    Floods,
    Meter,
)
from referee.addons.hall.desk.seen import MOST_EVENTS, MOST_GAMES, MOST_RULINGS
from referee.addons.hall.desk.shown import table_view_of
from referee.addons.hall.messages import MESSAGES, MOST_BYTES, MOST_RULING_BYTES, HallError, HallMessage, parsed
from referee.addons.hall.topics import HallTopic, Leaf
from tests.addons.hall.desk.tables import Sent, Voice, game_id, need
from tests.untyped import untyped

ONE, TWO, THIRD = Voice(1), Voice(2), Voice(3, " table  1")
NOW = 1_000_000

SAID: list[Sent] = [
    *(ONE.event(number, 10 + number) for number in (1, 2, 3, 5)),
    ONE.event(6, 20, replaces=3),
    ONE.event(2, 21, game=2),
    *(ONE.rules(number, 30 + number) for number in (2, 3, 5, 6)),
    ONE.rules(3, 40, fate="undone"),
    ONE.rules(1, 41, game=2),
    ONE.stands(50, need("breach", 7)),
    ONE.stands(51, need("camera", 5), need("dispute", 9, 1)),
    ONE.is_("online", 60),
    ONE.is_("offline", 60),
    ONE.is_("online", 61),
    TWO.stands(5, need("dispute", 3, 1)),
    TWO.event(4, 3),
    TWO.event(4, 6, other=True),
    TWO.is_("online"),
    TWO.is_("offline"),
    TWO.health(),
    TWO.about(9),
]


def heard(messages: list[Sent], hall: HeardHall | None = None) -> HeardHall:
    return reduce(lambda so_far, one: so_far.heard(*one, NOW), messages, hall or HeardHall())


WHOLE = heard([ONE.about(), TWO.about(), *SAID])


PARSED = [(topic, parsed(MESSAGES[topic.leaf], payload)) for topic, payload, _ in SAID]


def test_only_what_counts_can_be_set_aside() -> None:
    """A table refuses more, so the desk offers no more."""

    def offered(*messages: Sent) -> object:
        table = heard([ONE.about(), ONE.stands(1, event=9), *messages]).tables[ONE.id]
        return untyped(table_view_of(table, [], NOW, "en"))["ruling"]["counts"]

    assert offered(ONE.rules(3, 2, fate="open"))
    assert offered(ONE.rules(3, 2, fate="stands"))
    assert not offered(ONE.rules(3, 2), ONE.rules(3, 3, fate="undone"))
    assert not offered(ONE.rules(3, 2), ONE.event(9, 3, replaces=3)), "before it is told what became of the ruling"


@given(st.permutations(PARSED), st.lists(st.sampled_from(PARSED), max_size=12))
def test_any_order_and_any_repetition_ends_in_the_same(
    order: list[tuple[HallTopic, HallMessage]], again: list[tuple[HallTopic, HallMessage]]
) -> None:
    tables = dict(heard([ONE.about(), TWO.about()]).tables)
    for topic, message in (*order, *again):
        tables[topic.table] = tables[topic.table].heard(topic.leaf, message, NOW)
    assert tables == WHOLE.tables


def test_the_standing_is_the_newest_and_a_correction_takes_the_line_back() -> None:
    one, two = WHOLE.tables[ONE.id], WHOLE.tables[TWO.id]
    assert one.online
    assert not two.online
    assert one.state is not None
    assert one.state.sent == 51
    assert [ruling.event for ruling in one.game.line()] == [2, 6], "3 and 5 are replaced by 6"
    assert one.game.missing() == 1, "event 4 never came"
    assert set(one.games) == {game_id(1), game_id(2)}
    assert two.game.torn, "event 4 came twice, and not the same"


def test_what_was_missed_of_earlier_games_is_wanted_too() -> None:
    earlier = {1: 4, 2: 3, 3: 2}
    knows = [ONE.about(), ONE.stands(50, event=2, game=4, earlier=earlier), ONE.event(1, 9, game=4)]
    assert heard(knows).tables[ONE.id].wanted() == [(game_id(4), 1)], "it was opened after them"
    some = heard([*knows, *(ONE.event(number, number, game=2) for number in (1, 3))])
    assert some.tables[ONE.id].wanted() == [(game_id(2), 1), (game_id(3), 0), (game_id(4), 1)]
    rest = [ONE.event(2, 20, game=2), ONE.event(1, 21, game=3), ONE.event(2, 22, game=3), ONE.event(2, 23, game=4)]
    assert heard(rest, some).tables[ONE.id].wanted() == []


def test_the_worst_that_waits_longest_comes_first() -> None:
    needs = [(each.table, each.what) for each in WHOLE.needs(NOW)]
    assert needs == [
        (TWO.id, "dispute"),
        (ONE.id, "dispute"),
        (TWO.id, "torn"),
        (TWO.id, "offline"),
        (ONE.id, "camera"),
    ]
    assert WHOLE.order(WHOLE.needs(NOW)) == [TWO.id, ONE.id]


def test_a_table_that_says_nothing_for_long_is_silent() -> None:
    hall = heard([ONE.about(), ONE.stands(2), ONE.is_("online"), ONE.health()])
    assert hall.needs(NOW + 45_000) == []
    assert [each.what for each in hall.needs(NOW + 45_001)] == ["silent"]


def test_two_tables_with_one_name_are_told_apart_and_reported() -> None:
    hall = heard([ONE.about(), TWO.about(), THIRD.about()])
    assert hall.alike() == {ONE.id, THIRD.id}
    assert len(hall.tables) == 3


@pytest.mark.parametrize(
    "message",
    [
        (ONE.stands(9)[0], TWO.stands(9)[1], TWO.stands(9)[2]),  # another table's state, on this one's topic
        (ONE.stands(9)[0], ONE.stands(9)[1], ONE.rules(1, 1)[2]),
        (ONE.stands(9)[0], ONE.stands(9)[1], ""),
        (HallTopic(THIRD.id, Leaf.ABOUT), *TWO.about()[1:]),  # a key that is not the id's
        THIRD.stands(1),  # nobody has said who that is
        (HallTopic(ONE.id, Leaf.STATE), b"x" * (MOST_BYTES + 1), ""),
        ONE.rules(7, 70, text="x" * MOST_RULING_BYTES),  # of these many are kept
        ONE.sent(Leaf.COMMAND, WHOLE.tables[ONE.id].newest[Leaf.STATE]),
        ONE.sent(Leaf.STATE, WHOLE.tables[ONE.id].newest[Leaf.ABOUT]),  # signed, but no state
    ],
)
def test_nobody_speaks_for_another(message: Sent) -> None:
    with pytest.raises(HallError):
        heard([message], WHOLE)


def test_a_table_fills_nothing_but_its_own_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_hall, "MOST_TABLES", 2)
    flood = [ONE.event(number, number, game=number % 7) for number in range(1, 20 * MOST_EVENTS, 7)]
    flood += [ONE.rules(number, number) for number in range(1, 2 * MOST_RULINGS)]
    hall = heard([ONE.about(), TWO.about(), *flood, THIRD.about()])
    table = hall.tables[ONE.id]
    assert set(hall.tables) == {ONE.id, TWO.id}
    assert hall.full
    assert len(table.games) <= MOST_GAMES
    assert all(len(game.events) <= MOST_EVENTS and len(game.rulings) <= MOST_RULINGS for game in table.games.values())
    assert max(table.games[game_id(1)].rulings) == 2 * MOST_RULINGS - 1, "the newest are kept"


def test_a_table_that_sends_too_much_is_left_out_until_it_is_quieter() -> None:
    meter = Meter(0.0)
    assert sum(meter.admits(1000, 0.0) for _ in range(2 * int(MESSAGES_AT_ONCE))) == MESSAGES_AT_ONCE
    assert not meter.admits(1000, 0.0)
    assert meter.admits(1000, 1.0)
    large = Meter(0.0)
    assert sum(large.admits(MOST_BYTES, 0.0) for _ in range(1000)) == BYTES_AT_ONCE // MOST_BYTES
    assert not large.admits(MOST_BYTES, 0.1)
    assert large.admits(MOST_BYTES, 2.0)


def test_a_flooding_table_is_left_out_for_a_while_and_the_others_come_again() -> None:
    floods = Floods()
    while floods.admits(ONE.id, 1000, 0.0):
        pass
    assert floods.admits(TWO.id, 1000, 0.0), "the others are read"
    assert floods.refused(ONE.id, True, 0.0) == ONE.id
    assert floods.refused(ONE.id, True, 1.0) is None, "so much was under way"
    assert not floods.all_again(1.0)
    assert [floods.all_again(GRACE_S), floods.all_again(GRACE_S)] == [True, False], "what a full broker dropped"
    assert floods.refused(ONE.id, False, 9.0) is None
    assert floods.refused(ONE.id, True, 9.0) == NEWCOMERS, "it is heard only as one who makes itself known"
    assert floods.over(REST_S - 1) == []
    assert floods.over(REST_S + 9) == [ONE.id, NEWCOMERS]
    assert floods.admits(ONE.id, 1000, REST_S + 9)
    for number in range(MOST_NAMES):
        floods.admits(f"{number:016x}", 1, 0.0)
    for number in range(int(MESSAGES_AT_ONCE)):
        floods.admits(f"f{number:015x}", 1, 0.0)
    assert not floods.admits("e" * 16, 1, 0.0), "names are free, and bring no measure of their own"
    assert floods.admits(TWO.id, 1, 0.0)
