"""What the messages of one table add up to: the same, in whatever order and however often they come. Pure.

All is bounded: of a game the newest events and rulings are kept, of a table the games it spoke of last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from referee.addons.hall.messages import (
    Availability,
    EventLine,
    HallClock,
    HallHealth,
    HallMessage,
    HallRuling,
    HallState,
)
from referee.addons.hall.topics import Leaf

Kept = TypeVar("Kept")

MOST_GAMES = 4
MOST_EVENTS = 400
MOST_RULINGS = 60
SILENT_AFTER = 3
"""A table is silent once it has missed so many reports on its health."""
LONGEST_EVERY_S = 60
"""A table that promises to report more seldom is not believed."""


@dataclass(frozen=True, slots=True)
class HeardEvent:
    """One event of a journal, without its body."""

    number: int
    kind: str
    at: str
    previous: str
    hash: str
    replaces: int
    sent: int


@dataclass(frozen=True, slots=True)
class HeardGame:
    """What was heard of one game. sent: of its newest message. torn: one number came with two different events."""

    sent: int = 0
    events: Mapping[int, HeardEvent] = field(default_factory=dict)
    rulings: Mapping[int, HallRuling] = field(default_factory=dict)
    torn: bool = False

    def with_event(self, line: EventLine) -> HeardGame:
        """Return the game with one more event; one that is known changes nothing."""
        event = HeardEvent(line.number, line.kind, line.at, line.previous, line.hash, line.replaces, line.sent)
        known = self.events.get(event.number)
        torn = self.torn or (known is not None and known.hash != event.hash)
        if known is not None:
            event = max(known, event, key=lambda one: (one.sent, one.hash))
        events = _newest({**self.events, event.number: event}, MOST_EVENTS)
        return HeardGame(max(self.sent, line.sent), events, self.rulings, torn)

    def with_ruling(self, ruling: HallRuling) -> HeardGame:
        """Return the game with a ruling, or with what became of one."""
        known = self.rulings.get(ruling.event)
        rulings = self.rulings
        if known is None or ruling.sent > known.sent:
            rulings = _newest({**rulings, ruling.event: ruling}, MOST_RULINGS)
        return replace(self, sent=max(self.sent, ruling.sent), rulings=rulings)

    def line(self) -> list[HallRuling]:
        """Return the rulings that still count, in order: what a later event replaces is taken back."""
        gone = [(event.replaces, event.number) for event in self.events.values() if event.replaces]
        return [
            ruling
            for number, ruling in sorted(self.rulings.items())
            if not any(first <= number < until for first, until in gone)
        ]

    def wanted(self, last: int) -> int | None:
        """Return the number of the event after which some are missing, ``None`` where none is.

        last: number of the newest event that the table has told of.
        """
        first = max(1, last - MOST_EVENTS + 1)
        return next((number - 1 for number in range(first, last + 1) if number not in self.events), None)

    def missing(self) -> int:
        """Return how many events did not come, or do not follow the one before, among those that are kept."""
        numbers = sorted(self.events)
        unchained = sum(
            self.events[number].previous != self.events[number - 1].hash
            for number in numbers
            if number - 1 in self.events
        )
        return (numbers[-1] - numbers[0] + 1 - len(numbers) if numbers else 0) + unchained


@dataclass(frozen=True, slots=True)
class HeardTable:
    """What was heard of one table. newest, came: by leaf, its newest message and when it came here, Unix ms."""

    id: str
    name: str
    key: bytes
    newest: Mapping[Leaf, HallMessage] = field(default_factory=dict)
    came: Mapping[Leaf, int] = field(default_factory=dict)
    games: Mapping[str, HeardGame] = field(default_factory=dict)

    def heard(self, leaf: Leaf, message: HallMessage, now_ms: int) -> HeardTable:
        """Return the table after a message of its own; one that is older than what is known changes nothing."""
        if isinstance(message, EventLine):
            return self._with_game(message.game, self._game(message.game).with_event(message))
        found = self
        if isinstance(message, HallRuling) and message.event:
            found = found._with_game(message.game, self._game(message.game).with_ruling(message))
        known = self.newest.get(leaf)
        if known is not None and not _newer(message, known):
            return found
        return replace(found, newest={**found.newest, leaf: message}, came={**found.came, leaf: max(now_ms, 1)})

    @property
    def state(self) -> HallState | None:
        """Return how it stands."""
        found = self.newest.get(Leaf.STATE)
        return found if isinstance(found, HallState) else None

    @property
    def clock(self) -> HallClock | None:
        """Return the clock of the game that is played, where one is used."""
        found = self.newest.get(Leaf.CLOCK)
        fits = isinstance(found, HallClock) and found.used and self.state is not None
        return found if fits and isinstance(found, HallClock) and found.game == self._playing else None

    @property
    def ruling(self) -> HallRuling | None:
        """Return the newest ruling of the game that is played."""
        found = self.newest.get(Leaf.RULING)
        return found if isinstance(found, HallRuling) and found.event and found.game == self._playing else None

    @property
    def health(self) -> HallHealth | None:
        """Return how it does."""
        found = self.newest.get(Leaf.HEALTH)
        return found if isinstance(found, HallHealth) else None

    @property
    def game(self) -> HeardGame:
        """Return what was heard of the game that is played."""
        return self._game(self._playing)

    def wanted(self) -> list[tuple[str, int]]:
        """Return the games of which events are missing, each with the number of the event after which they are.

        Of earlier games those count that were heard of, and what came after them: a desk that was opened
        meanwhile does not ask for all that was ever played.
        """
        state = self.state
        if state is None:
            return []
        heard = False
        found = []
        for game, last in (*((one.id, one.events) for one in state.earlier), (state.game.id, state.event)):
            heard = heard or game in self.games or game == state.game.id
            after = self._game(game).wanted(last) if heard else None
            if after is not None:
                found.append((game, after))
        return found

    @property
    def online(self) -> bool:
        """Return whether it is connected to the broker, as far as that says."""
        found = self.newest.get(Leaf.AVAILABILITY)
        return isinstance(found, Availability) and found.state == "online"

    def silent(self, now_ms: int) -> bool:
        """Return whether nothing has been heard for long of a table that is said to be there."""
        health = self.health
        every_s = min(health.every_s, LONGEST_EVERY_S) if health is not None else LONGEST_EVERY_S
        since = self.came.get(Leaf.HEALTH if health is not None else Leaf.AVAILABILITY, now_ms)
        return self.online and now_ms - since > SILENT_AFTER * every_s * 1000

    @property
    def _playing(self) -> str:
        return self.state.game.id if self.state is not None else ""

    def _game(self, game: str) -> HeardGame:
        return self.games.get(game, HeardGame())

    def _with_game(self, name: str, game: HeardGame) -> HeardTable:
        games = {**self.games, name: game}
        kept = sorted(games, key=lambda one: (games[one].sent, one))[-MOST_GAMES:]
        return replace(self, games={one: games[one] for one in kept})


def _newer(message: HallMessage, known: HallMessage) -> bool:
    """Return whether a message takes the place of another.

    A table that connects says ``online`` with the same number as the will in which it will say ``offline``.
    """
    if message.sent == known.sent and isinstance(message, Availability):
        return message.state == "offline"
    return message.sent > known.sent


def _newest(found: dict[int, Kept], most: int) -> dict[int, Kept]:
    return found if len(found) <= most else {number: found[number] for number in sorted(found)[-most:]}
