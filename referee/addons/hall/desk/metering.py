"""How much the desk takes of each table, so that one that sends too much costs the others nothing. Pure.

A broker keeps only so much for a desk that can't follow, and drops the rest, whoever it is from. So the desk has the
broker leave a flooding table out for a while, and then has everything that is kept of the others come once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MESSAGES_AT_ONCE, MESSAGES_A_SECOND = 3000.0, 50.0
"""Of one table. A table that catches up after an hour sends a thousand events at once."""
BYTES_AT_ONCE, BYTES_A_SECOND = 64e6, 1e6
REST_S = 30.0
"""A table that floods is left out for so long."""
GRACE_S = 2.0
"""What was under way comes within this, once the broker was told to leave a table out."""
MOST_NAMES = 800
"""Tables beyond these share one measure: names are free, and each would bring a measure of its own."""
NEWCOMERS = ""
"""Stands for the topic by which tables make themselves known, which is no single table's."""


@dataclass(slots=True)
class Meter:
    """How much may still come of one table."""

    at_s: float
    messages: float = MESSAGES_AT_ONCE
    size: float = BYTES_AT_ONCE

    def admits(self, size: int, now_s: float) -> bool:
        """Count a message of so many bytes, and return whether it may be read."""
        passed_s, self.at_s = now_s - self.at_s, now_s
        self.messages = min(MESSAGES_AT_ONCE, self.messages + passed_s * MESSAGES_A_SECOND)
        self.size = min(BYTES_AT_ONCE, self.size + passed_s * BYTES_A_SECOND)
        if self.messages < 1 or self.size < size:
            return False
        self.messages, self.size = self.messages - 1, self.size - size
        return True


@dataclass(slots=True)
class Floods:
    """Which tables send too much. resting: until when each is left out, s; ``NEWCOMERS`` for all that are new.

    again_s: when all that is kept of the others is to come once more, 0 for never.
    """

    resting: dict[str, float] = field(default_factory=dict)
    again_s: float = 0.0
    _meters: dict[str, Meter] = field(default_factory=dict)

    def admits(self, table: str, size: int, now_s: float) -> bool:
        """Count a message of a table, and return whether it may be read."""
        name = table if table in self._meters or len(self._meters) < MOST_NAMES else NEWCOMERS
        return self._meters.setdefault(name, Meter(now_s)).admits(size, now_s)

    def refused(self, table: str, introduces: bool, now_s: float) -> str | None:
        """Count a message as not admitted; return what to leave out from now on, ``None`` for nothing more.

        introduces: whether the message came on the topic by which tables make themselves known.
        """
        since_s = self.resting[table] - REST_S if table in self.resting else None
        if since_s is None:
            left_out = table
        elif introduces and NEWCOMERS not in self.resting and now_s > since_s + GRACE_S:
            left_out = NEWCOMERS
        else:
            return None
        self.resting[left_out] = now_s + REST_S
        self.again_s = now_s + GRACE_S
        return left_out

    def over(self, now_s: float) -> list[str]:
        """Return what is to come again, for it was left out for long enough."""
        found = [name for name, until_s in self.resting.items() if until_s <= now_s]
        for name in found:
            del self.resting[name]
        return found

    def all_again(self, now_s: float) -> bool:
        """Return, once, whether all that is kept of the others is to come now."""
        due = 0.0 < self.again_s <= now_s
        self.again_s = 0.0 if due else self.again_s
        return due
