"""Watches the board between looks: what it sees serves the page and the ruling, and never enters the record."""

from __future__ import annotations

from typing import Any

from referee.games.guarding import shown
from referee.kinds.grid.comparing import Comparison, all_done, compare, tasks
from referee.match.events import AnyGame, SetupChecked
from referee.match.live import Live, RestoreTask
from referee.match.phases import Phase
from referee.match.standing import board_of
from referee.match.state import Entry, EntryStatus, TableState
from referee.values.belief import ReferenceLook, Standing
from referee.values.partial import UNKNOWN, PartialBoard
from vision.reading import Reading

MOST_FRAMES = 12
"""Boards kept of one turn; of a longer one the first are forgotten last."""


class TurnObserver:
    """Collects what still boards show while a turn is played, taken back or set up."""

    def __init__(self, game: AnyGame, state: TableState) -> None:
        self._game = game
        self._of = _moment(state)
        self._look: Comparison | None = None
        self._differs = False
        self._checked: SetupChecked | None = None
        self._seen = ""
        self._live: tuple[TableState, Live] | None = None
        self.frames: tuple[Standing, ...] = ()

    def moved_on(self, state: TableState) -> None:
        """Forget what was seen of another turn, or of another phase of it."""
        moment = _moment(state)
        if moment != self._of:
            self._of, self._look, self._checked, self._seen = moment, None, None, ""
            self._differs, self.frames = False, ()

    def setup_seen(self, checked: SetupChecked, text: str) -> None:
        """Take in a look at the set-up."""
        self._checked, self._seen, self._live = checked, text, None

    def looked(self, state: TableState, reading: Reading, reference: ReferenceLook | None) -> bool:
        """Take in a look at a still board; whether it shows that the board is back as it was before the turn."""
        stood = board_of(state.position)
        rows, cols = stood.heights.shape
        told = PartialBoard.parse(reading.text, rows, cols, stood.letters)
        untold = told.heights == UNKNOWN
        look = compare(reading.belief, stood, reference, untold)
        self._seen, self._look, self._live = reading.text, look, None
        others = (
            compare(reading.belief, board_of(position), reference, untold)
            for position, _ in state.turn.left_open.track
        )
        self._differs = all(one.wrong for one in (look, *others))
        if state.phase is Phase.PLAYING:
            self._keep(look.standing)
            return False
        return all_done(self._tasks(state), look)

    @property
    def differs(self) -> bool:
        """Return whether the board seen last surely differs from each position that may stand."""
        return self._differs

    def live(self, state: TableState) -> Live:
        """Return what is known now; compute it anew only after a change."""
        if self._live is None or self._live[0] is not state:
            self._live = (state, self._live_now(state))
        return self._live[1]

    def _live_now(self, state: TableState) -> Live:
        if state.phase is Phase.SET_UP:
            if self._checked is None:
                return Live(seen=self._seen)
            unseen = tuple(ask.field for ask in self._checked.asks if ask.field.name not in state.turn.end.known)
            return Live(setup=self._checked.differences, unseen=unseen, seen=self._seen)
        if state.phase in (Phase.VIOLATION, Phase.RESTORING):
            return Live(tasks=self._tasks(state), seen=self._seen)
        if state.phase is Phase.PLAYING and self.frames:
            progress = shown(self._game).progress(state.position, [frame.board for frame in self.frames])
            return Live(progress=progress, seen=self._seen)
        return Live(seen=self._seen)

    def _keep(self, standing: Standing | None) -> None:
        """Keep a board that differs from the one before it."""
        if standing is None or (self.frames and standing.board == self.frames[-1].board):
            return
        self.frames = (*self.frames[: MOST_FRAMES - 1], standing)

    def _tasks(self, state: TableState) -> tuple[RestoreTask, ...]:
        return tasks(_stood(state), board_of(state.position), self._look)


def _moment(state: TableState) -> tuple[object, ...]:
    """Return the values whose change makes earlier sightings useless."""
    kept = Phase.PLAYING if state.phase in (Phase.READING, Phase.RULING, Phase.PAUSED) else state.phase
    return kept, state.position, len(state.history)


def _stood(state: TableState) -> Any:
    """Return the board that stood on the table last, according to the record."""
    turn: Entry | None = state.open_turn
    if turn is None:
        undone = [entry for entry in state.history if entry.fate is EntryStatus.UNDONE]
        turn = undone[-1] if undone else None
    if turn is None:
        return board_of(state.position)
    if turn.after is not None:
        return board_of(turn.after)
    if turn.ruled is not None:
        return board_of(state.position).like(turn.ruled.observed)
    return board_of(state.position)
