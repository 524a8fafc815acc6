"""Referees a ledger kept on a mat under cameras: the cameras see what lies there, the players declare the rest.

Play needs no camera: what cameras can't tell counts as not seen, and the referee asks no question about what was not
seen. Dice that have lain in place since before the turn are no throw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from referee.games.contract import LiesOnMat, RequestError
from referee.kinds.ledger.declared import UNSEEN, LedgerAdapter
from referee.kinds.ledger.observation import NOTHING
from referee.match.events import AnyGame, ReadingMade, SetupChecked
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import Compared, LookSeen, Sightings, Ways, camera_notes
from referee.session.capture import Pictures
from referee.values.declaring import Declared
from vision.ledger.dice import DieSeen, still
from vision.ledger.reader import MatSeen


class MatEyes(Protocol):
    """Reads a mat."""

    @property
    def die_mm(self) -> float:
        """Return the side of a die, mm."""

    def read(self, pictures: Pictures) -> MatSeen:
        """Read one look. Raises CalibrationError where a camera does not fit its lens."""


@dataclass(frozen=True, slots=True)
class MatSightings(Sightings):
    """What looks showed of a mat; ``text`` holds the dice that were just thrown, too.

    turn, declared: the turn under way, and what was declared of it. dice: where they lay last; before: before the
    turn began; told: when something was last declared; ``None``: never looked. newest: what lies there.
    """

    turn: int = 0
    declared: Declared = field(default_factory=dict)
    dice: tuple[DieSeen, ...] | None = None
    before: tuple[DieSeen, ...] | None = None
    told: tuple[DieSeen, ...] | None = None
    newest: MatSeen | None = None


class MatAdapter(LedgerAdapter):
    """Rules on one game in which cameras see what lies on the mat."""

    def __init__(self, game: AnyGame, eyes: MatEyes) -> None:
        super().__init__(game)
        self._eyes = eyes

    def ways(self, state: TableState) -> Ways:
        """Wait for pictures, but for a set-up: a game begins as the players agreed, whatever lies on the mat."""
        return Ways(needs_pictures=state.phase is not Phase.SET_UP, flat=True)

    def read(self, state: TableState, sightings: MatSightings, views: Sequence[Pictures]) -> LookSeen:
        """Read what lies on the mat; where no camera saw it the reading is one that needs none."""
        if not views or not views[-1]:
            return super().read(state, sightings, views)
        seen = self._eyes.read(views[-1])
        if seen.lost:
            lost = replace(sightings, newest=None, text="")
            return LookSeen(UNSEEN, lost, seen.cameras, lost=True)
        if sightings.before is None:  # after a restart it is unknown how long they have lain there
            sightings = replace(sightings, before=seen.dice, told=seen.dice)
        thrown = self._thrown_since(sightings.before, seen.dice)
        fresh = thrown and self._thrown_since(sightings.told, seen.dice)
        proposed = self._said(state, seen, fresh=fresh)
        text, took_ms = self._said(state, seen, fresh=thrown), round(seen.duration_ms, 1)
        made = ReadingMade(text, cameras=camera_notes(seen.cameras), duration_ms=took_ms)
        return LookSeen(made, replace(sightings, dice=seen.dice, newest=seen, text=proposed), seen.cameras)

    def _thrown_since(self, lay: tuple[DieSeen, ...] | None, dice: tuple[DieSeen, ...]) -> bool:
        return lay is not None and not still(lay, dice, self._eyes.die_mm)

    def _said(self, state: TableState, seen: MatSeen, *, fresh: bool) -> str:
        """Return what a look shows, as the game writes it; empty where the game has no use for it."""
        if seen.lost or not isinstance(self._game, LiesOnMat):
            return NOTHING
        found: dict[str, object] = {
            "dice": list(seen.pair) if fresh and seen.pair is not None else None,
            "pawns": dict(seen.pawns),
            "zone": dict(seen.counters),
            "installed": dict(seen.cards),
        }
        try:
            text: str = self._game.laid_out(state.position, found).text
        except RequestError:
            return NOTHING
        return text

    def compare(self, state: TableState, sightings: MatSightings, seen: LookSeen, asking: bool = True) -> Compared:
        """Take the set-up as the players agreed."""
        return Compared(replace(sightings, checked=SetupChecked(())))

    def moved_on(self, state: TableState, sightings: MatSightings) -> MatSightings:
        """Take the dice on the mat for old ones when a turn begins or something is declared.

        They are no new throw.
        """
        if state.position.turn != sightings.turn:
            sightings = replace(sightings, turn=state.position.turn, before=sightings.dice)
        if dict(state.turn.declared) != dict(sightings.declared):
            newest, text = sightings.newest, sightings.text
            text = text if newest is None else self._said(state, newest, fresh=False)
            sightings = replace(sightings, declared=state.turn.declared, told=sightings.dice, text=text)
        return sightings

    def remember(self, state: TableState, kept: Callable[[ReadingMade], Pictures]) -> MatSightings:
        """Begin with the turn under way: nothing was seen of it yet."""
        return MatSightings(turn=state.position.turn, declared=state.turn.declared)

    def live(self, state: TableState, sightings: MatSightings) -> Live:
        """Return what lies on the mat now, with the dice that were just thrown."""
        return Live(setup=(), seen=sightings.text)
