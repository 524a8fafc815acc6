"""A screen for the room over a state that is made, without cameras: a game some turns on, legal or broken."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page

from referee.daemon import ViewPublisher
from referee.daemon.roomscreen import RoomScreen
from referee.games import package_named
from referee.games.package import GamePackage
from referee.games.record import parse_record
from referee.match.events import (
    GameStarted,
    LeftOpen,
    LookTaken,
    SetupAccepted,
    TurnRetold,
    TurnRuled,
    TurnsRetold,
)
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.service.server import PageServer, address, bind
from referee.values.board import Board, Field
from referee.view import table_view
from tests.match.rulings import reading
from tests.web.browser import open_page
from web.app import create_app
from web.tableparts import TableParts

OPEN = frozenset({Field.from_name("E7"), Field.from_name("D6")})
"""Fields that a turn leaves open where a test says nothing else."""
NAMES = ("Anna-Katharina", "Bartholomäus", "Chloé", "Dorothea")


def some_turns_on(name: str, turns: int, broken: bool = False) -> TableState:
    """Return a game's playthrough after some turns; broken: the next two are made as if they were one."""
    package = package_named(name)
    text = package.playthrough.read_text(encoding="utf-8") if package.playthrough is not None else ""
    record = parse_record(text)
    position = package.records.start(record)
    words = [seat.colour.word for seat in package.game.seats(position)]
    called = tuple(zip(words, NAMES, strict=False))
    state = step(begin(GameStarted(position, "Table 1", called)), SetupAccepted("Tablet"))
    for entry in record.turns[:turns]:
        ruling = package.records.play(state.position, entry)
        assert ruling.next is not None
        state = ruled_on(state, TurnRuled.by_rules(ruling.next.observed.text, ruling))
    return _two_at_once(package, state, turns) if broken else state


def much_broken(name: str, turns: int, tries: int = 60) -> TableState:
    """Return a grid's game after some turns, the next one made so that as many rules as can be are broken at once."""
    package = package_named(name)
    state = some_turns_on(name, turns)
    board = state.position.observed
    assert isinstance(board, Board)
    chance = random.Random(3)
    rulings = []
    for _ in range(tries):
        heights, flags = board.heights.copy(), board.flags.copy()
        for _ in range(chance.randint(3, 8)):
            place = chance.randrange(heights.shape[0]), chance.randrange(heights.shape[1])
            if chance.random() < 0.6:
                heights[place] = max(0, heights[place] + chance.choice((-2, -1, 1, 2)))
            else:
                flags[place] = chance.randrange(len(board.letters) + 1)
        with suppress(ValueError):
            after = board.like(Board(heights, flags, board.letters).text)
            rulings.append((package.game.check(state.position, after), after.text))
    worst, text = max(rulings, key=lambda pair: sum(len(one.words.text("de")) for one in pair[0].violations))
    return ruled_on(state, TurnRuled.by_rules(text, worst))


def _two_at_once(package: GamePackage, state: TableState, turns: int) -> TableState:
    assert package.playthrough is not None
    position = state.position
    for entry in parse_record(package.playthrough.read_text(encoding="utf-8")).turns[turns : turns + 2]:
        after = package.records.play(position, entry).next
        assert after is not None
        position = after
    ruling = package.game.check(state.position, position.observed)
    assert not ruling.legal
    return ruled_on(state, TurnRuled.by_rules(position.observed.text, ruling))


def left_open(state: TableState, open_: frozenset[Field] = OPEN, lost: frozenset[Field] = OPEN) -> TableState:
    """Return the state with the newest turn leaving fields open. lost: those on which anything may stand."""
    last = state.history[-1]
    assert last.ruled is not None
    ruled = replace(last.ruled, found=replace(last.ruled.found, open=open_), left_open=LeftOpen(lost=lost))
    return replace(state, history=(*state.history[:-1], replace(last, ruled=ruled)))


def told_anew(state: TableState, number: int, open_: frozenset[Field] = frozenset()) -> TableState:
    """Tell an entry of the record anew by the newest look."""
    entry = state.entry(number)
    assert entry is not None
    assert entry.ruled is not None
    assert entry.ruled.ruling is not None
    return step(state, TurnsRetold((TurnRetold(number, entry.before, entry.ruled.ruling, open_),)))


def ruled_on(state: TableState, event: TurnRuled) -> TableState:
    """Take a look, of which this event comes."""
    looked = step(step(state, LookTaken(state.look + 1)), replace(reading(), text=event.observed))
    return step(looked, event)


class Watched:
    """A served table with a room's screen."""

    def __init__(self, name: str, folder: Path, parts: ExitStack) -> None:
        self.game = package_named(name).game
        self.board = ViewPublisher()
        parts.callback(self.board.close)
        self.room = RoomScreen(self.board, folder / "room.json")
        sock = parts.enter_context(bind("127.0.0.1", 0))
        self.url = address(sock)
        app = create_app(self.board, TableParts(room=self.room), HEARTBEAT_S=0.3)
        parts.enter_context(PageServer(app, sock))
        parts.callback(self.board.close)

    def show(self, state: TableState) -> None:
        """Publish a state, with and without names."""
        unnamed = state.naming({})
        self.board.publish(
            lambda language: table_view(self.game, state, language=language),
            lambda language: table_view(self.game, unnamed, language=language),
        )


@contextmanager
def watched(name: str, folder: Path, state: TableState) -> Iterator[Watched]:
    """Run a table that shows a state."""
    with ExitStack() as parts:
        table = Watched(name, folder, parts)
        table.show(state)
        yield table


@contextmanager
def on_a_screen(
    table: Watched, size: tuple[int, int] = (1920, 1080), query: str = "", theme: str = "light"
) -> Iterator[Page]:
    """Open the room's screen in a real browser."""
    with open_page(*size, theme=theme) as page:
        page.goto(f"{table.url}watch{query}")
        page.wait_for_selector("#room[data-version]")
        yield page
