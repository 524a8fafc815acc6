"""Who sits where in a hall, who waits, and when a table is cleared; and where a visitor's requests are led."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.demo_public import Routes
from referee.demo.hall import Hall, HallLimits, TableDoor
from referee.service.requesthead import BadRequestError, RequestHead
from web.reception import Leaving, NoTableError, VisitorStanding

RECEPTION = ("127.0.0.1", 1)
LIMITS = HallLimits(tables=2, each=2, largest_bytes=100, total_s=3600.0, idle_s=600.0, away_s=120.0)


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Table:
    """A table of which the test says how it does."""

    def __init__(self, number: int, opens: bool = True) -> None:
        self.door = TableDoor(("127.0.0.1", 100 + number), f"key={number}") if opens else None
        self.ended, self.closed, self.bytes = False, False, 10

    def size_bytes(self) -> int:
        return self.bytes

    def close(self) -> None:
        assert not self.closed, "a table is closed once"
        self.closed = True


class Lending:
    """A hall with its tables and its clock."""

    def __init__(self, limits: HallLimits = LIMITS, opens: bool = True) -> None:
        self.clock, self.tables = Clock(), list[Table]()

        def open_table(game: str, language: str) -> Table:
            self.tables.append(Table(len(self.tables), opens))
            return self.tables[-1]

        self.hall = Hall(limits, open_table, self.clock)

    def come(self, address: str) -> str:
        return self.hall.ask("", address, "terra-turrium", "en")

    def play(self, token: str, seconds: float) -> None:
        self.after(seconds)
        self.hall.door(token, True)

    def after(self, seconds: float) -> None:
        self.clock.now_s += seconds
        self.hall.tend()


def test_each_has_a_table_of_their_own_and_nobody_elses() -> None:
    lending = Lending()
    first, second = lending.come("a"), lending.come("b")
    assert first != second
    assert [lending.hall.door(token, False) for token in (first, second)] == [table.door for table in lending.tables]
    assert lending.hall.door("", False) is None
    assert lending.hall.door(first[:-1], False) is None
    assert lending.hall.ask(first, "a", "torres", "en") == first, "who has a table gets no second one"
    assert len(lending.tables) == 2


def test_who_comes_when_all_are_taken_waits_in_line_and_sits_down_in_turn() -> None:
    lending = Lending()
    first, second, third, fourth = (lending.come(address) for address in "abcd")
    lending.clock.now_s += 60.0
    for token in (first, second):
        lending.hall.door(token, True)
    assert lending.hall.standing(third) == VisitorStanding(asked=True, place=1, wait_s=3540.0)
    assert lending.hall.standing(fourth) == VisitorStanding(asked=True, place=2, wait_s=3540.0)
    assert lending.hall.counts() == (2, 2)
    lending.hall.leave(first)
    lending.come("e")
    assert len(lending.tables) == 2, "the table is cleared first: two at a time, never three"
    assert lending.hall.standing(third).place == 1
    lending.hall.tend()
    assert lending.tables[0].closed
    assert lending.hall.standing(third) == VisitorStanding(asked=True, laid=True)
    assert lending.hall.standing(fourth).place == 1
    assert lending.hall.standing(first) == VisitorStanding(left=Leaving.LEFT)
    assert lending.hall.door(first, False) is None


def test_who_does_not_look_any_more_loses_the_place_in_line() -> None:
    lending = Lending()
    first, _, third, fourth = (lending.come(address) for address in "abcd")
    for _ in range(4):
        lending.after(20.0)
        lending.hall.standing(fourth)
        lending.hall.door(first, True)
    assert lending.hall.standing(third).left is Leaving.LINE
    assert lending.hall.standing(fourth).place == 1


@pytest.mark.parametrize(
    ("happens", "why"),
    [
        (lambda lending, token: setattr(lending.tables[0], "ended", True), Leaving.BROKEN),
        (lambda lending, token: setattr(lending.tables[0], "bytes", 101), Leaving.LARGE),
        (lambda lending, token: setattr(lending.clock, "now_s", 1000.0 + 601.0), Leaving.IDLE),
        (lambda lending, token: [lending.play(token, 500.0) for _ in range(8)], Leaving.OVER),
    ],
)
def test_a_table_is_cleared_and_its_visitor_told_why(happens: Callable[[Lending, str], object], why: Leaving) -> None:
    lending = Lending()
    token = lending.come("a")
    lending.hall.tend()
    assert lending.hall.door(token, False) is not None
    happens(lending, token)
    lending.hall.tend()
    assert lending.hall.door(token, False) is None
    assert lending.hall.standing(token).left is why
    assert lending.tables[0].closed
    again = lending.come("a")
    assert lending.hall.door(again, False) is not None, "another table can be had at once"


def test_looking_on_is_not_playing_and_a_page_gone_silent_makes_room_for_who_waits() -> None:
    lending = Lending()
    first, second = lending.come("a"), lending.come("b")
    for _ in range(10):
        lending.after(30.0)
        lending.hall.door(first, False)
    assert lending.hall.counts() == (2, 0), "nobody waits: a silent page keeps its table"
    third = lending.come("c")
    lending.after(1.0)
    assert lending.hall.standing(second).left is Leaving.IDLE
    assert lending.hall.standing(third).laid
    for _ in range(11):
        lending.after(30.0)
        lending.hall.door(first, False)
    assert lending.hall.standing(first).left is Leaving.IDLE, "it was only looked at for ten minutes"


def test_a_table_that_never_opens_is_given_up() -> None:
    lending = Lending(opens=False)
    token = lending.come("a")
    assert lending.hall.standing(token) == VisitorStanding(asked=True)
    lending.after(121.0)
    assert lending.hall.standing(token).left is Leaving.BROKEN


def test_a_machine_that_can_open_no_more_tables_says_so_and_goes_on() -> None:
    lending = Lending()

    def full(game: str, language: str) -> Table:
        raise OSError(11, "Resource temporarily unavailable")

    hall = Hall(LIMITS, full, lending.clock)
    token = hall.ask("", "a", "turris", "en")
    assert hall.standing(token).left is Leaving.BROKEN
    hall.tend()
    assert hall.counts() == (0, 0)


def test_one_address_has_only_so_many_and_may_not_ask_all_the_time() -> None:
    lending = Lending(HallLimits(tables=9, each=2))
    mine = [lending.come("a"), lending.come("a")]
    with pytest.raises(NoTableError, match="as many visitors as may be"):
        lending.come("a")
    lending.come("b")
    for _ in range(3):
        lending.hall.leave(mine.pop(0))
        mine.append(lending.come("a"))
    lending.hall.leave(mine.pop(0))
    with pytest.raises(NoTableError, match="very often"):
        lending.come("a")
    lending.after(61.0)
    lending.come("a")


def test_closing_the_hall_closes_every_table() -> None:
    lending = Lending()
    lending.hall.leave(lending.come("a"))
    lending.come("b")
    lending.hall.close()
    assert len(lending.tables) == 2
    assert all(table.closed for table in lending.tables)


def asked(
    path: str, token: str = "", method: str = "GET", more: str = "", cookie: str = "referee-visitor"
) -> RequestHead:
    cookies = f"Cookie: other=1; {cookie}={token}; more=2" if token else ""
    lines = filter(None, (f"{method} {path} HTTP/1.1", "Host: localhost", cookies, more))
    return RequestHead.read("\r\n".join((*lines, "", "")).encode())


def test_a_request_is_led_to_the_visitors_own_table_with_its_keys_alone() -> None:
    lending = Lending()
    token, other = lending.come("a"), lending.come("b")
    routes = Routes(lending.hall, RECEPTION, behind_proxy=False)
    for mine, table in ((token, lending.tables[0]), (other, lending.tables[1])):
        onward = routes.way(asked("/api/state?x=1", mine), "10.0.0.1")
        assert table.door is not None
        assert onward.place == table.door.place
        assert b"Cookie: " + table.door.cookies.encode() + b"\r\n" in onward.head
        assert mine.encode() not in onward.head
        assert onward.head.count(b"Cookie") == 1
        assert onward.otherwise is not None
        assert onward.otherwise[0] == RECEPTION


@pytest.mark.parametrize(
    ("path", "method", "with_token", "table"),
    [
        ("/virtual", "GET", True, True),
        ("/", "GET", True, True),
        ("/api/virtual/acts", "POST", True, True),
        ("/api/devices", "GET", True, True),
        ("/virtual", "GET", False, False),
        ("/hall", "GET", True, False),
        ("/leave?lang=de", "POST", True, False),
        ("/api/codes", "POST", True, False),
        ("/api/codes/red", "POST", True, False),
        ("/api/pair/pin", "POST", True, False),
        ("/api/devices/1", "DELETE", True, False),
    ],
)
def test_what_is_the_receptions(path: str, method: str, with_token: bool, table: bool) -> None:
    lending = Lending()
    token = lending.come("a")
    routes = Routes(lending.hall, RECEPTION, behind_proxy=False)
    onward = routes.way(asked(path, token if with_token else "", method), "10.0.0.1")
    assert (onward.place != RECEPTION) is table


@given(st.text(alphabet="abcXYZ019-_=;, \t", max_size=80))
def test_no_cookie_but_the_visitors_own_leads_to_a_table(cookies: str) -> None:
    lending = Lending()
    lending.come("a")
    routes = Routes(lending.hall, RECEPTION, behind_proxy=False)
    assert routes.way(asked("/virtual", more=f"Cookie: referee-visitor={cookies}"), "10.0.0.1").place == RECEPTION


def test_what_a_server_in_front_says_is_believed_only_where_one_is() -> None:
    lending = Lending()
    token = lending.come("a")
    said = "X-Forwarded-For: 6.6.6.6, 203.0.113.9\r\nX-Forwarded-Proto: https"
    head = asked("/virtual", token, more=said, cookie="__Host-referee-visitor")
    behind = Routes(lending.hall, RECEPTION, behind_proxy=True).way(head, "127.0.0.1")
    assert behind.place != RECEPTION
    assert b"X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https" in behind.head
    alone = Routes(lending.hall, RECEPTION, behind_proxy=False).way(head, "10.0.0.1")
    assert alone.place == RECEPTION, "over plain HTTP the cookie has another name"
    assert b"X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: http\r\n" in alone.head


def test_an_address_that_asks_without_end_is_held_back_and_others_are_not() -> None:
    routes = Routes(Lending().hall, RECEPTION, behind_proxy=False)

    def ask_without_end() -> None:
        for _ in range(2000):
            routes.way(asked("/"), "10.0.0.1")

    with pytest.raises(BadRequestError, match="429"):
        ask_without_end()
    assert routes.way(asked("/"), "10.0.0.2").place == RECEPTION
