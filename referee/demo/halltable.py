"""One table of the hall of ``referee hall --demo``: ``python -m referee.demo.halltable``, told by a line of JSON.

It is a referee as at any table, but its cameras are drawn when somebody looks, and the game plays every seat. Now and
then a player disputes a ruling, or ends a turn without having done anything. It ends with its input.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from referee.daemon import CommandQueue, GameJournal, Helpers, start_journal
from referee.daemon.assembly import ServedTable, TableSight
from referee.daemon.gamejournal import carried_on
from referee.daemon.inhall import join_hall
from referee.daemon.preview import eyes_of
from referee.demo.actor import PageAlone, Tabletop
from referee.demo.seats import OpponentSeats
from referee.games import package_named
from referee.games.package import GamePackage
from referee.games.record import parse_record
from referee.match.clock import Clock, TimeControl
from referee.match.commands import Name
from referee.match.events import GameStarted
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.turnkind import turn_kind
from referee.opponents import Strength
from referee.service.logs import configure
from referee.service.memory import bound_memory, enough_handles
from referee.service.settings import Page, load_settings
from referee.session.readers import reader_at
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from referee.virtual.folder import make_table
from referee.virtual.sight import DrawnSight
from referee.virtual.table import Pace, VirtualTable

DATA, JOURNAL = "data", "game.journal"
CLOCK = TimeControl(total_s=3600, increment_s=10)
THINKS_S = (8.0, 20.0)
MISHAP_S = (45.0, 150.0)
"""A mishap comes so long after the one before, at the earliest and at the latest."""
_WORDS = ("That stone stood there before.", "The camera saw my hand.", "We had agreed on another move.")


@dataclass(frozen=True, slots=True)
class ShownTable:
    """What one table is told. folder: its own; seed: of the game it plays, and of its mishaps."""

    name: str
    game: str
    broker: str
    folder: str
    seed: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what ``line`` wrote."""
        return cls(**json.loads(text))

    def line(self) -> bytes:
        """Return it as a line."""
        return f"{json.dumps(asdict(self))}\n".encode()


def referee_table(shown: ShownTable, stop: threading.Event) -> None:
    """Referee the table until told to stop; a game that was begun is carried on."""
    package, folder = package_named(shown.game), Path(shown.folder)
    game, chance = package.game, random.Random(shown.seed)
    with ExitStack() as parts:
        served = ServedTable(Page(port=0), folder / DATA, parts)
        hosting, metrics = served.hosting, served.hosting.metrics()
        journal = Journal(folder / JOURNAL)
        evidence = EvidenceStore(pictures_folder(folder / JOURNAL))
        state = carried_on(journal, game)
        kept = GameJournal(journal, state, evidence) if state is not None else _begun(journal, evidence, package)
        table, sight = _laid(folder / "table", package, kept.state.position.observed.text, stop, parts)
        seats = OpponentSeats(package, Strength.WEAK, shown.seed, people=0, thinks_s=chance.uniform(*THINKS_S))
        mishaps = Mishaps(hosting.commands, chance)

        def follow(state: TableState, live: Live) -> None:
            seats.on_change(state, live)
            mishaps.on_change(state, live)

        loop = served.referee(game, kept, sight, Helpers(metrics, on_change=follow, notices=hosting.door.notices))
        hosting.serve(metrics, games=folder, game=game)
        join_hall(shown.broker, hosting, game, shown.name, folder / DATA, metrics, parts)
        hands: list[tuple[str, Callable[[], object]]] = [
            ("seats", lambda: seats.run(table, hosting.commands, stop.wait)),
            ("mishaps", lambda: mishaps.run(stop.wait)),
        ]
        for name, run in hands:
            thread = threading.Thread(target=run, name=name)
            parts.callback(thread.join)
            thread.start()
        parts.callback(stop.set)
        loop.run(stop.is_set)


class Mishaps:
    """What goes wrong at a table now and then, so that the desk has something to do."""

    def __init__(self, commands: CommandQueue, chance: random.Random) -> None:
        self._commands, self._chance = commands, chance
        self._state: TableState | None = None

    def on_change(self, state: TableState, live: Live) -> None:
        """Follow the table. Called in the turn loop's thread."""
        self._state = state

    def run(self, pause: Callable[[float], bool]) -> None:
        """Have something happen from time to time, until ``pause`` says that all is to stop."""
        while not pause(self._chance.uniform(*MISHAP_S)):
            state = self._state
            if state is None or state.phase is not Phase.PLAYING or not state.history:
                continue
            if self._chance.random() < 0.6:
                words = self._chance.choice(_WORDS)
                self._commands.command(Name.DISPUTE, {"entry": state.history[-1].id, "words": words}, "a player")
            else:  # nothing was done
                self._commands.command(Name.TURN_ENDED, {}, "a player")


def _begun(journal: Journal, evidence: EvidenceStore, package: GamePackage) -> GameJournal:
    assert package.playthrough is not None
    began = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))
    clock = Clock.starting(CLOCK, [seat.colour.word for seat in package.game.seats(began)])
    return start_journal(journal, GameStarted(began, "virtual table", clock=clock), evidence)


def _laid(
    folder: Path, package: GamePackage, lying: str, stop: threading.Event, parts: ExitStack
) -> tuple[Tabletop, TableSight]:
    kit = package.game.kit
    kind = turn_kind(kit)
    if not kind.NEEDS_PICTURES:
        return PageAlone(kind.NOTHING_SEEN), TableSight()
    setup = make_table(folder, package.game.name)
    drawn = DrawnSight(setup, kit)
    table = VirtualTable(setup, kit, drawn.show, lying, Pace(), stop.wait)
    return table, TableSight(drawn, eyes_of(kit, reader_at(package.game, setup, folder)))


def main() -> None:
    """Referee the table that the first line of standard input names, until that input ends."""
    bound_memory()
    enough_handles()
    configure(load_settings().settings.log.level, load_settings().settings.log.format)
    stop = threading.Event()
    shown = ShownTable.read(sys.stdin.readline())

    def wait() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=wait, daemon=True).start()
    referee_table(shown, stop)


if __name__ == "__main__":
    main()
