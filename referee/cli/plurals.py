"""Count what commands print in English only."""

from __future__ import annotations


def counted(count: int, what: str) -> str:
    """Return how many there are of something, named in the singular."""
    return f"{count} {what}{'s' * (count != 1)}"
