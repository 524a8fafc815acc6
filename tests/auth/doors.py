"""Doors of a table to its set-up and to arbiters; what is told to them is a note in the journal."""

from __future__ import annotations

from collections.abc import Mapping

from referee.storage.journal import Journal
from referee.values.words import say
from web.tableview import Outcome

PICTURE = b"\xff\xd8\xff\xe0 a picture \xff\xd9"


class Rehearsals:
    """A rehearsal; every step is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def _noted(self) -> Outcome:
        self._journal.append("rehearsed", {})
        return Outcome(True)

    def begin(self, short: bool) -> Outcome:
        return self._noted()

    def look(self, by: str) -> Outcome:
        return self._noted()

    def skip(self, by: str) -> Outcome:
        return self._noted()

    def stop(self) -> Outcome:
        return self._noted()


class LettingIn:
    """A door for arbiters' desks; what is told to it is a note in the journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def _noted(self) -> Outcome:
        self._journal.append("let_in", {})
        return Outcome(True, result={"code": "123456", "seconds": 60})

    def view(self) -> Mapping[str, object]:
        return {"joined": True, "asks": "", "desks": []}

    def code(self) -> Outcome:
        return self._noted()

    def decline(self) -> Outcome:
        return self._noted()

    def forget(self, desk: str) -> Outcome:
        return self._noted()


class Certifying:
    """A table whose check writes into its journal at once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def view(self, language: str = "en") -> Mapping[str, object]:
        return {
            "table": "t",
            "cameras": [],
            "missing": [],
            "steps": [],
            "check": {},
            "certificate": None,
            "rehearsal": {},
        }

    def picture(self, camera: str) -> bytes | None:
        return PICTURE

    def certificate(self) -> Mapping[str, object] | None:
        return None

    def check(self, by: str) -> Outcome:
        self._journal.append("table_checked", {"by": by})
        return Outcome(True, say("The table is being checked."))
