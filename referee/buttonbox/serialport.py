"""Keep the button box on a serial port: open it, and find it again when it is lost, for as long as the referee runs.

A port that is not there, is unplugged, is opened by somebody else or takes no more bytes means the same: the
box is lost, and is tried again every second. Any URL pyserial knows will do: ``/dev/serial/by-id/...``,
``socket://host:port``, ``loop://``.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

import serial

from referee.buttonbox.link import BoxLink, Connected, ForeignDevice, Lamp, News, Pressed, Silent
from referee.values.systemmodules import system_module
from referee.values.words import Words, say

BAUD = 115_200
AGAIN_S = 1.0
"""Before a lost box is tried again."""
WAIT_S = 0.05
"""Time that a read waits for the first byte."""
MOST_BYTES = 4096
"""Read at a time: a flood must not keep the lamp waiting."""

_LOST = (OSError, TypeError, ValueError, *([termios.error] if (termios := system_module("termios")) else []))
"""Errors that pyserial raises for a port that is gone: SerialException is an OSError; it misses the others."""

_WHY = {
    errno.ENOENT: "there is no such port",
    errno.EACCES: "it may not be opened: on Linux the user must be in the group dialout",
    errno.EAGAIN: "another program has locked it",
}
"""What the errors of a port mean that people can do something about."""

log = logging.getLogger(__name__)


class Port(Protocol):
    """What is used of a serial port."""

    @property
    def in_waiting(self) -> int:
        """Return how many bytes can be read at once."""

    def read(self, size: int = 1, /) -> bytes:
        """Read up to so many bytes, fewer at the timeout."""

    def write(self, data: bytes, /) -> int | None:
        """Write all bytes."""

    def close(self) -> None:
        """Close the port."""


@dataclass(frozen=True, slots=True)
class BoxState:
    """connected: whether a box answers. buttons: how many it has. detail: why it does not, for the log and doctor."""

    connected: bool = False
    buttons: int = 0
    detail: str = ""

    @property
    def words(self) -> Words | None:
        """Return what the players are told; ``None`` while a box answers."""
        if self.connected:
            return None
        return say("The button box is not connected. End the turn on the tablet or with the space bar.")


class SerialBox:
    """A button box in a thread of its own. ``pressed`` and ``changed`` are called from it and must not wait.

    pressed: told the number of the button, from 1. changed: told the state, only when it is another one.
    """

    def __init__(
        self,
        url: str,
        pressed: Callable[[Pressed], None],
        changed: Callable[[BoxState], None] = lambda state: None,
        open_port: Callable[[str], Port] | None = None,
    ) -> None:
        self.url = url
        self._pressed = pressed
        self._changed = changed
        self._open = open_port or open_serial
        self._mutex = threading.Lock()
        self._stop = threading.Event()
        self._link: BoxLink | None = None
        self._lamp = Lamp.OFF
        self._state = BoxState()
        self._seq = time.time_ns() // 1_000_000  # so that a box kept alive takes no command of ours for an old one
        self._thread = threading.Thread(target=self._run, name="button box", daemon=True)

    @property
    def state(self) -> BoxState:
        """Return whether a box is there."""
        return self._state

    def lamp(self, lamp: Lamp) -> None:
        """Show something on the lamp, now or as soon as a box is there."""
        with self._mutex:
            if lamp is not self._lamp:
                self._lamp = lamp
                if self._link is not None:
                    self._link.lamp(lamp, time.monotonic())

    def buzz(self, duration_s: float) -> None:
        """Sound the buzzer, at most 5 s; nothing where no box is there."""
        with self._mutex:
            if self._link is not None:
                self._link.buzz(min(duration_s, 5.0), time.monotonic())

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                detail = self._converse(self._open(self.url))
            except _LOST as error:
                detail = _WHY.get(getattr(error, "errno", None) or 0) or str(error) or type(error).__name__
            self._tell(BoxState(detail=detail))
            self._stop.wait(AGAIN_S)

    def _converse(self, port: Port) -> str:
        """Talk over an open port until the box falls silent or we stop; return why. Raises what ``_LOST`` names."""
        with self._mutex:
            self._seq += 1
            link = self._link = BoxLink(time.monotonic(), self._lamp, self._seq)
        try:
            while not self._stop.is_set():
                first = port.read(1)
                data = first + (port.read(min(port.in_waiting, MOST_BYTES)) if first else b"")
                with self._mutex:
                    news = link.receive(data, time.monotonic())
                    out, more = link.due(time.monotonic())
                if out:
                    port.write(out)
                for item in (*news, *more):
                    if isinstance(item, Silent):
                        return "it says nothing"
                    self._hear(item)
            with self._mutex:
                out, _ = link.due(time.monotonic())
            port.write(out)  # what the lamp shows last is still told
            return "stopped"
        finally:
            with self._mutex:
                self._link = None
                self._seq += 1000
            with contextlib.suppress(*_LOST):
                port.close()

    def _hear(self, item: News) -> None:
        match item:
            case Pressed():
                log.info("button pressed", extra={"button": item.button, "age_s": item.age_s})
                self._call(lambda: self._pressed(item))
            case Connected(buttons):
                self._tell(BoxState(True, buttons))
            case ForeignDevice(version):
                self._tell(
                    BoxState(detail=f"it speaks version {version}: load the sketch that came with the referee")
                )

    def _tell(self, state: BoxState) -> None:
        if state != self._state:
            lost = self._state.connected and not state.connected
            self._state = state
            level = logging.WARNING if lost else logging.INFO
            said = "button box connected" if state.connected else "no button box"
            log.log(level, said, extra={"port": self.url, "buttons": state.buttons, "detail": state.detail})
            self._call(lambda: self._changed(state))

    def _call(self, listener: Callable[[], None]) -> None:
        """Tell somebody; what goes wrong there is no fault of the line's."""
        try:
            listener()
        except Exception:
            log.exception("a listener to the button box failed")


def open_serial(url: str) -> Port:
    """Open the port for us alone. Raises what pyserial raises, for it to be tried again."""
    port: Any = serial.serial_for_url(
        url, baudrate=BAUD, timeout=WAIT_S, write_timeout=1.0, exclusive=True, do_not_open=True
    )
    port.open()
    found: Port = port
    return found
