"""The table's door for arbiters' desks: who asks to be let in, the code that lets one in, and who is trusted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from referee.addons.hall.messages import HallError
from referee.addons.hall.trusting import CODE_S, DeskTrust
from referee.match.live import Notice
from referee.values.words import say
from web.tableview import Outcome

ASKS_S = 600.0
"""A desk that asks is told of for so long; so long, too, nobody is told of one after a no."""

NOTICE = "desk-asks"
_NOBODY = ("", "")
"""Name and id of the desk that asks, where none does."""
_NO_HALL = Outcome(False, say("This table is in no hall: its settings name no broker."), "no-hall")
_NOT_KEPT = Outcome(False, say("This could not be written down, so it stays as it was."), "disk")


class DeskDoor:
    """Lets desks in. Safe to use from several threads. Closed until ``join`` says where desks are kept.

    Whoever can write to the broker can ask, as often as they like: asking leads to a notice and no further, one at a
    time, until somebody at the table decides. The code is then for the desk that asked, whatever its name.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._trust: DeskTrust | None = None
        self._asks, self._until_s, self._quiet_s = _NOBODY, 0.0, 0.0
        self._mutex = threading.Lock()

    def join(self, trust: DeskTrust) -> None:
        """Open the door of a table in a hall."""
        self._trust = trust

    def asked(self, name: str, desk: str) -> None:
        """Take in that a desk asks for the code. desk: its id."""
        now_s = self._clock()
        with self._mutex:
            if now_s >= max(self._until_s, self._quiet_s):
                self._asks, self._until_s = (name, desk), now_s + ASKS_S

    def notices(self) -> tuple[Notice, ...]:
        """Return what everybody at the table is told."""
        name, desk = self._asking()
        words = say("The arbiter’s desk “{name}” ({id}) asks to be trusted by this table.", name=name, id=desk)
        return (Notice(NOTICE, "warning", words),) if name else ()

    def view(self) -> Mapping[str, object]:
        """Return who asks and which desks are trusted, as JSON-able values."""
        try:
            desks = self._trust.desks() if self._trust is not None else {}
        except HallError:  # the log says so where it is read for an order
            desks = {}
        name, asking = self._asking()
        return {
            "joined": self._trust is not None,
            "asks": name,
            "asks_id": asking,
            "desks": [{"id": desk, "name": known.name, "since": known.since} for desk, known in desks.items()],
        }

    def code(self) -> Outcome:
        """Make a code with which one desk is trusted: the one that asks, if one does."""
        if self._trust is None:
            return _NO_HALL
        name, desk = self._asking()
        try:
            code = self._trust.new_code(desk)
        except OSError:
            return _NOT_KEPT
        self._forget_asking(0.0)
        told = {"code": f"{code[:5]} {code[5:]}", "seconds": CODE_S, "name": name, "id": desk}
        return Outcome(True, None, "", told)

    def decline(self) -> Outcome:
        """Let nobody in, and tell of nobody for a while."""
        self._forget_asking(ASKS_S)
        return Outcome(True)

    def forget(self, desk: str) -> Outcome:
        """Trust a desk no longer."""
        if self._trust is None:
            return _NO_HALL
        try:
            known = self._trust.forget(desk)
        except (OSError, HallError):
            return _NOT_KEPT
        return Outcome(known, None if known else say("This table trusts no such desk."), "" if known else "no-desk")

    def _asking(self) -> tuple[str, str]:
        with self._mutex:
            return self._asks if self._clock() < self._until_s else _NOBODY

    def _forget_asking(self, quiet_s: float) -> None:
        with self._mutex:
            self._asks, self._until_s, self._quiet_s = _NOBODY, 0.0, self._clock() + quiet_s
