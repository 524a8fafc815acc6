"""The session's contract with a kind of observation: a look becomes a reading, and a reading a ruling.

The session knows phases, events and times; only the kind's adapter knows what can be seen of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from referee.kinds import platform
from referee.match.events import AnyGame, Event, ReadingMade, SetupChecked, TurnRuled
from referee.match.live import Live
from referee.match.state import TableState
from referee.session.capture import Pictures
from referee.values.words import Words, say
from vision.reading import CameraView

UNCLEAR = say("something that is not part of the game stands over the board or its frame")


class LookSeen(Protocol):
    """The result of one look, as far as the session needs it."""

    @property
    def clear(self) -> bool:
        """Return whether nothing foreign stands in the way."""

    @property
    def lost(self) -> bool:
        """Return whether nothing could be read."""

    @property
    def cameras(self) -> Mapping[str, CameraView]:
        """Return the view of each camera on the table."""

    @property
    def duration_ms(self) -> float:
        """Return how long the reading took, ms."""


class ObservationAdapter(Protocol):
    """Reads and rules on one game under way, by the kind of thing it observes.

    All an adapter remembers can be made again from the journal and its pictures. ``seen`` is what its own ``read``
    answered. state: the game as it stands.
    """

    @property
    def needs_pictures(self) -> bool:
        """Return whether a look waits for pictures; where nothing needs to be seen it is taken at once."""

    @property
    def gathers(self) -> bool:
        """Return whether more pictures of the same table can settle what is unsure."""

    @property
    def flat(self) -> bool:
        """Return whether nothing on the table hides anything, so that a view from another side tells no more."""

    @property
    def differs(self) -> bool:
        """Return whether what was seen last surely differs from the position."""

    def read(self, state: TableState, views: Sequence[Pictures]) -> LookSeen:
        """Read one look. Raises CalibrationError where a camera does not fit its lens."""

    def why_unclear(self, seen: Any) -> Words:
        """Return why a look that is not clear can't be ruled on."""

    def reading(self, seen: Any, kept: Mapping[str, str], untouched: NDArray[np.bool_] | None = None) -> ReadingMade:
        """Return the event that keeps what a look gave.

        kept: camera to the name of its evidence. untouched: (rows, columns), the fields no hand came near.
        """

    def blind(self, state: TableState, cameras: Sequence[str], problem: Words) -> ReadingMade:
        """Return the event of a look for which no camera gave a picture that can be read."""

    def setup(self, state: TableState, seen: Any, asking: bool = True) -> SetupChecked:
        """Compare the set-up with the game's. asking: players can be asked what was not seen."""

    def setup_seen(self, state: TableState, seen: Any) -> bool:
        """Take in a look at the set-up nobody asked for; return whether to write it down: right, or another."""

    def turn_seen(self, state: TableState, seen: Any) -> bool:
        """Take in a look nobody asked for; return whether the table is back as it was before the turn."""

    def tells_more(self, state: TableState, seen: Any) -> bool:
        """Return whether a look at a table that left a ruling unsure adds to what was seen of it."""

    def moved_on(self, state: TableState, event: Event) -> None:
        """Follow an event that was written. state: after it."""

    def can_rule(self, reading: ReadingMade) -> bool:
        """Return whether all a ruling rests on is in a reading's event."""

    def ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Rule on a reading, from what the journal holds and nothing else."""

    def likely(self, state: TableState, reading: ReadingMade) -> tuple[str, ...]:
        """Return the observations that a reading makes likeliest, the likeliest first. state: before the ruling."""

    def retold(self, state: TableState) -> Event | None:
        """Return what a ruling tells of earlier turns, if anything. state: after the ruling."""

    def swept(self, state: TableState, text: str) -> bool:
        """Return whether so much changed since before the turn that things fell or the table was swept."""

    def heights(self, text: str) -> NDArray[np.int8] | None:
        """Return the stacks' heights (rows, columns) of an observation around which hands can be followed, if any."""

    def to_remember(self, state: TableState) -> tuple[ReadingMade, ...]:
        """Return the readings whose pictures ``remember`` takes after a restart."""

    def remember(self, state: TableState, looks: Sequence[Pictures]) -> None:
        """Look again at kept pictures, oldest first, after a restart."""

    def fork(self) -> Self:
        """Return another adapter that goes on from here without changing this one."""

    def live(self, state: TableState) -> Live:
        """Return what is known beside the record."""


class PlainAdapter:
    """Default answers for kinds of which one look is one reading: nothing is seen or remembered between looks.

    A kind's adapter builds on it and says what is its own: how it reads, what its readings hold, how it rules.
    """

    gathers = False
    flat = False

    @property
    def differs(self) -> bool:
        """See nothing between looks."""
        return False

    @property
    def needs_pictures(self) -> bool:
        """Return true: every look waits for pictures."""
        return True

    def why_unclear(self, seen: Any) -> Words:
        """Tell of a hand: nothing else is seen to be in the way."""
        return UNCLEAR

    def setup(self, state: TableState, seen: Any, asking: bool = True) -> SetupChecked:
        """Take the set-up as the players agreed."""
        return SetupChecked(())

    def setup_seen(self, state: TableState, seen: Any) -> bool:
        """Write nothing down: the set-up is looked at when somebody asks."""
        return False

    def turn_seen(self, state: TableState, seen: Any) -> bool:
        """See nothing: players say that a turn is taken back."""
        return False

    def tells_more(self, state: TableState, seen: Any) -> bool:
        """Wait for no other picture of the same table."""
        return False

    def moved_on(self, state: TableState, event: Event) -> None:
        """Remember nothing."""

    def can_rule(self, reading: ReadingMade) -> bool:
        """Rule on every reading: all it holds is in its event."""
        return True

    def likely(self, state: TableState, reading: ReadingMade) -> tuple[str, ...]:
        """Offer nothing: players say themselves what stands there."""
        return ()

    def retold(self, state: TableState) -> Event | None:
        """Tell nothing: each turn is known once it is ruled on."""
        return None

    def swept(self, state: TableState, text: str) -> bool:
        """Return false: nothing can fall."""
        return False

    def heights(self, text: str) -> NDArray[np.int8] | None:
        """Return nothing: hands are not followed."""
        return None

    def to_remember(self, state: TableState) -> tuple[ReadingMade, ...]:
        """Return nothing: every look stands by itself."""
        return ()

    def remember(self, state: TableState, looks: Sequence[Pictures]) -> None:
        """Remember nothing."""

    def fork(self) -> Self:
        """Return another adapter that goes on from here without changing this one."""
        return copy(self)

    def live(self, state: TableState) -> Live:
        """Know nothing beside the record; the set-up is as the players agreed."""
        return Live(setup=())


def adapter_of(game: AnyGame, reader: object, state: TableState) -> ObservationAdapter:
    """Return the adapter of a game under way. reader: reads pictures of its kind, ``None`` where nothing is seen."""
    made: ObservationAdapter = platform(game.kit.kind, "session").adapter(game, reader, state)
    return made
