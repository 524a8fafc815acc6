"""A button of the box that declares, on a real line: cards come round one by one and are of the turn that ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from referee.buttonbox.protocol import Message
from referee.daemon import CommandQueue, TableSight, TurnLoop, ViewPublisher, start_journal
from referee.daemon.buttons import Buttons
from referee.daemon.turnloop import Helpers
from referee.games import game_named
from referee.games.contract import Position
from referee.match.events import AnyGame, GameStarted
from referee.match.phases import Phase
from tests.buttonbox.box import until
from tests.buttonbox.line import Line
from tests.games.torres.tables import position_data
from tests.match.fakes import FakeEyes
from tests.match.loops import QuickJournal, told

CASTLES = game_named("torres")


class Wired:
    """A game under way with a box of two buttons on a pseudo-terminal: one for all turns, one that declares."""

    def __init__(
        self, folder: Path, game: AnyGame, position: Position, declares: Sequence[int], parts: ExitStack
    ) -> None:
        self.line, self.desk = Line(folder), CommandQueue()
        self.buttons = Buttons(game, self.desk)
        book = start_journal(QuickJournal(folder / "game.journal"), GameStarted(position, "test"))
        helpers = Helpers(on_change=self.buttons.on_change)
        self.loop = TurnLoop(
            game,
            TableSight(reader=FakeEyes()),
            book,
            self.desk,
            ViewPublisher().publish,
            helpers=helpers,
            clock=lambda: 0.0,
        )
        assert told(self.loop, self.desk, "begin").accepted
        self.line.plug()
        parts.callback(self.line.unplug)
        parts.enter_context(self.buttons.attach(self.line.url, declares))
        until(lambda: not self.buttons.notices)
        self._seq = 10

    def press(self, button: int, *more: int) -> None:
        """Press buttons one right after the other, before the game hears of any."""
        presses = []
        for one in (button, *more):
            self._seq += 1
            presses.append(self.line.press(self._seq, one))
        self.line.say(*presses)

    def until(self, holds: Callable[[], object]) -> None:
        """Let the game go on until something holds."""
        until(lambda: (self.loop.round(), holds())[1])

    @property
    def said(self) -> dict[str, object]:
        return dict(self.loop.state.turn.declared)

    def buzzed(self) -> list[int]:
        """Return how long each sound was, milliseconds."""
        heard: dict[int, Message] = {message.seq: message for message in self.line.got if message.kind == "BUZZ"}
        return [int(message.arguments[0]) for message in heard.values()]


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def castles(folder: Path, parts: ExitStack, declares: Sequence[int] = (2,)) -> Wired:
    return Wired(folder, CASTLES, CASTLES.position(position_data()), declares, parts)


def answers(wired: Wired) -> list[str]:
    form = CASTLES.form(wired.loop.state.position)
    assert form is not None
    return [answer.id for answer in form.fields[0].answers]


def test_each_press_steps_to_the_next_card_and_at_last_to_none(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts)
    cards = answers(wired)
    assert len(cards) > 3
    assert wired.said == {}  # nothing is declared until somebody says so
    for card in cards[:2]:
        wired.press(2)
        wired.until(lambda card=card: wired.said == {"card": card})
    assert told(wired.loop, wired.desk, "declare", declared={"card": cards[-1]}).accepted
    wired.press(2)
    wired.until(lambda: wired.said == {})
    until(lambda: wired.buzzed() == [50, 50, 300])


def test_presses_that_come_together_are_all_steps(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts)
    wired.press(2, 2, 2)
    wired.until(lambda: wired.said == {"card": answers(wired)[2]})


def test_what_was_said_on_the_page_stays(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts)
    assert told(wired.loop, wired.desk, "declare", declared={"bought": 1}).accepted
    wired.press(2)
    wired.until(lambda: wired.said == {"bought": 1, "card": answers(wired)[0]})


def test_the_other_button_ends_the_turn_with_what_was_said(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts, declares=(1,))
    wired.press(1)
    wired.until(lambda: wired.said)
    wired.press(2)  # the only one left is for all players
    wired.until(lambda: wired.loop.state.phase is Phase.READING)
    assert wired.said == {"card": answers(wired)[0]}
    wired.press(1)  # too late: the turn is over
    wired.press(2)
    wired.loop.round()
    assert wired.said == {"card": answers(wired)[0]}


def test_each_of_several_buttons_answers_a_question(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts, declares=(2, 1))
    wired.press(1)
    wired.until(lambda: wired.said == {"bought": 1})
    wired.press(2)
    wired.until(lambda: wired.said == {"bought": 1, "card": answers(wired)[0]})
    wired.press(1, 1)  # two may be bought at most
    wired.until(lambda: wired.said == {"card": answers(wired)[0]})


def test_a_game_in_which_nothing_can_be_chosen_refuses_with_a_sound(tmp_path: Path, parts: ExitStack) -> None:
    game = game_named("turris")
    position = game.new_game({"edition": "fr", "seats": {"south": "light", "north": "dark"}})
    wired = Wired(tmp_path, game, position, (2,), parts)
    wired.press(2)
    wired.until(lambda: wired.buzzed() == [150])
    assert wired.loop.state.phase is Phase.PLAYING


def test_without_a_button_that_declares_each_is_a_players(tmp_path: Path, parts: ExitStack) -> None:
    wired = castles(tmp_path, parts, declares=())
    wired.press(2)  # Orange's, and Blue is to move
    wired.until(lambda: wired.buzzed() == [150])
    assert wired.said == {}
