"""Referees a ledger kept on a mat under cameras: the cameras see what lies there, the players declare the rest.

Play needs no camera: what cameras can't tell counts as not seen, and the referee asks no question about what was not
seen. Dice that have lain in place since before the turn are no throw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import LiesOnMat, RequestError
from referee.kinds.ledger.declared import UNSEEN, LedgerAdapter
from referee.kinds.ledger.observation import NOTHING
from referee.match.events import AnyGame, CameraNote, Event, ReadingMade
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import LookSeen
from referee.session.capture import Pictures
from vision.ledger.dice import DieSeen, still
from vision.ledger.reader import MatSeen
from vision.reading import CameraView


class MatEyes(Protocol):
    """Reads a mat."""

    @property
    def die_mm(self) -> float:
        """Return the side of a die, mm."""

    def read(self, pictures: Pictures) -> MatSeen:
        """Read one look. Raises CalibrationError where a camera does not fit its lens."""


@dataclass(frozen=True, slots=True, eq=False)
class MatLook:
    """One look at the mat.

    text: what it shows of the turn under way. proposed: the same, with the dice just thrown.
    """

    seen: MatSeen
    text: str
    proposed: str
    clear: bool = True

    @property
    def lost(self) -> bool:
        """Return whether no camera saw the frame."""
        return self.seen.lost

    @property
    def duration_ms(self) -> float:
        """Return how long the reading took, ms."""
        return self.seen.duration_ms

    @property
    def cameras(self) -> Mapping[str, CameraView]:
        """Return the view of each camera on the frame of markers."""
        return self.seen.cameras


class MatAdapter(LedgerAdapter):
    """Rules on one game in which cameras see what lies on the mat."""

    flat = True

    def __init__(self, game: AnyGame, eyes: MatEyes, state: TableState) -> None:
        super().__init__(game)
        self._eyes = eyes
        self._dice: tuple[DieSeen, ...] | None = None
        """Places of the dice: last, before the turn began, when something was last declared. ``None``: never
        looked."""
        self._before: tuple[DieSeen, ...] | None = None
        self._told: tuple[DieSeen, ...] | None = None
        self._turn, self._declared = state.position.turn, dict(state.turn.declared)
        self._newest: MatLook | None = None
        self._playing = state.phase is not Phase.SET_UP

    @property
    def needs_pictures(self) -> bool:
        """Return whether a look waits for pictures.

        A set-up waits for none: a game begins as the players agreed, whatever lies on the mat.
        """
        return self._playing

    def read(self, state: TableState, views: Sequence[Pictures]) -> LookSeen:
        """Read what lies on the mat."""
        if not views[-1]:
            return super().read(state, views)
        seen = self._eyes.read(views[-1])
        if not seen.lost:
            self._dice = seen.dice
            if self._before is None:  # after a restart it is unknown how long they have lain there
                self._before = self._told = seen.dice
        look = MatLook(
            seen,
            self._said(state, seen, fresh=self._thrown_since(self._before)),
            self._said(state, seen, fresh=self._thrown_since(self._told) and self._thrown_since(self._before)),
        )
        self._newest = None if seen.lost else look
        return look

    def _thrown_since(self, lay: tuple[DieSeen, ...] | None) -> bool:
        if lay is None or self._dice is None:
            return False
        return not still(lay, self._dice, self._eyes.die_mm)

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

    def reading(self, seen: Any, kept: Mapping[str, str], untouched: NDArray[np.bool_] | None = None) -> ReadingMade:
        """Return what was seen as one line; where no camera saw the mat, a reading that needs none."""
        if seen.lost or not isinstance(seen, MatLook):
            return UNSEEN
        cameras = tuple(
            CameraNote(name, view.markers, view.reprojection_px, view.problem, outline=view.outline)
            for name, view in seen.cameras.items()
        )
        took_ms = round(seen.seen.duration_ms, 1)
        return ReadingMade(seen.text, (), (), True, (), cameras, took_ms, pictures=tuple(kept.items()))

    def moved_on(self, state: TableState, event: Event) -> None:
        """Take the dice on the mat for old ones when a turn begins or something is declared.

        They are no new throw.
        """
        self._playing = state.phase is not Phase.SET_UP
        if state.position.turn != self._turn:
            self._turn, self._before = state.position.turn, self._dice
        if dict(state.turn.declared) != self._declared:
            self._declared, self._told = dict(state.turn.declared), self._dice
            if self._newest is not None:
                self._newest = MatLook(
                    self._newest.seen, self._newest.text, self._said(state, self._newest.seen, fresh=False)
                )

    def live(self, state: TableState) -> Live:
        """Return what lies on the mat now, with the dice that were just thrown."""
        return Live(setup=(), seen="" if self._newest is None else self._newest.proposed)
