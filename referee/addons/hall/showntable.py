"""One table of ``referee hall --demo``: ``python -m referee.addons.hall.showntable``, told by a line of JSON.

It is a referee as at any table, but its cameras are drawn when somebody looks, and the game plays every seat. Now and
then something goes wrong (``referee.addons.hall.mishaps``). It ends with its input.
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

from calibration.table import load_table
from referee.addons.hall.address import broker_address
from referee.addons.hall.mishaps import Mishaps
from referee.addons.hall.table import enter
from referee.daemon import Helpers, TableSight
from referee.daemon.assembly import ServedTable
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.preview import LatestPictures, eyes_of
from referee.demo.actor import PageAlone, Tabletop
from referee.demo.seats import OpponentSeats
from referee.games import package_named
from referee.games.package import GamePackage
from referee.games.record import parse_record
from referee.match.clock import Clock, TimeControl
from referee.match.events import GameStarted
from referee.match.live import Live
from referee.match.state import TableState
from referee.match.turnkind import turn_kind
from referee.opponents import Strength
from referee.service.logs import configure
from referee.service.memory import bound_memory, enough_handles
from referee.service.settings import Page, load_settings
from referee.session.readers import reader_at
from referee.virtual.folder import VIRTUAL_TABLE, make_table
from referee.virtual.sight import DrawnSight
from referee.virtual.table import Pace, VirtualTable

DATA, GAMES = "data", "games"
CLOCK = TimeControl(total_s=3600, increment_s=10)
THINKS_S = (8.0, 20.0)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """What one table is told.

    folder: its own. seed: of the game it plays, and of its mishaps. language: of what its players say.
    """

    name: str
    game: str
    broker: str
    folder: str
    seed: int
    language: str

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
        shelf = GamesFolder(folder / GAMES, "table")
        shelf.folder.mkdir(exist_ok=True)
        kept = shelf.carry_on(game) or shelf.begin(beginning(package))
        table, sight, looks = _laid(folder / "table", package, kept.state.position.observed.text, stop, parts)
        seats = OpponentSeats(package, Strength.WEAK, shown.seed, people=0, thinks_s=chance.uniform(*THINKS_S))
        cameras = [state.name for state in sight.source.cameras()]
        mishaps = Mishaps(hosting.commands, table, cameras, *fate(shown.seed, kept.journal.last), shown.language)

        def follow(state: TableState, live: Live) -> None:
            seats.on_change(state, live)
            mishaps.on_change(state, live)

        loop = served.referee(game, kept, sight, Helpers(metrics, on_change=follow, notices=hosting.notices))
        hosting.serve(metrics, games=shelf.folder, game=game)
        assert hosting.added is not None
        enter(broker_address(shown.broker), shown.name, hosting.added, lambda: _sights(looks))
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


def fate(seed: int, last: int) -> tuple[random.Random, int]:
    """Return the chance of a table's mishaps, and which comes first. last: number of its journal's newest event.

    A table that was begun again after its power was cut goes on with others: else it would cut it first, each time.
    """
    return random.Random(f"{seed} {last}"), seed + last


def _sights(looks: LatestPictures | None) -> dict[str, tuple[int, float]]:
    """Return how the pictures read last show the frame: drawn cameras give no others."""
    found = looks.sights() if looks is not None else {}
    return {camera: (sight.markers, sight.edge_px) for camera, sight in found.items()}


def beginning(package: GamePackage) -> GameStarted:
    """Return how a table's game begins, by the game that comes along."""
    assert package.playthrough is not None
    began = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))
    clock = Clock.starting(CLOCK, [seat.colour.word for seat in package.game.seats(began)])
    return GameStarted(began, VIRTUAL_TABLE, clock=clock)


def _laid(
    folder: Path, package: GamePackage, lying: str, stop: threading.Event, parts: ExitStack
) -> tuple[Tabletop, TableSight, LatestPictures | None]:
    kit = package.game.kit
    kind = turn_kind(kit)
    if not kind.NEEDS_PICTURES:
        return PageAlone(kind.NOTHING_SEEN), TableSight(), None
    setup = load_table(folder) if folder.exists() else make_table(folder, package.game.name)
    drawn = DrawnSight(setup, kit)
    table = VirtualTable(setup, kit, drawn.show, lying, Pace(), stop.wait)
    eyes = eyes_of(kit, reader_at(package.game, setup, folder))
    return table, TableSight(drawn, eyes), eyes


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
