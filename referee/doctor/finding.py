"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How good or bad one thing is."""

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
        """Return JSON-able values."""
        return {"what": self.what, "health": self.health.value, "found": self.found, "advice": self.advice}


def good(what: str, found: str, advice: str = "") -> Finding:
    """Report something that is all right."""
    return Finding(what, Health.GOOD, found, advice)


def warning(what: str, found: str, advice: str) -> Finding:
    """Report something that works, with what is to be done about it."""
    return Finding(what, Health.WARNING, found, advice)


def bad(what: str, found: str, advice: str) -> Finding:
    """Report something that does not work like this, with what is to be done about it."""
    return Finding(what, Health.BAD, found, advice)
