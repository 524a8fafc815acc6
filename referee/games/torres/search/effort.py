"""Bound what a ruling may cost by a number of states, so that its answer is always the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class SearchEffort:
    """States that may still be looked at. complete: whether they have sufficed so far. spent: those looked at."""

    left: int
    complete: bool = True
    spent: int = 0

    def spend(self) -> bool:
        """Count one state; return whether it may be looked at."""
        if self.left <= 0:
            self.complete = False
            return False
        self.left -= 1
        self.spent += 1
        return True
