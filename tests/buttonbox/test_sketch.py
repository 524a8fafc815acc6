"""The sketch itself: it compiles for the board, and what it does with its pins and its line."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.buttonbox.link import Lamp
from referee.buttonbox.protocol import Message, encode
from referee.buttonbox.serialport import BoxState, SerialBox
from tests.buttonbox.box import SKETCH, Box, becomes, box_in, needs_compiler, program, until

AVR = Path("/usr/share/arduino/hardware/arduino/avr")

pytestmark = needs_compiler


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with box_in(tmp_path) as found:
        yield found


@pytest.mark.skipif(not (shutil.which("avr-g++") and AVR.is_dir()), reason="the Arduino's compiler is not here")
def test_it_compiles_for_the_board(tmp_path: Path) -> None:
    where = [f"-I{AVR}/{part}" for part in ("cores/arduino", "variants/standard", "libraries/EEPROM/src")]
    board = ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10807", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR"]
    done = subprocess.run(
        [
            "avr-g++",
            *board,
            *where,
            *["-std=gnu++11", "-Os", "-Wall", "-Wextra", "-x", "c++", "-c"],
            SKETCH,
            "-o",
            tmp_path / "o",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "button-box.ino" not in done.stderr, done.stderr


class Heard:
    """A referee's end of the line, and what it was told."""

    def __init__(self, box: Box) -> None:
        self.presses: list[int] = []
        self.states: list[BoxState] = []
        self.box = SerialBox(box.url, lambda press: self.presses.append(press.button), self.states.append)

    def __enter__(self) -> Heard:
        self.box.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.box.__exit__(None, None, None)

    @property
    def connected(self) -> bool:
        return self.box.state.connected


def test_presses_lamp_and_buzzer(box: Box) -> None:
    box.plug()
    with Heard(box) as heard:
        until(lambda: heard.connected)
        assert heard.box.state == BoxState(True, 4)
        for button in (1, 3, 4, 2):
            box.press(button)
            becomes(lambda: heard.presses[-1:], [button])
            time.sleep(0.25)  # nobody is that quick; more than five a second are held back
        assert heard.presses == [1, 3, 4, 2]
        for lamp, shown in ((Lamp.GREEN, (True, False, False)), (Lamp.AMBER, (False, True, False))):
            heard.box.lamp(lamp)
            becomes(lambda: box.lamps, shown)
        heard.box.lamp(Lamp.RED)
        until(lambda: box.lamps == (False, False, True))
        until(lambda: box.lamps == (False, False, False))  # it blinks
        heard.box.buzz(0.3)
        until(lambda: box.buzzed == (1, 300))
        time.sleep(0.6)
        assert box.buzzed == (1, 300)  # once, though commands are repeated until they are acknowledged
        assert heard.presses == [1, 3, 4, 2]


def test_a_held_button_is_one_press_and_chatter_is_none(box: Box) -> None:
    box.plug()
    with Heard(box) as heard:
        until(lambda: heard.connected)
        box.bounce(1)
        time.sleep(0.5)
        box.hold(1, False)
        box.hold(2, True)
        until(lambda: heard.presses)
        time.sleep(0.5)
        box.hold(2, False)
        time.sleep(0.3)
        assert heard.presses == [2]


def test_unplugged_and_back_at_any_moment(box: Box) -> None:
    with Heard(box) as heard:
        until(lambda: heard.states)
        assert not heard.connected  # no box yet: it is tried again
        heard.box.lamp(Lamp.GREEN)
        for count in range(1, 4):
            box.plug()
            until(lambda: heard.connected)
            until(lambda: box.lamps == (True, False, False))  # a box that comes back is told the lamp
            box.press(1)
            becomes(lambda: len(heard.presses), count)
            box.hold(3, True)  # pressed as the cable goes: that press is lost, and only that one
            box.unplug()
            until(lambda: not heard.connected)
            box.hold(3, False)
        assert [state.connected for state in heard.states] == [False, True, False, True, False, True, False]
        assert heard.presses.count(1) == 3
        assert set(heard.presses) <= {1, 3}


def test_a_box_that_hangs_is_lost_and_comes_back(box: Box) -> None:
    box.plug()
    with Heard(box) as heard:
        until(lambda: heard.connected)
        box.freeze(signal.SIGSTOP)
        until(lambda: not heard.connected)
        assert heard.states[-1].detail == "it says nothing"
        box.freeze(signal.SIGCONT)
        until(lambda: heard.connected)
        box.press(2)
        until(lambda: heard.presses == [2])


def test_a_press_waits_for_the_referee_while_it_is_fresh(box: Box) -> None:
    box.plug()
    with Heard(box) as heard:
        until(lambda: heard.connected)
    box.press(4)  # nobody listens
    with Heard(box) as heard:
        until(lambda: heard.presses == [4])
    box.press(3)
    time.sleep(5.5)
    with Heard(box) as heard:
        until(lambda: heard.connected)
        box.press(1)
        until(lambda: heard.presses)
        assert heard.presses == [1]


def test_without_a_referee_it_shows_that_it_is_alone(box: Box) -> None:
    box.plug()
    until(lambda: box.lamps == (False, True, False))
    until(lambda: box.lamps == (False, False, False))


def test_garbage_on_the_line_does_not_disturb_the_box(box: Box) -> None:
    """The sketch alone, spoken to by hand."""
    master = box.line()
    line = os.open(box.url, os.O_RDWR | os.O_NOCTTY)
    process = subprocess.Popen([program(), box.pins], stdin=master, stdout=master)
    try:
        good = encode(Message(7, "LAMP", ("green",)))
        spoiled = good.replace(b"green", b"grean")
        os.write(
            line, os.urandom(3000).replace(b"\x04", b"") + b"@" * 70 + good[:9] + spoiled + b"@1 LAMP red*\n\n@*\n"
        )
        time.sleep(0.5)
        assert box.lamps != (True, False, False)
        os.write(line, good)
        until(lambda: box.lamps == (True, False, False))
        for _ in range(3):
            os.write(line, encode(Message(8, "BUZZ", ("9999999",))))
        until(lambda: box.buzzed == (1, 5000))
    finally:
        process.kill()
        process.wait(10)
        os.close(line)
