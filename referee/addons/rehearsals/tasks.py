"""A task of a rehearsal, and what a kind of observation needs to have for its tables to be rehearsed."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.board import Field
from referee.values.words import Words

TASKS = 12
"""Tasks of a rehearsal: about three minutes at a quarter of a minute each."""
CHECK_TASKS = 2
"""Tasks of the check before a match, besides the table as it stands: half a minute."""


@dataclass(frozen=True, slots=True)
class RehearsalTask:
    """Something to be put on the table and looked at.

    words: what to do. why: why this is worth looking at. asked: text of what then is to be seen. fields: those that
    change. drawing: what then stands on each field, a short text, row "1" first; empty where the kind draws none.
    """

    words: Words
    why: Words
    asked: str
    fields: tuple[Field, ...]
    drawing: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """How far a rehearsal has come. number: of the task at hand, from 0. length: how many there are.

    asked: text of what stood at the last look that counts: a task that is skipped changes nothing.
    """

    task: RehearsalTask
    number: int
    length: int
    asked: str
    skipped: int = 0

    @property
    def is_last(self) -> bool:
        """Return whether no task follows."""
        return self.number + 1 >= self.length
