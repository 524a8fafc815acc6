"""The referee's end of the line on real pseudo-terminals and sockets, with everything that can go wrong with them."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner

from referee.buttonbox.link import Lamp, Pressed
from referee.buttonbox.protocol import Message, encode
from referee.buttonbox.serialport import BoxState, SerialBox, open_serial
from referee.cli import main
from tests.buttonbox.box import becomes, until
from tests.buttonbox.line import HELLO, Line


class Told:
    """A box on a line and what it told."""

    def __init__(self, url: str) -> None:
        self.presses: list[int] = []
        self.states: list[BoxState] = []
        self.box = SerialBox(url, lambda press: self.presses.append(press.button), self.states.append)

    @property
    def connected(self) -> bool:
        return self.box.state.connected


@contextlib.contextmanager
def listening(url: str) -> Iterator[Told]:
    told = Told(url)
    with told.box:
        yield told


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    found = Line(tmp_path)
    found.plug()
    yield found
    found.unplug()


def test_a_message_cut_in_the_middle(line: Line) -> None:
    with listening(line.url) as told:
        until(lambda: told.connected)
        line.hush()
        cut = encode(line.press(9))
        line.write(cut[:8])
        time.sleep(0.3)
        line.write(cut[8:])
        until(lambda: told.presses == [1])
        line.write(encode(line.press(10, 2))[:8])  # the rest never comes
        line.say(line.press(11))
        until(lambda: told.presses == [1, 1])
        line.write(encode(line.press(12, 2))[:8])
        line.unplug()
        until(lambda: not told.connected)
        line.quiet.clear()
        line.plug()
        until(lambda: told.connected)
        line.say(line.press(13, 2))
        until(lambda: told.presses == [1, 1, 2])


def test_flooded_with_garbage_it_still_hears_and_is_heard(line: Line) -> None:
    with listening(line.url) as told:
        until(lambda: told.connected)
        noise = os.urandom(50_000).replace(b"\x11", b"").replace(b"\x13", b"")
        for seq in range(3):
            line.write(b"\n" + noise)
            line.say(line.press(20 + seq, 2))
            becomes(lambda: len(told.presses), seq + 1)
        told.box.lamp(Lamp.RED)
        until(lambda: any(message.arguments == ("red",) for message in line.got))
        assert told.connected
        assert told.presses == [2, 2, 2]


def test_flooded_with_presses_it_tells_a_few(line: Line) -> None:
    with listening(line.url) as told:
        until(lambda: told.connected)
        began_s = time.monotonic()
        for seq in range(3000):
            line.say(line.press(1000 + seq))
        until(lambda: told.presses)
        time.sleep(0.3)
        assert len(told.presses) <= 5 * (time.monotonic() - began_s + 1)
        time.sleep(1.0)
        told.presses.clear()
        line.say(line.press(60_000, 2))
        until(lambda: told.presses == [2])


@pytest.mark.long
def test_garbage_alone_is_no_box(line: Line) -> None:
    line.hush()
    with listening(line.url) as told:
        end = time.monotonic() + 4.2
        while time.monotonic() < end:
            line.write(b"@1 HELLO 1 17 2*0000\n\xff\xfe@@@")
            time.sleep(0.05)
        until(lambda: told.states == [BoxState(detail="it says nothing")])
        line.quiet.clear()
        until(lambda: told.connected)


@pytest.mark.long
def test_a_heartbeat_that_stops(line: Line) -> None:
    with listening(line.url) as told:
        until(lambda: told.connected)
        line.hush()
        until(lambda: not told.connected)
        line.quiet.clear()
        until(lambda: told.connected)
        assert [state.connected for state in told.states] == [True, False, True]


@pytest.mark.long
def test_a_line_that_takes_no_more_bytes_is_lost_and_tried_again(line: Line) -> None:
    with listening(line.url) as told:
        until(lambda: told.connected)
        line.hush()  # nobody reads what the referee says
        stop_s = time.monotonic() + 30
        seq = 0
        while told.connected and time.monotonic() < stop_s:
            seq += 1
            line.say(line.press(seq % 60_000, 99))  # each must be acknowledged
        assert not told.connected
        line.quiet.clear()
        until(lambda: told.connected)


def test_opened_twice_it_is_lost_and_tried_again(line: Line) -> None:
    first = open_serial(line.url)
    with listening(line.url) as told:
        until(lambda: told.states)
        assert not told.connected
        assert "lock" in told.states[0].detail
        first.close()
        until(lambda: told.connected)
        with pytest.raises(serial.SerialException):
            open_serial(line.url)
        line.say(line.press(9, 2))
        until(lambda: told.presses == [2])


def test_a_listener_that_fails_does_not_cost_the_line(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    presses: list[int] = []

    def broken(press: Pressed) -> None:
        presses.append(press.button)
        raise ValueError("no such player")

    box = SerialBox(line.url, broken)
    with box:
        until(lambda: box.state.connected)
        for seq in (1, 2):
            line.say(line.press(seq))
            becomes(lambda: len(presses), seq)
        assert box.state.connected
    assert "no such player" in caplog.text


@pytest.mark.long
def test_unplugged_again_and_again(line: Line) -> None:
    with listening(line.url) as told:
        for count in range(4):
            until(lambda: told.connected)
            line.say(line.press(count))
            becomes(lambda: len(told.presses), count + 1)
            line.unplug()
            until(lambda: not told.connected)
            line.plug()
    assert len([thread for thread in threading.enumerate() if thread.name == "button box"]) == 0


# pyserial drops a socket whose peer is gone without closing it.
@pytest.mark.filterwarnings("ignore:.*:pytest.PytestUnraisableExceptionWarning")
def test_over_a_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)
        with listening(f"socket://127.0.0.1:{server.getsockname()[1]}") as told:
            for count in (1, 2):
                peer, _ = server.accept()
                with peer:
                    assert b"HELLO" in peer.recv(100)  # what came before the line was open is thrown away
                    peer.sendall(encode(HELLO))
                    until(lambda: told.connected)
                    peer.sendall(encode(Message(count, "PRESS", ("17", "2", "0"))))
                    becomes(lambda: told.presses, [2] * count)
                until(lambda: not told.connected)


@pytest.mark.long
def test_our_own_echo_is_no_box() -> None:
    with listening("loop://") as told:
        until(lambda: told.states)
        assert told.states == [BoxState(detail="it says nothing")]


@pytest.mark.parametrize(
    "url", ["/dev/no such port", "nonsense://x", "socket://127.0.0.1:1", "/dev/null", "/etc/hostname"]
)
def test_what_is_no_port_is_tried_again(url: str) -> None:
    with listening(url) as told:
        until(lambda: told.states)
        assert told.states[0].detail
        assert not told.connected
        told.box.lamp(Lamp.RED)
        told.box.buzz(1.0)
    assert len(told.states) == 1


@pytest.mark.long
def test_the_command_tries_a_box_out(line: Line) -> None:
    press = threading.Timer(1.0, lambda: line.say(line.press(9, 2)))
    press.start()
    shown = CliRunner().invoke(main, ["buttons", "--port", line.url, "--seconds", "2"])
    press.join()
    assert shown.exit_code == 0
    assert "The box is there, with 2 buttons." in shown.output
    assert "Button 2 pressed 0 ms ago; the lamp turns amber." in shown.output

    def lamps() -> list[tuple[str, ...]]:
        return [tuple(message.arguments) for message in line.got if message.kind == "LAMP"]

    until(lambda: lamps()[-1] == ("off",))
    assert {("green",), ("amber",)} <= set(lamps())


def test_the_command_says_that_no_box_is_there() -> None:
    shown = CliRunner().invoke(main, ["buttons", "--port", "/dev/no-such-port", "--seconds", "0.3"])
    assert shown.exit_code == 2
    assert "No box at /dev/no-such-port: there is no such port. It is tried again" in shown.output
    assert CliRunner().invoke(main, ["buttons"]).exit_code == 0
