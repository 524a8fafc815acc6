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

_TOPIC = re.compile(rf"{ROOT}/(?P<table>{ID})/(?P<leaf>[a-z]+)")


class Leaf(StrEnum):
    """The last level of a topic."""

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
    """A topic of one table. Raises ValueError.

    There are as many as there are leaves: a table's password opens no more, so nobody can fill a broker with topics.
    """

    table: str
    leaf: Leaf

    def __post_init__(self) -> None:
        if not re.fullmatch(ID, self.table):
            raise ValueError(f"{self.table[:40]!r} is no table's id: 16 hexadecimal digits")

    def __str__(self) -> str:
        return f"{ROOT}/{self.table}/{self.leaf.value}"

    @property
    def retained(self) -> bool:
        """Return whether the broker keeps the newest message."""
        return self.leaf in RETAINED


def parse_topic(text: str) -> HallTopic | None:
    """Return the topic that a text names, ``None`` for a text that is none of a hall's."""
    found = _TOPIC.fullmatch(text)
    if found is None or found["leaf"] not in list(Leaf):
        return None
    return HallTopic(found["table"], Leaf(found["leaf"]))
