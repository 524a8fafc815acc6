"""All tables of a hall as the desk knows them: who speaks is checked here, and what needs somebody is found. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.messages import MESSAGES, MOST_BYTES, MOST_RULING_BYTES, About, HallError, Said, parsed
from referee.addons.hall.signing import bytes_of, id_of, message_is_signed
from referee.addons.hall.spoken import said
from referee.addons.hall.topics import HallTopic, Leaf
from referee.values.words import Words, say

MOST_TABLES = 400
"""Tables beyond these are left out, and the desk says so: somebody fills the broker with tables."""

WORST = (
    "dispute", "breach", "flag", "torn", "stuck", "offline", "silent", "unsure", "blind", "question", "camera",
    "putting-back",
)  # fmt: skip
"""What may need somebody, the most urgent first."""
_OWN = {
    "offline": say("The table is cut off: its connection is gone. It may play on by itself."),
    "silent": say("The table is said to be connected, but says nothing any more."),
    "torn": say("The table has told of one event in two ways: its journal ought to be looked at."),
}


@dataclass(frozen=True, slots=True)
class DeskNeed:
    """Something for which a table needs somebody. what: one of ``WORST``. since: Unix ms. The rest as in ``Need``."""

    table: str
    what: str
    words: Said
    since: int
    event: int = 0
    entry: int = 0
    turn: int = 0
    dispute: int = 0

    @property
    def urgency(self) -> tuple[int, int, str, int]:
        """Return a key by which the worst and longest waiting comes first."""
        return WORST.index(self.what), self.since, self.table, self.dispute


@dataclass(frozen=True, slots=True)
class HeardHall:
    """The tables by id, as far as they were heard. full: there are more tables than the desk takes."""

    tables: Mapping[str, HeardTable] = field(default_factory=dict)
    full: bool = False

    def heard(self, topic: HallTopic, payload: bytes, signature: str, now_ms: int) -> HeardHall:
        """Return the hall after a message. Raises HallError for one that is none, or is not of the topic's table.

        A table is known from its first message on ``about`` on; what it said before is no loss, for the broker gives
        what it keeps to whoever subscribes.
        """
        model = MESSAGES.get(topic.leaf)
        if model is None or len(payload) > (MOST_RULING_BYTES if topic.leaf is Leaf.RULING else MOST_BYTES):
            raise HallError(f"{topic}: nobody publishes such a message")
        known = self.tables.get(topic.table)
        if known is None and topic.leaf is not Leaf.ABOUT:
            raise HallError(f"{topic}: of a table that has not said who it is")
        key = known.key if known is not None else key_of(topic, payload)
        if not message_is_signed(key, str(topic), payload, signature):
            raise HallError(f"{topic}: not signed by this table")
        if known is None and len(self.tables) >= MOST_TABLES:
            return replace(self, full=True)
        message = parsed(model, payload)
        table = (known or HeardTable(topic.table, "", key)).heard(topic.leaf, message, now_ms)
        about = table.newest.get(Leaf.ABOUT)
        table = replace(table, name=about.name) if isinstance(about, About) else table
        return replace(self, tables={**self.tables, topic.table: table})

    def alike(self) -> frozenset[str]:
        """Return the ids of tables whose name another one has, too."""
        names = Counter(_folded(table.name) for table in self.tables.values())
        return frozenset(one for one, table in self.tables.items() if names[_folded(table.name)] > 1)

    def needs(self, now_ms: int) -> list[DeskNeed]:
        """Return everything that needs somebody, the worst first, and of that what has waited longest."""
        found = [need for table in self.tables.values() for need in needs_of(table, now_ms)]
        return sorted(found, key=lambda need: need.urgency)

    def order(self, needs: list[DeskNeed]) -> list[str]:
        """Return the tables' ids, first those that need somebody; then by name."""
        first = dict.fromkeys(need.table for need in needs)
        rest = sorted((_folded(table.name), one) for one, table in self.tables.items() if one not in first)
        return [*first, *(one for _, one in rest)]


def key_of(topic: HallTopic, payload: bytes) -> bytes:
    """Return the public key with which a table introduces itself. Raises HallError where its id is another's."""
    about = parsed(About, payload)
    try:
        key = bytes_of(about.key)
    except ValueError:
        raise HallError(f"{topic}: its key is none") from None
    if id_of(key) != topic.table or about.id != topic.table:
        raise HallError(f"{topic}: its key is another table's")
    return key


def needs_of(table: HeardTable, now_ms: int) -> list[DeskNeed]:
    """Return what one table needs somebody for."""
    state = table.state
    found = []
    if state is not None:
        came = table.came[Leaf.STATE]
        found = [
            DeskNeed(
                table.id, need.what, need.words, min(need.since or came, now_ms), need.event, need.entry, need.turn,
                need.dispute,
            )
            for need in state.needs
        ]  # fmt: skip
    playing = state is not None and state.result is None
    if playing and not table.online:
        found.append(_own(table, "offline", table.came.get(Leaf.AVAILABILITY, now_ms)))
    if playing and table.silent(now_ms):
        found.append(_own(table, "silent", table.came.get(Leaf.HEALTH, now_ms)))
    if table.game.torn:
        found.append(_own(table, "torn", table.came.get(Leaf.STATE, now_ms)))
    return found


def _own(table: HeardTable, what: str, since: int) -> DeskNeed:
    return DeskNeed(table.id, what, every(_OWN[what]), since)


def every(words: Words) -> Said:
    """Return a sentence of the desk's own in every language."""
    return Said(**said(words))


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
