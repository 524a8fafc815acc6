"""What a kind of observation has where its tables can be rehearsed (its module ``rehearsal``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from referee.addons.rehearsals.tally import Composition, Eyes, LookTally
from referee.addons.rehearsals.tasks import RehearsalTask
from referee.games.contract import AnyGame
from referee.kinds import has_platform, platform
from referee.session.capture import Pictures
from vision.geometry.view import View
from vision.posefinder import PoseFinder

NAME = "rehearsal"


@dataclass(frozen=True, slots=True)
class LookTold:
    """What one look told. tallies: by the eyes that may have seen it. clear: whether nothing was in the way."""

    tallies: Mapping[Eyes, LookTally]
    clear: bool
    views: tuple[View, ...]


class Rehearser(Protocol):
    """Chooses tasks for one table, and compares looks with them. One thread calls."""

    @property
    def usual(self) -> Mapping[Eyes, tuple[Composition, ...]]:
        """Return how well the eyes of the looks so far see the fields of usual boards."""

    def first(self) -> RehearsalTask:
        """Return the first task: what stands on the table before anything is changed."""

    def following(self, asked: str, number: int, seed: int) -> RehearsalTask:
        """Return the task with a number, from 1, that changes what was asked before."""

    def told(self, pictures: Pictures, asked: str, since: str | None) -> LookTold:
        """Compare a look with what was asked. Raises CalibrationError, RequestError.

        since: what stood there in the look before, if any counted. What is as it was there, with all around it, tells
        nothing new and does not count: the same error would count once a look.
        """


def can_rehearse(game: AnyGame) -> bool:
    """Return whether a game's kind has tasks."""
    return has_platform(game.kit.kind, NAME)


def rehearser_of(game: AnyGame, reader: PoseFinder, said: Mapping[str, object]) -> Rehearser:
    """Return what rehearses a game's table. Raises KindError where its kind has no tasks, RequestError."""
    found: Rehearser = platform(game.kit.kind, NAME).rehearser(game, reader, said)
    return found
