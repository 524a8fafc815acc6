"""The arbiter's desk while it runs: it hears the broker, keeps the hall, shows it, and gives orders."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from referee.addons.hall.address import BrokerAddress
from referee.addons.hall.desk.broadcast import Broadcast
from referee.addons.hall.desk.deskline import DeskLine
from referee.addons.hall.desk.hall import HeardHall, needs_of
from referee.addons.hall.desk.ordering import Ordering
from referee.addons.hall.desk.shown import View, hall_view, table_view_of
from referee.addons.hall.desk.tournamentfiles import TournamentFiles
from referee.addons.hall.desk.trust import TrustingTables, desk_key
from referee.addons.hall.messages import HallError
from referee.addons.hall.orders import Act
from referee.addons.hall.topics import HallTopic, Leaf
from referee.daemon.publisher import ViewPublisher
from referee.values.words import say
from web.tableview import Outcome

ROUND_S = 0.25
"""What has changed is shown at most so often."""
ASK_AGAIN_S = 2.0
"""Tables are asked for missing events so often."""
_ACT: TypeAdapter[Act] = TypeAdapter(Act)
_NOT_CONNECTED = "not connected yet"
_LOG = logging.getLogger(__name__)


class HallKeeper:
    """Keeps a hall as long as it is entered. Safe to use from several threads.

    folder: of the desk's key and of what it knows about trust. broadcast: told of every change, for spectators.
    tournament: whose results come from the tables.
    Raises HallError.
    """

    def __init__(
        self,
        folder: Path,
        address: BrokerAddress,
        broadcast: Broadcast | None = None,
        tournament: TournamentFiles | None = None,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._broadcast, self._tournament, self._clock_ms = broadcast, tournament, clock_ms
        self._trusting = TrustingTables(folder)
        self.board = ViewPublisher()
        self._hall, self._broker, self._flooding = HeardHall(), _NOT_CONNECTED, frozenset[str]()
        self._flooding_mutex = threading.Lock()
        self._dirty, self._stop, self._shown = threading.Event(), threading.Event(), ""
        self._asked_s = 0.0
        self._wanted: set[tuple[str, str, int]] = set()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._ordering = Ordering(desk_key(folder), self._publish)
        self._line = DeskLine(address, self._ordering.desk, self._heard, self._connected, self._floods)

    def __enter__(self) -> Self:
        self._show()
        self._line.open()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._line.close()
        self._thread.join()
        self.board.close()

    @property
    def hall(self) -> HeardHall:
        """Return the hall as it was heard."""
        return self._hall

    def table(self, table: str, language: str) -> Mapping[str, object] | None:
        """Return everything of one table, ``None`` for one that is not known."""
        hall, now_ms = self._hall, self._clock_ms()
        found = hall.tables.get(table)
        if found is None:
            return None
        told = table_view_of(found, needs_of(found, now_ms), now_ms, language)
        return told | {"desk": self._ordering.desk, "trusts": table in self._trusting, "alike": table in hall.alike()}

    def order(
        self, table: str, does: Mapping[str, object], seen: tuple[str, int, str], by: str, language: str
    ) -> Outcome:
        """Order something. seen: game, event and head on which the arbiter decided."""
        found = self._hall.tables.get(table)
        if found is None:
            return Outcome(False, say("The hall has no such table."), "no-table")
        try:
            act = _ACT.validate_json(json.dumps(does))
            return self._ordering.give(found, act, seen, by, language)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in first["loc"])[:80]
            what = f"{where}: {first['msg']}"
            return Outcome(False, say("The order can’t be given: {what}", what=what), "order")

    def ask_code(self, table: str, by: str) -> Outcome:
        """Have a table's page ask the people there to show its code."""
        found = self._hall.tables.get(table)
        if found is None:
            return Outcome(False, say("The hall has no such table."), "no-table")
        return self._ordering.ask_code(found, by)

    def trust(self, table: str, code: str, by: str) -> Outcome:
        """Have a table trust this desk, with the code that it shows."""
        found = self._hall.tables.get(table)
        if found is None:
            return Outcome(False, say("The hall has no such table."), "no-table")
        outcome = self._ordering.trust(found, code, by)
        if outcome.accepted:
            self._trust(table, True)
        return outcome

    def report(self, table: str, turn: int, language: str, by: str) -> bytes | Outcome:
        """Return the report on a turn, fetched from the table, or why there is none."""
        found = self._hall.tables.get(table)
        if found is None:
            return Outcome(False, say("The hall has no such table."), "no-table")
        return self._ordering.report(found, turn, language, by)

    def _publish(self, topic: HallTopic, payload: bytes) -> bool:
        return self._line.publish(topic, payload)

    def _trust(self, table: str, trusts: bool) -> None:
        try:
            self._trusting.set(table, trusts)
        except OSError as error:
            _LOG.error("which tables trust the desk can't be written down: %s", error)
        self._dirty.set()

    # What comes, in the line's thread

    def _heard(self, topic: HallTopic, payload: bytes, signature: str) -> None:
        known = self._hall.tables.get(topic.table)
        if topic.leaf is Leaf.ANSWER:
            if known is None:
                raise HallError(f"{topic}: of a table that has not said who it is")
            if not self._ordering.answered(known, topic, payload, signature):
                self._trust(topic.table, False)
            return
        self._hall = self._hall.heard(topic, payload, signature, self._clock_ms())
        found = self._hall.tables.get(topic.table)
        if known is None and found is not None:
            self._line.follow(topic.table)
        if found is not None and self._broadcast is not None:
            self._broadcast.put(found)
        self._dirty.set()

    def _connected(self, there: bool, why: str) -> None:
        self._broker = "" if there else why or _NOT_CONNECTED
        self._dirty.set()

    def _floods(self, table: str, floods: bool) -> None:
        with self._flooding_mutex:  # both threads tell
            self._flooding = self._flooding | {table} if floods else self._flooding - {table}
        self._dirty.set()

    # What is shown, in a thread of its own

    def _run(self) -> None:
        while not self._stop.wait(ROUND_S):
            try:
                self._line.tick()
                self._show()
            except Exception:  # what one table told must not keep the hall from being shown
                _LOG.exception("the hall could not be shown")

    def _catch_up(self, hall: HeardHall) -> None:
        """Ask tables for events that did not come: before this desk was there, or while the broker was gone.

        What is still missing after one round more is asked for: until then it may be on its way.
        """
        now_s = time.monotonic()
        if now_s < self._asked_s + ASK_AGAIN_S:
            return
        self._asked_s = now_s
        before, self._wanted = self._wanted, set()
        for table in hall.tables.values():
            if not table.online or table.id not in self._trusting:
                continue
            for game, after in table.wanted():
                self._wanted.add((table.id, game, after))
                if (table.id, game, after) in before:
                    self._ordering.ask_events(table, game, after, "desk")

    def _show(self) -> None:
        hall, now_ms = self._hall, self._clock_ms()
        if self._broadcast is not None:
            self._broadcast.tick(now_ms)
        self._catch_up(hall)
        needs = str([need.urgency for need in hall.needs(now_ms)])
        if not self._dirty.is_set() and needs == self._shown:
            return
        self._dirty.clear()
        self._shown = needs
        broker, flooding, trusting = self._broker, self._flooding, self._trusting
        played: View = {}
        if self._tournament is not None:
            self._tournament.follow(hall)
            played = {"tournament": self._tournament.view()}
        self.board.publish(lambda language: hall_view(hall, now_ms, language, trusting, broker, flooding) | played)
