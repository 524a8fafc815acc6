"""Take photographs in as they arrive, and say of each what became of it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.decoding import Decoded, Spoilt
from referee.daemon.photographdecoder import PhotographDecoder
from referee.values.closing import Closing
from referee.values.words import Words, say
from web.tableview import PhotographState, PhotographTold, TakenNote

MOST_WAITING = 6
"""Photographs that wait to be decoded: more than one turn's are sent again later."""
MOST_TOLD = 30
"""Newest photographs of which is told what became of them."""
FILES_SECOND_S = 2.0
"""A file tells its time in whole seconds, and a phone's clock need not be the page's."""
_LOG = logging.getLogger(__name__)
_SPOILT: Mapping[Spoilt, Words] = MappingProxyType(
    {
        Spoilt.UNREADABLE: say("This file can’t be read as a picture: take it anew with the phone’s own camera."),
        Spoilt.LARGE: say(
            "This picture is larger than 70 megapixels: choose a smaller size in the camera’s settings."
        ),
        Spoilt.SMALL: say(
            "This picture is too small to show the fields: send the picture itself, not a preview of it."
        ),
    }
)
_PLACING = say("Step 1 of 2: the table is looked for …")
_READING = say("Step 2 of 2: what lies on it is read …")
_LOOKED = PhotographTold(0, PhotographState.LOOKED_AT, None)


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A photograph that can be looked at.

    at_s: when it was taken at the latest, ready_s: when it became so, monotonic seconds.
    """

    number: int
    picture: NDArray[np.uint8]
    at_s: float
    ready_s: float


@dataclass(frozen=True, slots=True)
class _Arrived:
    number: int
    content: bytes
    taken: TakenNote
    began_s: float


@dataclass(frozen=True, slots=True)
class Waits:
    """Somebody must do something before a photograph can be looked at. words: what."""

    words: Words


class Lenses(Protocol):
    """Brings photographs to one lens. One thread asks."""

    def brought(self, photograph: Decoded) -> NDArray[np.uint8] | Words | Waits:
        """Return a photograph as the common lens would have taken it, or say why there is none, or none yet."""


class PhotographInbox(Closing):
    """Photographs on their way to the referee. Use as a context manager; any thread may call."""

    def __init__(self, lenses: Lenses, wake: Callable[[], None]) -> None:
        """wake: called when a photograph can be looked at."""
        self._lenses, self._wake = lenses, wake
        self._changed = threading.Condition()
        self._arrived: deque[_Arrived] = deque()
        self._ready: deque[Ready] = deque()
        self._waiting: list[_Arrived] = []
        self._told: dict[int, PhotographTold] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="photographs", daemon=True)
        self._thread.start()

    def offer(self, content: bytes, taken: TakenNote, began_s: float) -> int | None:
        """Take a file in. Return its number, ``None`` where so many wait that it is to be sent later.

        began_s: when it began to be sent, monotonic seconds: by then it was taken, however long it was on its way.
        """
        with self._changed:
            if len(self._arrived) + len(self._ready) + len(self._waiting) >= MOST_WAITING:
                return None
            number = 1 + max(self._told, default=0)
            self._told[number] = replace(_LOOKED, number=number)
            for old in sorted(self._told)[:-MOST_TOLD]:
                del self._told[old]
            self._arrived.append(_Arrived(number, content, taken, began_s))
            self._changed.notify()
        return number

    def again(self) -> None:
        """Look anew at the photographs that wait for somebody."""
        with self._changed:
            self._arrived.extend(self._waiting)
            self._told |= {one.number: replace(_LOOKED, number=one.number) for one in self._waiting}
            self._waiting.clear()
            self._changed.notify()

    def told(self) -> tuple[PhotographTold, ...]:
        """Say what became of the newest photographs, the oldest first."""
        with self._changed:
            return tuple(self._told[number] for number in sorted(self._told))

    def coming(self) -> bool:
        """Return whether it is not yet known what became of some photograph."""
        with self._changed:
            return any(one.state is PhotographState.LOOKED_AT for one in self._told.values())

    def first(self) -> Ready | None:
        """Return the photograph that waits for longest to be looked at; ``settle`` takes it away."""
        with self._changed:
            return self._ready[0] if self._ready else None

    def settle(self, number: int, state: PhotographState, words: Words | None = None) -> None:
        """Say what became of a photograph."""
        with self._changed:
            self._ready = deque(one for one in self._ready if one.number != number)
            if number in self._told:
                self._told[number] = PhotographTold(number, state, words)

    def close(self) -> None:
        """Take nothing in any more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        with PhotographDecoder() as decoder:
            while (arrived := self._next()) is not None:
                try:
                    self._decode(decoder, arrived)
                except Exception:  # whatever a picture holds, the next is looked at
                    _LOG.exception("a photograph could not be looked at")
                    self.settle(arrived.number, PhotographState.WRONG, _SPOILT[Spoilt.UNREADABLE])

    def _next(self) -> _Arrived | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closing or bool(self._arrived))
            return None if self._closing else self._arrived.popleft()

    def _decode(self, decoder: PhotographDecoder, arrived: _Arrived) -> None:
        self.settle(arrived.number, PhotographState.LOOKED_AT, _PLACING)
        found = decoder.decode(arrived.content)
        if isinstance(found, Spoilt):
            self.settle(arrived.number, PhotographState.WRONG, _SPOILT[found])
            return
        picture = self._lenses.brought(found)
        if isinstance(picture, Waits):
            with self._changed:
                self._waiting.append(arrived)
            self.settle(arrived.number, PhotographState.LOOKED_AT, picture.words)
        elif isinstance(picture, Words):
            self.settle(arrived.number, PhotographState.WRONG, picture)
        else:
            at_s = arrived.began_s - _age_s(arrived.taken, found)
            self.settle(arrived.number, PhotographState.LOOKED_AT, _READING)
            with self._changed:
                self._ready.append(Ready(arrived.number, picture, at_s, time.monotonic()))
            self._wake()


def _age_s(taken: TakenNote, found: Decoded) -> float:
    """Return how long before it was sent a photograph was taken at least, by itself, or else by its file."""
    if found.taken_s is None:
        return max(0.0, taken.age_s)
    return max(0.0, taken.clock_s - found.taken_s + (taken.ahead_s if found.local else 0.0) - FILES_SECOND_S)
