"""Where the parts meet: a look at the table becomes a reading, a ruling, events in the journal and a new page.

The referee holds no state of its own that is not in the journal: killed at any moment, it starts again where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.belief import BoardBelief, Sighting
from referee.board import Board, Colour, Field
from referee.boardtext import fields_of
from referee.events import (
    AnyGame,
    CameraNote,
    Event,
    EventError,
    GameStarted,
    LookTaken,
    ReadingMade,
    SetupChecked,
    SourceEnded,
    TurnRuled,
    Verdict,
    event_from_json,
)
from referee.journal import Journal, JournalError
from referee.ruling import Position, RequestError, Ruling
from referee.table import Phase, TableError, TableState, begin, replay, step
from referee.view import Banner, ViewState, banner, table_view
from vision.reading import Reading

Pictures = Mapping[str, NDArray[np.uint8]]
"""One picture a camera, BGR."""

SURE = 0.9
"""How sure a field's reading must be to call the set-up wrong there."""


class Eyes(Protocol):
    """Whatever reads the table's pictures."""

    def read(self, pictures: Pictures, expect: Sighting | None) -> Reading:
        """Read one look at the table."""


class Decision(Protocol):
    """What a judge says of a turn."""

    @property
    def kind(self) -> Literal["legal", "illegal", "unsure"]:
        """The verdict."""

    @property
    def observed(self) -> str:
        """The board text ruled on."""

    @property
    def ruling(self) -> Ruling | None:
        """What the rules say of that board."""

    @property
    def doubts(self) -> tuple[Field, ...]:
        """The fields that kept the judge from ruling."""


Judge = Callable[[Any, Any, BoardBelief], Decision]


class Noticeboard:
    """The newest view of the table, for any number of readers in other threads (the page's TableView)."""

    def __init__(self) -> None:
        # Versions begin at the clock, so that a page open since before a restart sees that there is something new.
        self._version = time.time_ns() // 1_000_000
        self._view: ViewState = {}
        self._closed = False
        self._read = threading.Event()
        self._changed = threading.Condition()

    def publish(self, view: ViewState) -> None:
        """Show a new view and wake everybody who waits for one."""
        with self._changed:
            self._version += 1
            self._view = view | {"version": self._version}
            self._changed.notify_all()

    def snapshot(self, language: str = "en") -> ViewState:
        """The newest view; never changed afterwards. language: of its words, for which there is English so far."""
        self._read.set()
        with self._changed:
            return self._view

    def wait(self, version: int, timeout: float) -> bool:
        """Wait for a view other than ``version``; False once the board is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._version != version, timeout)
            return not self._closed

    @property
    def was_read(self) -> bool:
        """Whether anybody has looked yet."""
        return self._read.is_set()

    def close(self) -> None:
        """Send everybody who waits away."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Referee:
    """Referees one game: looks, rules, writes down, and publishes. One thread calls it."""

    def __init__(
        self,
        game: AnyGame,
        eyes: Eyes,
        judge: Judge,
        journal: Journal,
        state: TableState,
        publish: Callable[[ViewState], None],
    ) -> None:
        self.game = game
        self.state = state
        self._eyes = eyes
        self._judge = judge
        self._journal = journal
        self._publish = publish
        self.show()

    def show(self) -> None:
        """Publish the table as it stands."""
        self._publish(table_view(self.game, self.state))

    @property
    def banner(self) -> Banner:
        """What the referee says now."""
        return banner(self.state)

    def open_look(self, setup: bool = False) -> int:
        """Note that somebody asked for a look and return its number; one left open by a kill is taken up again."""
        if not self.state.awaiting:
            self._happen(LookTaken(self.state.look + 1, setup))
        return self.state.look

    def take_look(self, pictures: Pictures) -> None:
        """Read the pictures of the open look and rule on them."""
        sighting = self.game.sighting(self.state.position)
        reading = self._eyes.read(pictures, sighting)
        self._happen(reading_made(reading))
        if not self.state.awaiting:
            return
        if self.state.phase is Phase.SET_UP:
            seen = sure_board(reading, self.state.position.board)
            self._happen(SetupChecked(tuple(self.game.setup_differences(self.state.position, seen))))
        else:
            decision = self._judge(self.game, self.state.position, reading.belief)
            doubts = tuple(decision.doubts)
            self._happen(TurnRuled(Verdict(decision.kind), decision.observed, decision.ruling, doubts))

    def end(self, words: str) -> None:
        """Note that no more pictures come."""
        if self.state.ended != words:
            self._happen(SourceEnded(words))

    def _happen(self, event: Event) -> None:
        # The step comes first: what can't happen must not be written, and what is shown must have been written.
        after = step(self.state, event)
        self._journal.append(event.kind, event.to_json())
        self.state = after
        self.show()


def open_game(journal: Journal, game: AnyGame, position: Position, source: str) -> TableState:
    """The state a journal leads to; a game begun at ``position`` when it is empty.

    Raises JournalError when the journal holds something else than this game.
    """
    try:
        events = [event_from_json(entry.kind, entry.data, game) for entry in journal.entries()]
        state = replay(events)
    except (EventError, TableError, RequestError) as error:
        raise JournalError(f"{journal.path} holds no game this referee can carry on: {error}") from error
    if state is None:
        started = GameStarted(position, source)
        state = begin(started)
        journal.append(started.kind, started.to_json())
    elif isinstance(events[0], GameStarted) and events[0].position.to_json() != position.to_json():
        raise JournalError(f"{journal.path} holds another game: choose another journal")
    return state


def reading_made(reading: Reading) -> ReadingMade:
    """A reading as an event: without the belief, which is large and can be made again from the pictures."""
    return ReadingMade(
        text=reading.text,
        confidence=tuple(tuple(round(float(p), 3) for p in row) for row in reading.confidence[::-1]),
        stones=tuple(reading.stones.items()),
        clear=reading.clear,
        blocked=reading.blocked,
        cameras=tuple(
            CameraNote(
                name,
                view.markers,
                None if view.reprojection_px is None else round(float(view.reprojection_px), 2),
                view.problem,
            )
            for name, view in reading.cameras.items()
        ),
        duration_ms=round(float(reading.duration_ms), 1),
    )


def sure_board(reading: Reading, expected: Board) -> Board:
    """The board as read where the reading is sure, and as expected elsewhere: the benefit of the doubt."""
    heights, flags = expected.heights.copy(), expected.flags.copy()
    for place, height, flag in fields_of(reading.text, *expected.heights.shape):
        if height is not None and reading.confidence[place.row, place.col] >= SURE:
            heights[place.row, place.col] = height
            if flag != "?":
                flags[place.row, place.col] = Colour.from_word(flag) if flag else 0
    return Board(heights, flags)
