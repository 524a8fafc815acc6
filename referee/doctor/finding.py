"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How it stands with one thing."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """what: the thing. found: what was seen. advice: what to do, empty where nothing is to be done."""

    what: str
    health: Health
    found: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        """As JSON-able values."""
        return {"what": self.what, "health": self.health.value, "found": self.found, "advice": self.advice}


def good(what: str, found: str, advice: str = "") -> Finding:
    """All right."""
    return Finding(what, Health.GOOD, found, advice)


def warning(what: str, found: str, advice: str) -> Finding:
    """It works, but something is to be done."""
    return Finding(what, Health.WARNING, found, advice)


def bad(what: str, found: str, advice: str) -> Finding:
    """It does not work like this."""
    return Finding(what, Health.BAD, found, advice)
