"""Messages that go into a session and come out of it.

In: commands, captures, notes and the time. Out: dues, which the driver carries out one by one before it asks for the
next (an event to write, pictures to keep), and one wish: what the session would like to see next.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.match.arguments import Command
from referee.match.events import Event
from referee.match.live import Waiting
from referee.session.adapter import LookSeen
from referee.session.capture import Capture


@dataclass(frozen=True, slots=True)
class CommandGiven:
    """A command from somebody. at_s: when, on the session's clock."""

    command: Command
    at_s: float


@dataclass(frozen=True, slots=True)
class EventNoted:
    """A part of the referee reports events of its own, such as a check of the table; all happen, or none."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Captured:
    """The table stood still, as the wish asked."""

    capture: Capture
    at_s: float


@dataclass(frozen=True, slots=True)
class ViewShown:
    """One more view of the table by a camera in a hand."""

    capture: Capture
    at_s: float


@dataclass(frozen=True, slots=True)
class LookGiven:
    """Pictures of the end of a turn are at hand, as when a game is read from files. setup: of the set-up instead.

    by: who gives them. A camera that does not fit its lens raises CalibrationError.
    """

    capture: Capture
    by: str = ""
    setup: bool = False


@dataclass(frozen=True, slots=True)
class NothingCaptured:
    """No capture came. waiting: what keeps the table from standing still. blind_for_s: since when no camera sends.

    cameras: the names of all cameras.
    """

    at_s: float
    waiting: Waiting | None = None
    blind_for_s: float = 0.0
    cameras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time has passed. clock_held: a fault stops the game clock. ended: why no more pictures come, empty before.

    coming: a picture from a hand is on its way.
    """

    at_s: float
    clock_held: bool = False
    ended: str = ""
    coming: bool = False


Said: TypeAlias = CommandGiven | EventNoted | Captured | ViewShown | LookGiven | NothingCaptured | TimePassed
"""Messages that a session takes in."""


@dataclass(frozen=True, slots=True, eq=False)
class KeepPictures:
    """Bring a look's pictures to the disk; the driver sends back camera to name of what could be kept."""

    capture: Capture


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The event before was written, and the session stands as it says: show it."""


@dataclass(frozen=True, slots=True, eq=False)
class LookRead:
    """A look was read, whether somebody asked for it or not."""

    capture: Capture
    seen: LookSeen


@dataclass(frozen=True, slots=True, eq=False)
class FollowHands:
    """A look was taken at a board: follow hands from here on.

    levels: how many stand in each place (rows, columns); ``None``: stop following.
    """

    levels: NDArray[np.int8] | None


@dataclass(frozen=True, slots=True)
class BoardAgreed:
    """The game goes on from the board of the last look: forget where hands have been."""


Report: TypeAlias = StateChanged | LookRead | FollowHands | BoardAgreed
"""Reports that a driver receives and need not answer."""
Due: TypeAlias = tuple[Event, ...] | KeepPictures | Report
"""Work that a driver carries out before it asks for the next."""
Work: TypeAlias = Generator[Due, Mapping[str, str] | None, None]
"""Dues, one after the other. A driver that can't write events closes the work: none of them has happened."""


@dataclass(frozen=True, slots=True)
class WantsNothing:
    """Nothing needs to be seen now."""


@dataclass(frozen=True, slots=True)
class WantsToRule:
    """Nothing needs to be seen, since all that a ruling rests on is known: say that nothing was captured."""


@dataclass(frozen=True, slots=True)
class WantsLook:
    """A wish for pictures of the still table that came after ``after_s``. look: its number."""

    after_s: float
    look: int


@dataclass(frozen=True, slots=True)
class WantsChange:
    """The table is watched: pictures of every still table that differs from the one before.

    also: without a change, pictures as for a look are welcome, too.
    """

    also: WantsLook | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What a session would like to see.

    cameras: by fixed cameras. view_after_s: a view by a camera in a hand is welcome, of a picture that came after
    this; ``None`` while none is.
    """

    cameras: WantsNothing | WantsToRule | WantsLook | WantsChange
    view_after_s: float | None = None
