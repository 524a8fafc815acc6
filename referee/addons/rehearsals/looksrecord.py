"""Gather what the looks of a rehearsal told, and make a rehearsal of it."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.table import TableSetup
from referee.addons.rehearsals.conditions import conditions_of
from referee.addons.rehearsals.rehearsal import FEWEST_LOOKS, Rehearsal
from referee.addons.rehearsals.rehearser import LookTold
from referee.addons.rehearsals.tally import Composition, Eyes, LookTally, grouped
from referee.addons.rehearsals.validity import Conditions
from referee.values.words import Words, say


class LooksRecord:
    """The looks that count, in order. One thread at a time calls."""

    def __init__(self, table: TableSetup) -> None:
        """Begin without any look."""
        self._table = table
        self._told: list[Mapping[Eyes, LookTally]] = []
        self.conditions: Conditions | None = None
        self.asked: str | None = None
        """What stood there in the last look that counts."""

    def __len__(self) -> int:
        return len(self._told)

    def add(self, told: LookTold, asked: str) -> Words | None:
        """Take in a look at what was asked; why it does not count, ``None`` where it does."""
        if not told.clear or not told.tallies:
            return say("Something is in the way, or the frame is not seen. Take your hands off and look again.")
        if not any(tally.all.total for tally in told.tallies.values()):
            return say("The same stands there as in the look before: nothing counts twice.")
        now = conditions_of(self._table, told.views)
        self._told.append(told.tallies)
        self.asked = asked
        self.conditions = now if self.conditions is None else self.conditions.widened(now)
        return None

    def rehearsal(
        self, at: str, seed: int, skipped: int, usual: Mapping[Eyes, tuple[Composition, ...]]
    ) -> Rehearsal | Words:
        """Return the rehearsal, or why there is none. at: local date and time. usual: see ``Rehearser.usual``."""
        if len(self) < FEWEST_LOOKS or self.conditions is None:
            return say("Looks that counted: {n}; {least} are needed.", n=len(self), least=FEWEST_LOOKS)
        groups = grouped(self._told, usual, FEWEST_LOOKS)
        if not groups:
            return say("No cameras took part in enough looks together: {least} are needed.", least=FEWEST_LOOKS)
        return Rehearsal(at, "", seed, skipped, groups, self.conditions)

    def renewed(self, known: Rehearsal, at: str) -> Rehearsal | Words:
        """Return a rehearsal as these looks renew it, or why they don't."""
        found = None if self.conditions is None else known.renewed(self._told, self.conditions, at)
        return found or say("The check does not bear the rehearsal out: rehearse the table again.")
