from __future__ import annotations

import socket

import pytest
from flask import Flask

from referee.service.server import PageServer, ServerError, address, bind, own_hosts


def test_a_taken_port_gives_way_to_the_next_free_one() -> None:
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with bind("127.0.0.1", port) as second:
            assert port < second.getsockname()[1] <= port + 20


def test_addresses_are_for_people() -> None:
    with bind("127.0.0.1", 0) as sock:
        assert address(sock) == f"http://127.0.0.1:{sock.getsockname()[1]}/"
    with bind("0.0.0.0", 0) as sock:
        assert "0.0.0.0" not in address(sock)


def test_what_is_no_address_of_ours_is_said() -> None:
    with pytest.raises(ServerError, match="no IPv4 address of this machine"):
        bind("no such host", 8080)
    with pytest.raises(ServerError, match="no IPv4 address of this machine"):
        bind("::1", 8080)
    with pytest.raises(ServerError, match="can't listen at"):
        bind("192.0.2.1", 8080)


def test_a_mistyped_address_is_asked_of_no_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *parts: asked.append(parts) or [])
    with pytest.raises(ServerError, match="no IPv4 address of this machine"):
        bind("256.1.1.1", 8080)
    assert not asked


def test_own_hosts() -> None:
    assert {"localhost", "127.0.0.1", socket.gethostname().lower()} <= set(own_hosts())
    assert "127.0.0.2" in own_hosts("127.0.0.2")
    assert "0.0.0.0" not in own_hosts("0.0.0.0")


def test_a_large_body_is_refused_unread() -> None:
    app = Flask(__name__)
    sock = bind("127.0.0.1", 0)
    with PageServer(app, sock), socket.create_connection(sock.getsockname()) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 413 ")
