"""Talk with a button box over one open line: bytes and times in, bytes and news out; no port, no clock.

Presses are acknowledged and told once however often they come, and only while they are fresh: a press from minutes
ago must not end a turn now. Lamp and buzzer are sent until the box acknowledges them. A box that gives no valid line
for some seconds is lost, whatever noise the line makes.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from referee.buttonbox.protocol import MOST_SEQ, VERSION, Decoder, Message, encode

BEAT_S = 1.0
"""Between two signs of life."""
LOST_S = 3.5
"""Without a valid line for so long the box is lost."""
REPEAT_S = 0.25
"""Before a command is sent again that was not acknowledged."""
FRESH_S = 5.0
"""A press older than this ends no turn any more."""
MOST_PRESSES_A_SECOND = 5
"""More is no hand: a broken contact, or a flood."""
MOST_WAITING = 8
"""Commands that wait for their acknowledgement; the lamp's newest is always among them."""
REMEMBERED = 64
"""Presses that are known again when they are repeated."""


class Lamp(StrEnum):
    """What the lamp shows."""

    OFF = "off"
    GREEN = "green"
    AMBER = "amber"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Connected:
    """A box answers. buttons: how many it has; 1 is one for all players."""

    buttons: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed. button: from 1; age_s: how long ago."""

    button: int
    age_s: float


@dataclass(frozen=True, slots=True)
class Silent:
    """The box says nothing any more: close the line and open it again."""


@dataclass(frozen=True, slots=True)
class ForeignDevice:
    """The box speaks another version of the protocol."""

    version: int


News = Connected | Pressed | Silent | ForeignDevice


class BoxLink:
    """One open line. now_s: seconds of a clock nobody sets, growing from call to call. seq: where to count from."""

    def __init__(self, now_s: float, lamp: Lamp = Lamp.OFF, seq: int = 1) -> None:
        self._decoder = Decoder()
        self._heard_s = now_s
        self._asked_s = -1.0
        self._beat_s = now_s
        self._seq = seq % (MOST_SEQ + 1)
        self._boot: str | None = None
        self._foreign = False
        self._out = bytearray()
        self._waiting: deque[tuple[Message, float]] = deque()
        self._seen: deque[tuple[str, int]] = deque(maxlen=REMEMBERED)
        self._told_s: deque[float] = deque(maxlen=MOST_PRESSES_A_SECOND)
        self._lamp = lamp

    @property
    def connected(self) -> bool:
        """Return whether a box has said who it is."""
        return self._boot is not None

    @property
    def spoiled(self) -> int:
        """Return how many lines came garbled."""
        return self._decoder.spoiled

    def lamp(self, lamp: Lamp, now_s: float) -> None:
        """Show something on the lamp; a box that comes back is told again."""
        self._lamp = lamp
        if self.connected:
            self._waiting = deque(item for item in self._waiting if item[0].kind != "LAMP")
            self._command("LAMP", lamp.value, now_s)

    def buzz(self, duration_s: float, now_s: float) -> None:
        """Sound the buzzer; forgotten where no box is there."""
        if self.connected and len(self._waiting) < MOST_WAITING:
            self._command("BUZZ", str(round(duration_s * 1000)), now_s)

    def receive(self, data: bytes, now_s: float) -> list[News]:
        """Return what the bytes that came say."""
        news: list[News] = []
        for message in self._decoder.feed(data):
            found = self._understood(message, now_s)
            if found is not None:  # our own words coming back from the line are no box
                self._heard_s = now_s
                news += found
        return news

    def due(self, now_s: float) -> tuple[bytes, list[News]]:
        """Return the bytes to send now, and whether the box has fallen silent. Call it a few times a second."""
        if now_s - self._heard_s > LOST_S:
            return b"", [Silent()]
        if not self.connected and not self._foreign and now_s - self._asked_s >= BEAT_S:
            self._asked_s = now_s
            self._send("HELLO", str(VERSION))
        if now_s - self._beat_s >= BEAT_S:
            self._beat_s = now_s
            self._send("BEAT")
        for index, (message, sent_s) in enumerate(self._waiting):
            if now_s - sent_s >= REPEAT_S:
                self._waiting[index] = (message, now_s)
                self._out += encode(message)
        out = bytes(self._out)
        self._out.clear()
        return out, []

    def _understood(self, message: Message, now_s: float) -> list[News] | None:
        """Return what a box's message says; ``None`` for what no box sends."""
        match message.kind, message.arguments:
            case "HELLO", (version, boot, buttons) if version.isdigit() and buttons.isdigit():
                return self._hello(int(version), boot, int(buttons), now_s)
            case "BEAT", (boot,):
                if self._boot != boot:
                    self._boot = None  # it was started anew and we missed its hello
            case "PRESS", (boot, button, age_ms) if button.isdigit() and age_ms.isdigit():
                return self._press(message.seq, boot, int(button), int(age_ms) / 1000, now_s)
            case "ACK", (seq,) if seq.isdigit():
                self._waiting = deque(item for item in self._waiting if item[0].seq != int(seq))
            case _:
                return None
        return []

    def _hello(self, version: int, boot: str, buttons: int, now_s: float) -> list[News]:
        if version != VERSION:
            news: list[News] = [] if self._foreign else [ForeignDevice(version)]
            self._foreign = True
            return news
        known = self._boot == boot
        self._boot = boot
        if known:
            return []
        self._waiting.clear()
        self.lamp(self._lamp, now_s)
        return [Connected(buttons)]

    def _press(self, seq: int, boot: str, button: int, age_s: float, now_s: float) -> list[News]:
        if self._foreign:
            return []
        self._send("ACK", str(seq))
        if (boot, seq) in self._seen:
            return []
        self._seen.append((boot, seq))
        if age_s > FRESH_S or not 1 <= button <= 99 or self._flooded(now_s):
            return []
        self._told_s.append(now_s)
        return [Pressed(button, age_s)]

    def _flooded(self, now_s: float) -> bool:
        full = len(self._told_s) == MOST_PRESSES_A_SECOND
        return full and now_s - self._told_s[0] < 1.0

    def _command(self, kind: str, argument: str, now_s: float) -> None:
        message = self._send(kind, argument)
        self._waiting.append((message, now_s))

    def _send(self, kind: str, *arguments: str) -> Message:
        message = Message(self._seq, kind, arguments)
        self._seq = (self._seq + 1) % (MOST_SEQ + 1)
        if len(self._out) < 4096:  # of a flood of presses not every one is acknowledged
            self._out += encode(message)
        return message
