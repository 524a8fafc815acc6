"""The session's contract with a kind of observation: a look becomes a reading, and a reading a ruling.

The session knows phases, events and times; only the kind's adapter knows what can be seen of the table. An adapter
remembers nothing: what looks showed stands in a frozen value, which the session holds and hands over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.games.contract import Progress
from referee.kinds import platform
from referee.match.events import AnyGame, CameraNote, Illegal, ReadingMade, SetupChecked, TurnRuled, Unsure, WhyUnsure
from referee.match.live import Live
from referee.match.state import TableState
from referee.session.by_hand import ruled_by_players
from referee.session.capture import Pictures
from referee.values.words import Words, say
from vision.reading import CameraView

UNCLEAR = say("something that is not part of the game stands over the board or its frame")


@dataclass(frozen=True, slots=True)
class Ways:
    """How a kind's tables are looked at.

    needs_pictures: a look waits for pictures; where nothing needs to be seen it is taken at once. gathers: more
    pictures of the same table can settle what is unsure. flat: nothing on the table hides anything, so that a view
    from another side tells no more. believes: a ruling rests on the belief in a reading's event, which old journals
    lack.
    """

    needs_pictures: bool = True
    gathers: bool = False
    flat: bool = False
    believes: bool = False


@dataclass(frozen=True, slots=True)
class Sightings:
    """What looks showed of the table, as far as it counts still; a kind adds what is its own.

    of: the moment whose end makes the rest useless. text: of the table as seen last standing still. checked: how the
    set-up compares, ``None`` before. progress: how far the turn under way has come. differs: whether what was seen
    last surely differs from the position.
    """

    of: object = None
    text: str = ""
    checked: SetupChecked | None = None
    progress: tuple[Progress, ...] = ()
    differs: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LookSeen:
    """What one look showed.

    reading: the event that keeps it, without the names of its evidence. sightings: what counts of all looks, this one
    among them. cameras: the view of each on the table. lost: nothing could be read. unclear: why a look that is not
    clear can't be ruled on. found: the same in the kind's own terms.
    """

    reading: ReadingMade
    sightings: Any
    cameras: Mapping[str, CameraView] = field(default_factory=dict)
    lost: bool = False
    unclear: Words = UNCLEAR
    found: Any = None

    @property
    def clear(self) -> bool:
        """Return whether nothing foreign stands in the way."""
        return self.reading.clear


@dataclass(frozen=True, slots=True)
class Compared:
    """A look compared with what the table waits for.

    sightings: what counts of all looks now. settled: the set-up is right, or another to be written down; or the table
    is back as it was before the turn. more: the look adds to what was seen of a table that left a ruling unsure.
    """

    sightings: Any
    settled: bool = False
    more: bool = False


class ObservationAdapter(ABC):
    """Reads and rules on one game, by the kind of thing it observes. All of it is pure.

    A kind says how it reads, and in ``_ruled`` how it rules on a reading. The other answers here are right where one
    look is one reading, and nothing is seen or remembered between looks.

    sightings: what the looks so far showed; all of it can be made again from the journal and its pictures. state: the
    game as it stands.
    """

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def ways(self, state: TableState) -> Ways:
        """Return how the table is looked at now."""
        return Ways()

    @abstractmethod
    def read(self, state: TableState, sightings: Any, views: Sequence[Pictures]) -> LookSeen:
        """Read one look; without views return one in which nothing is seen.

        Raises CalibrationError where a camera does not fit its lens.
        """

    def compare(self, state: TableState, sightings: Any, seen: LookSeen, asking: bool = True) -> Compared:
        """Compare a look with what the table waits for. asking: players can be asked what a set-up does not show.

        Here the set-up is as the players agreed, and players say that a turn is taken back.
        """
        return Compared(Sightings(checked=SetupChecked(())))

    def moved_on(self, state: TableState, sightings: Any) -> Any:
        """Return what still counts of the looks after an event: here all of it. state: after it."""
        return sightings

    def remember(self, state: TableState, kept: Callable[[ReadingMade], Pictures]) -> Any:
        """Return what counts of the looks of a game that is taken up: here nothing.

        kept: gives pictures that are there still.
        """
        return Sightings()

    def rule(self, state: TableState) -> TurnRuled:
        """Rule on the newest reading or the board that players gave, from what the journal holds and nothing else.

        Nobody is accused of what fell.
        """
        board = state.turn.end.board
        if board is None:
            assert state.reading is not None, "a ruling is due only on a reading or a board that players gave"
            return self._ruled(state, state.reading)
        ruled = ruled_by_players(self._game, state, board)
        if isinstance(ruled.found, Illegal) and self._swept(state, board):
            return TurnRuled(ruled.observed, Unsure(WhyUnsure.SWEPT))
        return ruled

    @abstractmethod
    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Rule on a reading."""

    def _swept(self, state: TableState, text: str) -> bool:
        """Return whether so much changed since before the turn that things fell or the table was swept."""
        return False

    def live(self, state: TableState, sightings: Any) -> Live:
        """Return what is known beside the record: here that the set-up is as the players agreed."""
        return Live(setup=())


def camera_notes(
    cameras: Mapping[str, CameraView], places_mm: Mapping[str, tuple[float, ...]] | None = None
) -> tuple[CameraNote, ...]:
    """Return how each camera saw the table, as a reading's event keeps it. places_mm: where they stood, if known."""
    places = places_mm or {}
    return tuple(
        CameraNote(name, view.markers, view.reprojection_px, view.problem, places.get(name, ()), view.outline)
        for name, view in cameras.items()
    )


def adapter_of(game: AnyGame, reader: object) -> ObservationAdapter:
    """Return the adapter of a game. reader: reads pictures of its kind, ``None`` where nothing is seen."""
    made: ObservationAdapter = platform(game.kit.kind, "session").adapter(game, reader)
    return made
