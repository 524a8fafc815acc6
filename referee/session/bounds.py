"""Time limits for readings and rulings. The session only says what is limited; its driver watches the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class TookTooLongError(Exception):
    """A reading or a ruling took longer than its bound, and was given up."""

    def __init__(self, most_s: float) -> None:
        """Record the bound: ``most_s`` seconds."""
        super().__init__(f"it took longer than {most_s:.0f} s")
        self.most_s = most_s


class Bound(Protocol):
    """Does some work within a bound in time."""

    def __call__(self, work: Callable[[], T]) -> T:
        """Return what the work returns. Raises TookTooLongError, and what the work raises."""


def unbounded(work: Callable[[], T]) -> T:
    """Do some work however long it takes."""
    return work()
