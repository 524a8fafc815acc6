"""Who sits where in a hall, who waits, and when a table is cleared; and where a visitor's requests are led."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from flask import Flask, Response, request
from hypothesis import given
from hypothesis import strategies as st
from waitress.server import create_server
from waitress.wasyncore import close_all

from referee.addons.lending.demo import Routes
from referee.addons.lending.hall import Hall, HallLimits, TableDoor
from referee.addons.lending.proxies import LOOPBACK, Proxies, plain_address
from referee.addons.lending.reception import NOT_LENT, Leaving, NoTableError, VisitorStanding
from referee.service.requesthead import BadRequestError, RequestHead
from referee.service.server import bind

RECEPTION = ("127.0.0.1", 1)
NOBODY = Proxies()
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
    routes = Routes(lending.hall, RECEPTION, NOBODY)
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
        ("/api/%63odes", "POST", True, False),
        ("//api/codes", "POST", True, False),
        ("/%2Fapi/codes", "POST", True, False),
        ("/api/%2563odes", "POST", True, True),
    ],
)
def test_requests_go_to_the_reception_or_to_the_table(path: str, method: str, with_token: bool, table: bool) -> None:
    lending = Lending()
    token = lending.come("a")
    routes = Routes(lending.hall, RECEPTION, NOBODY)
    onward = routes.way(asked(path, token if with_token else "", method), "10.0.0.1")
    assert (onward.place != RECEPTION) is table


def spelled(draw: st.DrawFn, path: str) -> str:
    """Return a path with signs encoded, in small and capital digits, and slashes doubled."""
    signs = []
    for sign in path:
        times = draw(st.integers(1, 3)) if sign == "/" else 1
        for _ in range(times):
            code = draw(st.sampled_from(["", "%{:02x}", "%{:02X}", "%25{:02x}"]))
            signs.append(code.format(ord(sign)) if code else sign)
    return "/" + "".join(signs) + draw(st.sampled_from(["", "/", "?x=1", "#x", "?a#/b", ";x"]))


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, str]:
    """Return a method, and an address of what a lent table has not or of something else, spelled in some way."""
    method = draw(st.sampled_from(["GET", "POST", "DELETE"]))
    path = draw(st.sampled_from([*(f"{one}{more}" for one in NOT_LENT for more in ("", "/red", "/pin", "/1")), "/"]))
    return method, spelled(draw, path)


@pytest.fixture(scope="module")
def behind() -> Iterator[Callable[[str, str], str]]:
    """Say what a server like the one behind looks up for a method and an address."""
    app = Flask(__name__, static_folder=None)
    app.before_request(lambda: Response(request.path))
    sock = bind("127.0.0.1", 0)
    server = create_server(app, sockets=[sock])
    thread = threading.Thread(target=server.run)
    thread.start()

    def looked_up(method: str, target: str) -> str:
        with closing(socket.create_connection(sock.getsockname(), 10)) as line, line.makefile("rb") as answer:
            line.sendall(f"{method} {target} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            return answer.read().partition(b"\r\n\r\n")[2].decode()

    yield looked_up
    server.trigger.pull_trigger(lambda: close_all(server._map, ignore_all=True))
    thread.join(10)
    sock.close()


@given(asks=spellings())
def test_however_it_is_spelled_what_the_server_behind_looks_up_decides(
    behind: Callable[[str, str], str], asks: tuple[str, str]
) -> None:
    method, target = asks
    looked_up = behind(method, target)
    lending = Lending()
    onward = Routes(lending.hall, RECEPTION, NOBODY).way(asked(target, lending.come("a"), method), "10.0.0.1")
    if looked_up.startswith(NOT_LENT) and (method, looked_up) != ("GET", "/api/devices"):
        assert onward.place == RECEPTION, looked_up


@given(st.text(alphabet="abcXYZ019-_=;, \t", max_size=80))
def test_no_cookie_but_the_visitors_own_leads_to_a_table(cookies: str) -> None:
    lending = Lending()
    lending.come("a")
    routes = Routes(lending.hall, RECEPTION, NOBODY)
    assert routes.way(asked("/virtual", more=f"Cookie: referee-visitor={cookies}"), "10.0.0.1").place == RECEPTION


def test_what_a_server_in_front_says_is_believed_only_of_one_that_was_named() -> None:
    lending = Lending()
    token = lending.come("a")
    said = "X-Forwarded-For: 6.6.6.6, 203.0.113.9\r\nX-Forwarded-Proto: https"
    head = asked("/virtual", token, more=said, cookie="__Host-referee-visitor")
    named = Routes(lending.hall, RECEPTION, Proxies.read(["127.0.0.1", "10.0.0.0/24"]))
    for peer in ("127.0.0.1", "10.0.0.7"):
        behind = named.way(head, peer)
        assert behind.place != RECEPTION
        assert b"X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https" in behind.head
    for routes, peer in ((named, "10.0.1.1"), (Routes(lending.hall, RECEPTION, NOBODY), "127.0.0.1")):
        alone = routes.way(head, peer)
        assert alone.place == RECEPTION, "over plain HTTP the cookie has another name"
        assert f"X-Forwarded-For: {peer}\r\nX-Forwarded-Proto: http\r\n".encode() in alone.head


def test_an_address_that_names_another_with_every_request_is_held_back_still() -> None:
    routes = Routes(Lending().hall, RECEPTION, Proxies.read(LOOPBACK))

    def ask_without_end() -> None:
        for n in range(2000):
            routes.way(asked("/", more=f"X-Forwarded-For: 10.1.{n // 250}.{n % 250}"), "10.0.0.1")

    with pytest.raises(BadRequestError, match="429"):
        ask_without_end()


@pytest.mark.parametrize(
    ("told", "sender"),
    [
        (["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
        (["6.6.6.6", "203.0.113.9, 10.0.0.8"], "203.0.113.9"),
        (["6.6.6.6, unknown"], "10.0.0.7"),
        (["6.6.6.6, unknown, 10.0.0.8"], "10.0.0.8"),
        (["10.0.0.9"], "10.0.0.9"),
        ([""], "10.0.0.7"),
        ([], "10.0.0.7"),
        (["2001:db8::5, 10.0.0.8"], "2001:db8::5"),
    ],
)
def test_a_list_of_servers_is_believed_from_its_end(told: list[str], sender: str) -> None:
    head = asked("/", more="\r\n".join(f"X-Forwarded-For: {one}" for one in told))
    assert Proxies.read(["10.0.0.0/24"]).asking("10.0.0.7", head)[0] == sender


@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("1.2.3.4:5678", "1.2.3.4"),
        ("::ffff:1.2.3.4", "1.2.3.4"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("1.2.3", ""),
        ("", ""),
    ],
)
def test_an_address_counts_once_however_it_is_spelled(spelled: str, plain: str) -> None:
    assert plain_address(spelled) == plain


@given(st.lists(st.text("0123456789abcdef.:, unkow_%-", max_size=40), max_size=4), st.booleans())
def test_whoever_is_named_is_an_address_and_a_stranger_names_nobody(told: list[str], known: bool) -> None:
    head = asked("/", more="\r\n".join(f"X-Forwarded-For: {one}" for one in told))
    peer = "10.0.0.7" if known else "10.0.1.7"
    sender, _ = Proxies.read(["10.0.0.0/24"]).asking(peer, head)
    assert known or sender == peer
    assert re.fullmatch(r"[0-9A-Fa-f.:]{2,45}", sender)


def test_an_address_that_asks_without_end_is_held_back_and_others_are_not() -> None:
    routes = Routes(Lending().hall, RECEPTION, NOBODY)

    def ask_without_end() -> None:
        for _ in range(2000):
            routes.way(asked("/"), "10.0.0.1")

    with pytest.raises(BadRequestError, match="429"):
        ask_without_end()
    assert routes.way(asked("/"), "10.0.0.2").place == RECEPTION
