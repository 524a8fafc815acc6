"""What goes wrong at a table of a hall that plays by itself, so that who tries the desk has something to do.

A player disputes a ruling, a turn is ended without having been made, a camera's cable is pulled for a while, the
computer loses its power. They take turns, and each table begins with another one.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable

from referee.daemon import CommandQueue
from referee.demo.actor import Tabletop
from referee.match.commands import Name
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.words import say

FIRST_S = (15.0, 60.0)
EACH_S = (45.0, 150.0)
"""A mishap comes so long after the one before, at the earliest and at the latest."""
UNPLUGGED_S = (40.0, 120.0)
REST_S = 45.0
"""A game that is over is looked at for so long before another begins."""
MOST_DISPUTES = 2
"""A table with so many open disputes has no further one."""
_DISPUTED = (say("We had agreed on another move."),)
_DISPUTED_SEEN = (say("That stone stood there before."), say("The camera saw my hand."))
_PLAYER = "Kim"

Pause = Callable[[float], bool]
"""Waits so many seconds, and answers whether to stop."""


def disputed_in(language: str, seen: bool) -> tuple[str, ...]:
    """Return what a player may say who disputes a ruling. seen: by cameras."""
    return tuple(words.text(language) for words in (*_DISPUTED, *(_DISPUTED_SEEN if seen else ())))


class Mishaps:
    """The mishaps of one table.

    cameras: that may be unplugged. first: which mishap comes first, by its place. language: of what its players say.
    dies: ends the process at once.
    """

    def __init__(
        self,
        commands: CommandQueue,
        table: Tabletop,
        cameras: list[str],
        chance: random.Random,
        first: int,
        language: str = "en",
        dies: Callable[[], object] = lambda: os.kill(os.getpid(), signal.SIGKILL),
    ) -> None:
        self._commands, self._table, self._cameras, self._chance = commands, table, cameras, chance
        self._language = language
        self._state: TableState | None = None
        camera = self._camera if len(cameras) > 1 else self._dispute
        kinds: list[Callable[[Pause], bool]] = [
            self._dispute, camera, self._nothing, self._dispute, lambda pause: self._cut(pause, dies),
        ]  # fmt: skip
        self._kinds = kinds[first % len(kinds) :] + kinds[: first % len(kinds)]

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread."""
        self._state = state

    def run(self, pause: Pause) -> None:
        """Have something happen from time to time, until ``pause`` says that all is to stop."""
        rest_s, number = self._chance.uniform(*FIRST_S), 0
        while not pause(rest_s):
            rest_s, state = self._chance.uniform(*EACH_S), self._state
            if state is not None and state.phase is Phase.FINISHED:
                if pause(REST_S):
                    return
                self._commands.command(Name.PLAY_AGAIN, {}, _PLAYER)
            elif state is not None and state.phase is Phase.PLAYING and state.last is not None:
                if self._kinds[number % len(self._kinds)](pause):
                    return
                number += 1
            else:
                rest_s = FIRST_S[0]  # something else is being settled

    def _dispute(self, pause: Pause) -> bool:
        state = self._state
        if state is None or state.last is None:
            return False
        if sum(one.outcome is None for one in state.disputes) < MOST_DISPUTES:
            words = self._chance.choice(disputed_in(self._language, bool(self._cameras)))
            self._commands.command(Name.DISPUTE, {"entry": state.last.id, "words": words}, _PLAYER)
        return False

    def _nothing(self, pause: Pause) -> bool:
        self._commands.command(Name.TURN_ENDED, {}, _PLAYER)
        return False

    def _camera(self, pause: Pause) -> bool:
        self._table.fault("unplug", self._chance.choice(self._cameras))
        stopped = pause(self._chance.uniform(*UNPLUGGED_S))
        self._table.fault("plug")
        return stopped

    def _cut(self, pause: Pause, dies: Callable[[], object]) -> bool:
        dies()
        return True
