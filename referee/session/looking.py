"""How far a session's looks have come, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from referee.match.live import Waiting
from referee.session.capture import Capture
from referee.session.openlook import OpenLook
from referee.session.timing import LookTiming


@dataclass(frozen=True, slots=True)
class Looking:
    """How far the looks have come.

    unseen: the table has not been looked at since it was set up or put back. waiting: what a look waits for. open:
    the look by a camera in a hand that is under way. newest: the number of the newest look, and its pictures.
    agreed: the turn and the board from which hands are followed, ``None`` before one was agreed on.
    """

    times: LookTiming
    unseen: bool
    waiting: Waiting | None = None
    open: OpenLook | None = None
    newest: tuple[int, Capture] | None = None
    agreed: tuple[int, str] | None = None
