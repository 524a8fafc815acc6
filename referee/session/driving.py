"""Carries out a session's work: the loop that all drivers share, and the driver for pictures that are at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.match.events import Event, TurnRuled
from referee.session.capture import Capture
from referee.session.engine import Session
from referee.session.said import KeepPictures, LookRead, NothingCaptured, Report, Said, WantsToRule, Work


class Driver(Protocol):
    """The driver's part: it writes events and keeps pictures."""

    def write(self, events: tuple[Event, ...]) -> None:
        """Write events down, all or none. Raises an error of its own where that fails: none has then happened."""

    def keep(self, capture: Capture) -> Mapping[str, str]:
        """Bring a look's pictures to the disk; return camera to name, without those that could not be kept."""

    def attend(self, report: Report) -> None:
        """Take note of what is neither written nor kept."""


def carry_out(work: Work, driver: Driver) -> None:
    """Carry out all dues of some work in their order. Raises what ``receive`` and the driver raise."""
    answer: Mapping[str, str] | None = None
    try:
        while True:
            due = work.send(answer)
            answer = None
            if isinstance(due, KeepPictures):
                answer = driver.keep(due.capture)
            elif isinstance(due, tuple):
                driver.write(due)
            else:
                driver.attend(due)
    except StopIteration:
        pass
    finally:
        work.close()


class FileDriver:
    """Drive a session with pictures that are at hand: whatever can be ruled on is ruled on at once.

    session: may be put in another's place. journal: writes events and keeps pictures; nothing is kept without one.
    ruled: the newest ruling, ``None`` before one. read: the look that the newest message led to, if any.
    """

    def __init__(self, session: Session, journal: Driver | None = None) -> None:
        self.session, self._journal = session, journal
        self.ruled: TurnRuled | None = None
        self.read: LookRead | None = None

    def receive(self, said: Said) -> None:
        """Take in a message, and rule where a ruling is due then. Raises what ``receive`` and the journal raise."""
        self.read = None
        carry_out(self.session.receive(said), self)
        while isinstance(self.session.wish(0.0).cameras, WantsToRule):
            carry_out(self.session.receive(NothingCaptured(0.0)), self)

    def write(self, events: tuple[Event, ...]) -> None:
        """Write events down, and remember a ruling."""
        if self._journal is not None:
            self._journal.write(events)
        self.ruled = next((event for event in events if isinstance(event, TurnRuled)), self.ruled)

    def keep(self, capture: Capture) -> Mapping[str, str]:
        """Keep a look's pictures where there is a journal."""
        return {} if self._journal is None else self._journal.keep(capture)

    def attend(self, report: Report) -> None:
        """Remember the look that was read."""
        if isinstance(report, LookRead):
            self.read = report
