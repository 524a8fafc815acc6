"""Carries out a session's work: the one loop that every driver shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.match.events import Event
from referee.session.capture import Capture
from referee.session.said import KeepPictures, Report, Work


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
