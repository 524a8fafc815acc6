"""Give the box's end of a line, in the test's hand."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from pathlib import Path

from referee.buttonbox.protocol import Decoder, Message, encode
from tests.buttonbox.box import Box

HELLO = Message(1, "HELLO", ("1", "17", "2"))


class Line:
    """The box's end, in the test's hand; a thread says hello when asked and beats, until told to be quiet."""

    def __init__(self, folder: Path) -> None:
        self.cable = Box(folder)
        self.url = self.cable.url
        self.got: list[Message] = []
        self.quiet = threading.Event()
        self._resting = threading.Event()
        self._end = -1
        self._seq = 100

    def plug(self) -> None:
        self._end = self.cable.line()
        threading.Thread(target=self._answer, args=(self._end,), daemon=True).start()

    def unplug(self) -> None:
        self._end = -1
        self.cable.unplug()

    def hush(self) -> None:
        """Say nothing from here on: an answer under way comes to its end first."""
        self._resting.clear()
        self.quiet.set()
        assert self._resting.wait(30)

    def say(self, *messages: Message) -> None:
        self.write(b"".join(map(encode, messages)))

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._end, data) :]

    def press(self, seq: int, button: int = 1) -> Message:
        return Message(seq, "PRESS", ("17", str(button), "0"))

    def _answer(self, end: int) -> None:
        decoder = Decoder()
        with contextlib.suppress(OSError, ValueError):
            while end == self._end:
                if self.quiet.is_set():
                    self._resting.set()
                    time.sleep(0.02)
                    continue
                if select.select([end], [], [], 0.2)[0]:
                    with contextlib.suppress(BlockingIOError):
                        found = decoder.feed(_read(end))
                        self.got += found
                        if any(message.kind == "HELLO" for message in found):
                            self.say(HELLO)
                        self.say(*(Message(3, "ACK", (str(m.seq),)) for m in found if m.kind in ("LAMP", "BUZZ")))
                self.say(Message(2, "BEAT", ("17",)))


def _read(end: int) -> bytes:
    try:
        return os.read(end, 4096)
    except OSError:  # nobody has the other end open
        time.sleep(0.05)
        return b""
