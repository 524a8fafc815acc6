"""HTTPS of the table: certificates that a device trusting the authority accepts, and the front before the server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import itertools
import socket
import ssl
import time
from asyncio.sslproto import SSLProtocol
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st

from referee.service import front
from referee.service.authority import Authority, AuthorityError, ensure, exists
from referee.service.doors import ALL_MOST, EACH_MOST, Doors
from referee.service.front import CONNECTION
from referee.service.requesthead import BODY_MOST, HEAD_MOST, REFUSED_BODY_MOST, BadRequestError, RequestHead
from referee.service.server import PageServer, bind
from referee.service.tlsfront import TlsFront
from tests.auth.house import House
from tests.house.tmpfs import small_disk
from tests.vision.sources.patience import eventually
from web.auth.addresses import DeviceAddresses

NAMES = ("127.0.0.1", "localhost", "raspberrypi", "raspberrypi.local", "192.168.1.7")


@dataclass
class Secure:
    """A house over HTTPS."""

    house: House
    authority: Authority
    port: int

    def trusting(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cadata=self.authority.der)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return context

    def line(self, host: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> Any:
        return closing(http.client.HTTPSConnection(host, self.port, context=context or self.trusting(), timeout=20))

    def status(self, address: str, host: str = "127.0.0.1") -> int:
        with self.line(host) as line:
            line.request("GET", address)
            return int(line.getresponse().status)

    def raw(self, content: bytes) -> bytes:
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=20) as plain,
            self.trusting().wrap_socket(plain, server_hostname="localhost") as line,
        ):
            line.sendall(content)
            answer = b""
            while chunk := line.recv(1 << 16):
                answer += chunk
        return answer


@pytest.fixture
def secure(house: House) -> Iterator[Secure]:
    with ExitStack() as parts:
        ours = ensure(house.folder, NAMES)
        inner, outer = parts.enter_context(bind("127.0.0.1", 0)), parts.enter_context(bind("127.0.0.1", 0))
        parts.enter_context(PageServer(house.app, inner, behind_proxy=True))
        parts.enter_context(TlsFront(outer, ours.server, ours.key, inner.getsockname()))
        parts.callback(house.board.close)
        yield Secure(house, ours, outer.getsockname()[1])


def test_a_device_that_trusts_the_authority_opens_the_page(secure: Secure) -> None:
    for host in ("127.0.0.1", "localhost"):
        assert secure.status("/api/state", host) == 200


def test_a_device_that_does_not_trust_the_authority_refuses(secure: Secure) -> None:
    with secure.line(context=ssl.create_default_context()) as line, pytest.raises(ssl.SSLCertVerificationError):
        line.request("GET", "/")


def test_the_key_is_for_nobody_else_to_read(secure: Secure) -> None:
    for name in ("authority.key", "server.key"):
        assert (secure.house.folder / "https" / name).stat().st_mode & 0o077 == 0


def test_cookies_of_a_device_paired_there_are_sent_over_https_only(secure: Secure) -> None:
    code = secure.house.auth.desk.new_code()
    body = b'{"secret": "%s", "name": "Phone"}' % code.secret.encode()
    host = b"127.0.0.1:%d" % secure.port
    answer = secure.raw(
        b"POST /api/pair/link HTTP/1.1\r\nHost: " + host + b"\r\nOrigin: https://" + host + b"\r\nContent-Type: "
        b"application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body
    )
    assert answer.startswith(b"HTTP/1.1 2"), answer
    assert b"__Host-" in answer
    assert b"Secure" in answer


def test_several_requests_on_one_connection(secure: Secure) -> None:
    with secure.line() as line:
        for _ in range(3):
            line.request("GET", "/api/session")
            answer = line.getresponse()
            assert answer.status == 200
            answer.read()


def test_a_stream_lasts_and_ends_with_its_reader(secure: Secure) -> None:
    with secure.line() as line:
        line.request("GET", "/api/stream")
        with line.getresponse() as answer:
            assert answer.status == 200
            assert answer.readline()
    eventually(lambda: secure.house.services.streams.free == secure.house.app.config["MAX_STREAMS"])


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"411"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", b"400"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n folded: yes\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", b"400"),
        (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400"),
    ],
)
def test_what_two_servers_could_read_differently_is_refused(secure: Secure, sent: bytes, status: bytes) -> None:
    assert secure.raw(sent).split(b" ", 2)[1] == status


@given(
    st.lists(
        st.sampled_from(["X-Forwarded-For: 10.0.0.9", "forwarded: for=10.0.0.9", "x-FORWARDED-proto: http", "A: b"])
    ),
    st.integers(0, BODY_MOST),
)
def test_who_it_came_from_is_said_once_and_by_us(claimed: Sequence[str], size: int) -> None:
    lines = ["POST /api/x HTTP/1.1", "Host: localhost", *claimed, f"Content-Length: {size}", "", ""]
    asked = RequestHead.read("\r\n".join(lines).encode())
    assert asked.size == size
    head = asked.handed_on("192.168.1.20", "https")
    said = [line for line in head.decode().split("\r\n") if "forwarded" in line.lower()]
    assert said == ["X-Forwarded-For: 192.168.1.20", "X-Forwarded-Proto: https"]


@given(st.binary(max_size=200))
def test_no_first_lines_do_more_than_be_refused(junk: bytes) -> None:
    try:
        asked = RequestHead.read(junk.replace(b"\r\n\r\n", b"") + b"\r\n\r\n")
    except BadRequestError:
        return
    head = asked.handed_on("192.168.1.20", "https")
    assert head.count(b"\r\n\r\n") == 1


def test_one_address_holds_only_so_many_connections_and_the_front_goes_on(secure: Secure) -> None:
    source = ("127.0.0.2", 0)
    held = [socket.create_connection(("127.0.0.1", secure.port), source_address=source) for _ in range(3 * EACH_MOST)]
    for one in held:
        one.close()
    assert secure.status("/api/session") == 200


def test_handshakes_that_never_begin_are_counted_too(secure: Secure) -> None:
    """From many addresses: all connections are taken, and whoever asks for something still gets in."""
    held = [
        socket.create_connection(("127.0.0.1", secure.port), source_address=(f"127.0.0.{2 + number % 20}", 0))
        for number in range(ALL_MOST + 100)
    ]
    assert secure.status("/api/session") == 200
    open_now = Path("/proc/self/fd")
    eventually(lambda: len(list(open_now.iterdir())) < len(held) + ALL_MOST + 60)
    for one in held:
        one.close()


@pytest.mark.long
def test_five_addresses_that_hold_every_connection_keep_nobody_out(secure: Secure) -> None:
    """Each of their connections has asked for something, and none is ever closed by them."""
    context, asked = secure.trusting(), b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as held:
        for number in range(5 * EACH_MOST):
            source = (f"127.0.0.{20 + number % 5}", 0)
            plain = socket.create_connection(("127.0.0.1", secure.port), 20, source_address=source)
            line = held.enter_context(context.wrap_socket(plain, server_hostname="localhost"))
            line.sendall(asked)
            assert line.recv(12) == b"HTTP/1.1 200"
        assert [secure.status("/api/session") for _ in range(10)] == [200] * 10


def test_a_place_given_away_when_its_handshake_ends_harms_no_other_connection(
    secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket closed under its transport would refuse whoever is given the socket's number next."""
    woken = SSLProtocol._wakeup_waiter

    def give_away(self: SSLProtocol, exc: BaseException | None = None) -> None:
        woken(self, exc)
        for task in asyncio.all_tasks():
            if task.get_name() == CONNECTION:
                task.cancel()

    with monkeypatch.context() as patched:
        patched.setattr(SSLProtocol, "_wakeup_waiter", give_away)
        with contextlib.suppress(OSError):
            secure.raw(b"")
    with ExitStack() as held:
        lines = [held.enter_context(secure.line()) for _ in range(10)]
        for line in lines:
            line.request("GET", "/api/session")
        assert [line.getresponse().status for line in lines] == [200] * 10


def test_what_refused_connections_leave_is_freed_though_nobody_collects(
    secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own collector stands still here; in a large process it looks hardly ever."""
    monkeypatch.setattr(front, "COLLECTED_TOGETHER", 10)
    context, size = secure.trusting(), 1_900_000
    asked = f"POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n".encode()

    def left() -> int:
        return sum(isinstance(each, SSLProtocol) for each in gc.get_objects())

    def sends_on(number: int) -> None:
        """Send a body that is refused, and go on sending."""
        source = (f"127.0.0.{2 + number % 20}", 0)
        plain = socket.create_connection(("127.0.0.1", secure.port), 20, source)
        with contextlib.suppress(OSError), context.wrap_socket(plain, server_hostname="localhost") as line:
            line.sendall(asked + bytes(500_000))
            time.sleep(0.2)
            line.sendall(bytes(100_000))

    collects = gc.isenabled()
    gc.disable()
    try:
        before = left()
        with ThreadPoolExecutor(10) as strangers:
            list(strangers.map(sends_on, range(60)))
        eventually(lambda: left() - before < 20)
    finally:
        if collects:
            gc.enable()


def test_the_doors_are_shared_fairly() -> None:
    doors = Doors(each=3, most=5)
    assert [doors.come(number, "a") for number in range(3)] == [(True, None)] * 3
    doors.ask(0)
    assert doors.come(3, "a") == (True, 1), "of its own address, the one silent for longest"
    assert [doors.come(number, "b") for number in (4, 5)] == [(True, None)] * 2
    assert doors.come(6, "c") == (True, 2), "of the address that holds most"
    doors.ask(3)
    assert doors.come(7, "c") == (True, 0), "of those who have all asked, the one that did longest ago"
    for who in (5, 4, 6, 7):
        doors.ask(who)
    assert doors.come(8, "b") == (True, 5), "of its own address, where none holds more"
    doors.go(3)
    assert doors.come(9, "d") == (True, None)


def test_the_places_of_paired_devices_are_given_to_nobody_else() -> None:
    devices = DeviceAddresses()
    doors = Doors(devices, each=3, most=5)
    for number in range(3):
        doors.come(number, "tablet")
        doors.ask(number)
    devices.note("tablet")
    doors.come(3, "stranger")
    doors.come(4, "phone")
    devices.note("phone")
    assert doors.come(5, "another") == (True, 3), "one of the strangers, though the tablet holds more"
    assert doors.come(6, "phone") == (True, 5)
    assert doors.come(7, "another") == (False, None)
    assert doors.come(8, "phone") == (True, 0), "devices share the places among them"


def test_strangers_connect_anew_only_so_often_and_devices_at_any_time() -> None:
    now_s = 100.0
    doors = Doors({"tablet"}, each=10, most=40, clock=lambda: now_s)

    def let_in(address: str, count: int) -> int:
        return sum(doors.come(object(), address)[0] for _ in range(count))

    assert let_in("a", 100) == 20
    assert let_in("b", 5) == 5, "another address has its own"
    assert let_in("tablet", 100) == 100
    now_s += 1.0
    assert let_in("a", 100) == 1

    doors = Doors(each=100, most=200, a_second=None, clock=lambda: now_s)
    assert let_in("a", 100) == 100, "without a handshake a connection costs nothing"


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=80))
def test_whoever_comes_to_full_doors_takes_the_place_of_the_greediest_stranger(
    events: Sequence[tuple[int, bool]],
) -> None:
    """However strangers come and ask: nobody is refused, limits hold, none makes room for one that holds more."""
    now_s = itertools.count(step=10.0)
    doors, held = Doors(each=4, most=12, clock=lambda: next(now_s)), dict[int, int]()
    for number, (address, asks) in enumerate(events):
        counts = Counter(held.values())
        let_in, goes = doors.come(number, str(address))
        assert let_in
        if isinstance(goes, int):
            assert counts[held[goes]] == max(counts.values()) or held[goes] == address
            del held[goes]
        held[number] = address
        if asks:
            doors.ask(number)
        assert len(held) <= 12
        assert max(Counter(held.values()).values()) <= 4


@pytest.mark.parametrize("head", [b"GET /" + b"a" * HEAD_MOST, b"GET / HTTP/1.1\r\nA: " + b"b" * 10 * HEAD_MOST])
def test_too_long_a_head_is_told_so(secure: Secure, head: bytes) -> None:
    assert secure.raw(head + b"\r\n\r\n").startswith(b"HTTP/1.1 431 ")
    assert secure.status("/api/session") == 200


def unread(sent: bytes) -> int:
    """Return how many bytes are left unread of what a client sent once a front has refused it."""

    async def left() -> int:
        client, answer = asyncio.StreamReader(limit=HEAD_MOST), AsyncMock(write=Mock())
        client.feed_data(sent)
        client.feed_eof()
        with pytest.raises(BadRequestError) as refused:
            RequestHead.read(await front._head(client))
        await front._refuse(client, answer, refused.value)
        return len(await client.read())

    with ThreadPoolExecutor(1) as apart:  # the browser's loop may run in this thread
        return apart.submit(lambda: asyncio.run(left())).result()


def test_only_a_part_of_an_endless_head_is_read() -> None:
    assert 20 * HEAD_MOST - unread(b"a" * 20 * HEAD_MOST) == front.REFUSED_HEAD_MOST


@pytest.mark.parametrize(
    "line", [b"POST / HTTP/1.1\r\nContent-Length: 999999999", b"POST / HTTP/1.1\r\nno field", b"?"]
)
def test_only_a_part_of_what_follows_a_refused_head_is_read(line: bytes) -> None:
    size = 3 * REFUSED_BODY_MOST
    assert size - REFUSED_BODY_MOST - 2**16 < unread(line + b"\r\n\r\n" + bytes(size)) <= size - REFUSED_BODY_MOST


def test_too_long_a_body_is_told_so_although_it_is_sent_along(secure: Secure) -> None:
    size = 2 * BODY_MOST
    head = f"POST /api/pair/pin HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
    assert secure.raw(head.encode() + bytes(size)).startswith(b"HTTP/1.1 413 ")


def test_a_name_that_came_later_gets_a_new_certificate_of_the_same_authority(tmp_path: Path) -> None:
    first = ensure(tmp_path, NAMES)
    server = first.server.read_bytes()
    assert ensure(tmp_path, NAMES).server.read_bytes() == server
    again = ensure(tmp_path, (*NAMES, "192.168.1.8"))
    assert again.fingerprint == first.fingerprint
    assert again.server.read_bytes() != server


def test_a_certificate_that_ends_soon_is_made_anew(tmp_path: Path) -> None:
    server = ensure(tmp_path, NAMES, datetime.now(UTC) - timedelta(days=380)).server.read_bytes()
    assert ensure(tmp_path, NAMES).server.read_bytes() != server


def test_the_authority_vouches_for_no_page_of_the_internet(tmp_path: Path) -> None:
    """A name it may not vouch for is left out: with it browsers would refuse the whole certificate."""
    ensure(tmp_path, NAMES)
    server = ensure(tmp_path, (*NAMES, "bank.example", "203.0.113.5")).server
    vouched = x509.load_pem_x509_certificate(server.read_bytes())
    shown = vouched.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(name.value) for name in shown} == set(NAMES)


@pytest.mark.parametrize("damaged", ["authority.crt", "authority.key"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damaged: str) -> None:
    ensure(tmp_path, NAMES)
    (tmp_path / "https" / damaged).write_bytes(b"nothing")
    with pytest.raises(AuthorityError, match="delete the folder and run 'referee https'"):
        ensure(tmp_path, (*NAMES, "192.168.1.9"))
    assert exists(tmp_path)


@pytest.mark.parametrize("damaged", ["server.crt", "server.key"])
@pytest.mark.parametrize("content", [b"nothing", b"", None])
def test_what_devices_need_not_trust_is_made_anew(tmp_path: Path, damaged: str, content: bytes | None) -> None:
    first = ensure(tmp_path, NAMES)
    path = tmp_path / "https" / damaged
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    again = ensure(tmp_path, NAMES)
    assert again.fingerprint == first.fingerprint
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(again.server, again.key)


def test_a_full_disk_loses_nothing_and_nobody_is_told_to_delete_what_devices_trust(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 128) as folder:
        filler = folder / "filler"

        def fill() -> None:
            with contextlib.suppress(OSError), filler.open("wb", 0) as stream:
                while True:
                    stream.write(bytes(4096))

        fill()
        with pytest.raises(AuthorityError, match="make room on the disk and run 'referee https' again"):
            ensure(folder, NAMES)
        filler.unlink()
        made = ensure(folder, NAMES)
        kept = {path.name: path.read_bytes() for path in (folder / "https").iterdir()}
        fill()
        with pytest.raises(AuthorityError) as told:
            ensure(folder, (*NAMES, "192.168.1.9"))
        assert "make room" in str(told.value)
        assert "delete the folder" not in str(told.value)
        assert {path.name: path.read_bytes() for path in (folder / "https").iterdir()} == kept
        filler.unlink()
        assert ensure(folder, (*NAMES, "192.168.1.9")).fingerprint == made.fingerprint
