"""The topics of a hall: ``referee/v1/TABLE/LEAF``, and what each is for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

ROOT = "referee/v1"
"""The first levels of every topic. A change that readers can't ignore gets a new number."""
QOS = 1
"""Every message is delivered at least once; whoever receives one twice can tell."""
ID = r"[0-9a-f]{16}"
"""The id of a table or a desk: the first 16 hexadecimal digits of its public key's SHA-256."""

_TOPIC = re.compile(rf"{ROOT}/(?P<table>{ID})/(?P<leaf>[a-z]+)(?:/(?P<desk>{ID}))?")


class Leaf(StrEnum):
    """The last level of a topic. ``ANSWER`` has one more: the id of the desk that is answered."""

    AVAILABILITY = "availability"
    ABOUT = "about"
    STATE = "state"
    RULING = "ruling"
    CLOCK = "clock"
    HEALTH = "health"
    EVENT = "event"
    COMMAND = "command"
    ANSWER = "answer"


RETAINED = frozenset({Leaf.AVAILABILITY, Leaf.ABOUT, Leaf.STATE, Leaf.RULING, Leaf.CLOCK, Leaf.HEALTH})
"""The leaves whose newest message the broker keeps: states. Events, commands and answers are never kept."""


@dataclass(frozen=True, slots=True)
class HallTopic:
    """A topic of one table. desk: who is answered; empty for every leaf but ``ANSWER``. Raises ValueError."""

    table: str
    leaf: Leaf
    desk: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(ID, self.table):
            raise ValueError(f"{self.table[:40]!r} is no table's id: 16 hexadecimal digits")
        if (self.leaf is Leaf.ANSWER) != bool(self.desk) or not re.fullmatch(f"(?:{ID})?", self.desk):
            raise ValueError(f"an answer, and nothing else, names a desk by its id, not {self.desk[:40]!r}")

    def __str__(self) -> str:
        return "/".join((ROOT, self.table, self.leaf.value, *([self.desk] if self.desk else [])))

    @property
    def retained(self) -> bool:
        """Return whether the broker keeps the newest message."""
        return self.leaf in RETAINED


def parse_topic(text: str) -> HallTopic | None:
    """Return the topic that a text names, ``None`` for a text that is none of a hall's."""
    found = _TOPIC.fullmatch(text)
    if found is None or found["leaf"] not in list(Leaf):
        return None
    try:
        return HallTopic(found["table"], Leaf(found["leaf"]), found["desk"] or "")
    except ValueError:
        return None
