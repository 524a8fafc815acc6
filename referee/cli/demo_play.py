"""``referee demo --play``: a game at a table that exists in the computer, seen by virtual cameras."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from referee.cli.gamebook import usual_start
from referee.cli.plurals import counted
from referee.cli.run import run_table
from referee.daemon import CommandQueue
from referee.daemon.hosting import Hosting
from referee.demo.companion import Companion
from referee.demo.heldphone import HeldPhone
from referee.demo.scripted import play_script
from referee.demo.seats import OpponentSeats
from referee.demo.virtualdesk import PlayedTable
from referee.games import game_named, package_named
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.games.record import parse_record
from referee.match.commands import Command, Name
from referee.match.live import Live
from referee.match.state import TableState
from referee.opponents import Strength
from referee.service.pairing import pairing_link, pairing_told, said_to_the_journal
from referee.service.settings import Settings
from referee.storage.aside import folder_aside
from referee.virtual.drawing_process import DrawingProcess
from referee.virtual.folder import VIRTUAL_TABLE, make_table
from referee.virtual.script import parse_script
from referee.virtual.table import Pace, VirtualTable
from vision.sources.address import parse_source
from web.tableview import PhoneCameras

PLAYERS_PACE = Pace(reach_s=0.28, dwell_s=0.12)
"""A person who plays sees the hand, and does not want to wait for it."""


def play(
    settings: Settings,
    name: str,
    stop: threading.Event,
    companions: Sequence[Companion] = (),
    lent: Callable[[Hosting], None] | None = None,
    held: bool = False,
) -> None:
    """Play a game at a virtual table until told to stop. Raises what the parts raise, all told in words.

    companions: who plays along. lent: told when the page of a table that is lent to a visitor is up. held: a phone in
    the hand is its only camera.
    """
    game = game_named(name)
    with ExitStack() as parts:
        folder = parts.enter_context(folder_aside("referee-play-"))
        laid = folder / VIRTUAL_TABLE
        setup = make_table(laid, name, held)
        drawing = parts.enter_context(DrawingProcess(laid))
        start = _start(package_named(name))
        table = VirtualTable(setup, game.kit, drawing.show, start.observed.text, PLAYERS_PACE, stop.wait)
        idea = companions[0].idea if companions and _by_hands_alone(package_named(name)) else None
        people = companions[0].people if companions else lambda state: ()

        def desk(press: Callable[[str], None], phones: PhoneCameras | None) -> PlayedTable:
            phone = HeldPhone(table, setup, game.kit, phones.offer, stop.wait) if held and phones else None
            if phone is not None:
                beside.start("phone", phone.run)
            return PlayedTable(table, setup, game, press, idea, people, phone)

        beside = _Played(table, companions, stop, desk, lent)
        parts.callback(beside.close)
        drawing.await_cameras([name for name in setup.cameras if name not in setup.held], stop.wait)
        sources = {
            camera: parse_source(f"{'phone' if camera in setup.held else 'virtual'}:{camera}", laid)
            for camera in setup.cameras
        }
        kept = settings.model_copy(update={"data_folder": folder / "data"})
        begins = folder / "game.json"
        begins.write_text(json.dumps(start.to_json()), encoding="utf-8")
        run_table(laid, kept, sources, begins, True, stop, beside)


def other_seats(package: GamePackage, people: int, strength: Strength) -> tuple[Companion, ...]:
    """Return who plays the seats that people leave free; nobody in a game that does not say how it is played.

    Raises UsageError for more people than there are seats.
    """
    seats = len(package.game.seats(_start(package)))
    if people > seats:
        raise click.UsageError(f"--people {people}: {package.game.title} has {seats} seats")
    if package.plays is None:
        return ()
    return (OpponentSeats(package, strength, secrets.randbelow(2**31), people, tell=click.echo),)


def _by_hands_alone(package: GamePackage) -> bool:
    """Return whether nothing is declared of a game's turns, as far as the short game that comes along tells."""
    if package.playthrough is None:
        return False
    turns = parse_record(package.playthrough.read_text(encoding="utf-8")).turns
    return not any(package.records.declared(entry) for entry in turns)


def _start(package: GamePackage) -> Position:
    """Return where play begins: as laid out in the game's short recording, so that nobody has to set it up."""
    if package.playthrough is None:
        return usual_start(package.game)
    return package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))


class _Played:
    """Hold what a virtual table has besides its cameras."""

    def __init__(
        self,
        table: VirtualTable,
        companions: Sequence[Companion],
        stop: threading.Event,
        desk: Callable[[Callable[[str], None], PhoneCameras | None], PlayedTable],
        greeted: Callable[[Hosting], None] | None,
    ) -> None:
        self.lent = greeted is not None
        self._greeted = greeted
        self._table, self._companions, self._stop, self._desk = table, companions, stop, desk
        self._threads: list[threading.Thread] = []
        self._played: PlayedTable | None = None

    def on_change(self, state: TableState, live: Live) -> None:
        if self._played is not None:
            self._played.follow(state, live)
        for companion in self._companions:
            companion.on_change(state, live)

    def start(self, name: str, run: Callable[[], object]) -> None:
        """Run something in a thread until the table is closed; it must end when told to stop."""
        thread = threading.Thread(target=run, name=name)
        thread.start()
        self._threads.append(thread)

    def desk(self, press: Callable[[str], None], commands: CommandQueue, phones: PhoneCameras | None) -> PlayedTable:
        commands.put(Command(Name.BEGIN, {}, VIRTUAL_TABLE))  # all is laid out already
        for companion in self._companions:
            self.start("companion", partial(companion.run, self._table, commands, self._stop.wait))
        self._played = self._desk(press, phones)
        return self._played

    def greet(self, hosting: Hosting, title: str) -> None:
        if self._greeted is not None:
            self._greeted(hosting)
            return
        code = hosting.auth.desk.new_code()
        if said_to_the_journal():
            click.echo(pairing_told(hosting.url, code, hosting.local))
            return
        click.echo(f"{title} at a virtual table. Open this in a browser and play (stop with Ctrl-C):")
        click.echo(f"  {pairing_link(hosting.url.rstrip('/') + '/virtual', code).replace('/virtual/#', '/virtual#')}")
        click.echo("Until it stops, 'referee journal export' packs the game with all its pictures:")
        click.echo(f"  {hosting.journal().path}")

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def play_file(path: Path, game: str | None, fast: bool, stop: threading.Event, phone: bool = False) -> bool:
    """Play a script headless, and tell whether the record came out as it implies. Raises RecordError.

    phone: a phone in the hand is the table's only camera.
    """
    text = path.read_text(encoding="utf-8")
    script = parse_script(text)
    if game is not None and script.record.headers.get("game") != game:
        text = f'[game "{game}"]\n{text}'
        script = parse_script(text)
    played = play_script(script, fast, stop, click.echo, phone)
    click.echo(played.record.text)
    told = played.told
    for line in told.wrong:
        click.echo(f"otherwise than the script has it: {line}", err=True)
    if not told.wrong:
        asked = f", {counted(told.questions, 'question')} answered" if told.questions else ""
        again = f", {counted(told.looks_again, 'look')} taken again" if told.looks_again else ""
        by_hand = f", {counted(told.by_hand, 'board')} told by hand" if told.by_hand else ""
        turns = counted(len(script.turns), "turn")
        click.echo(f"The record is as the script implies: {turns}{asked}{again}{by_hand}.")
    return not told.wrong
