"""One game after the other: a recorded one played again, a new one chosen, and never one nobody meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.daemon import CommandQueue, TableSight, TurnLoop, ViewPublisher
from referee.daemon.gamesfolder import GamesFolder
from referee.match.commands import Command, CommandError, Name, actions, decide
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.storage.journal import Journal
from tests.match.fakes import FakeEyes, FakeSight, StepGame, start, step_adapter
from tests.match.loops import told
from tests.untyped import untyped

GAME = StepGame()
RECORDED = ("11r/1y1", "11r/1y2")
"""A set-up and one turn."""


class Table:
    """A loop whose games lie in a folder."""

    def __init__(self, folder: Path, sight: FakeSight, recorded: bool) -> None:
        self.folder, self.sight, self.desk, self.board = folder, sight, CommandQueue(), ViewPublisher()
        book = GamesFolder(folder, "steps").begin(GameStarted(start(), "test", recorded=recorded))
        adapters = step_adapter(FakeEyes())
        self.loop = TurnLoop(GAME, TableSight(sight, adapter=adapters), book, self.desk, self.board.publish)

    def tell(self, name: Name, **arguments: object) -> str:
        """Give a command. Return the refusal's code, empty when it was carried out."""
        return told(self.loop, self.desk, name.value, **arguments).code

    def to_its_end(self) -> None:
        for name in (Name.LOOK_AGAIN, Name.TURN_ENDED):
            assert self.tell(name) == ""
            self.loop.round()
        self.loop.round()

    def offered(self) -> set[str]:
        return {action["id"] for action in untyped(self.board.snapshot())["actions"]}


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, FakeSight(RECORDED), recorded=True)
    yield table
    table.loop.close()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Table]:
    sight = FakeSight(patience_s=60.0)
    sight.board = RECORDED[0]
    table = Table(tmp_path, sight, recorded=False)
    yield table
    table.loop.close()


def test_without_further_pictures_no_look_is_begun(recorded: Table) -> None:
    assert "play_again" not in recorded.offered()
    recorded.to_its_end()
    assert recorded.loop.state.ended
    assert "play_again" in recorded.offered()
    assert not {"turn_ended", "look_again", "new_game"} & recorded.offered()
    for name in (Name.TURN_ENDED, Name.LOOK_AGAIN):
        assert recorded.tell(name) == "ended"
    assert recorded.loop.state.phase is Phase.PLAYING


def test_played_again_it_begins_anew_and_every_game_keeps_its_journal(recorded: Table) -> None:
    kept = []
    for _ in range(3):
        recorded.to_its_end()
        journal = recorded.loop.journal.journal
        kept.append((journal.path, [(entry.kind, entry.data) for entry in journal.entries()]))
        assert recorded.tell(Name.PLAY_AGAIN) == ""
        assert (recorded.loop.state.look, recorded.loop.state.phase) == (0, Phase.SET_UP)
        assert recorded.loop.state.position == start()
        assert recorded.loop.state.begun.recorded
    assert len({path for path, _ in kept}) == 3
    for path, entries in kept[:2]:  # the last one stays open for those who still read from it
        with Journal(path) as journal:
            assert [(entry.kind, entry.data) for entry in journal.entries()] == entries


def test_a_recorded_game_ended_by_agreement_can_be_played_again(recorded: Table) -> None:
    assert recorded.tell(Name.END_GAME, how="draw") == ""
    assert "play_again" in recorded.offered()
    assert recorded.tell(Name.PLAY_AGAIN) == ""


def test_a_game_under_way_is_not_left_for_another(live: Table) -> None:
    assert live.tell(Name.PLAY_AGAIN) == "phase"
    live.loop.round()
    assert live.tell(Name.TURN_ENDED) == ""
    live.loop.round()
    assert live.loop.state.history
    assert live.tell(Name.NEW_GAME, choice={"edition": "plain"}) == "phase"


def test_before_the_first_turn_other_players_can_be_chosen(live: Table) -> None:
    """While the set-up is looked at, and once the game has begun."""
    live.sight.moving = True
    assert live.tell(Name.LOOK_AGAIN) == ""
    assert (live.loop.state.phase, live.loop.state.awaiting) == (Phase.SET_UP, True)
    assert "new_game" in live.offered()
    assert live.tell(Name.NEW_GAME, choice={"edition": "plain"}) == ""
    live.sight.moving = False
    live.loop.round()
    live.loop.round()
    assert live.loop.state.phase is Phase.PLAYING
    assert live.tell(Name.NEW_GAME, choice={"edition": "plain"}) == ""
    assert len(list(live.folder.glob("*.journal"))) == 3


def test_of_two_tablets_only_one_begins_a_new_game(live: Table) -> None:
    live.loop.round()
    assert live.tell(Name.END_GAME, how="draw") == ""
    seen = live.loop.journal.journal.last
    outcomes = []
    for _ in range(2):
        asked = live.desk.put(Command("new_game", {"choice": {"edition": "plain"}}, "tablet", seen))
        live.loop.round()
        assert asked.outcome is not None
        outcomes.append(asked.outcome.code)
    assert outcomes == ["", "moved-on"]
    assert len(list(live.folder.glob("*.journal"))) == 2


def test_a_game_from_before_recordings_were_marked_still_refuses_what_cannot_be_looked_at(recorded: Table) -> None:
    started = GameStarted.from_json({"position": start().to_json(), "source": "Recorded game"}, GAME)
    assert not started.recorded
    recorded.to_its_end()
    state = recorded.loop.state
    assert Name.PLAY_AGAIN in actions(state)
    with pytest.raises(CommandError, match="no more pictures"):
        decide(Command("turn_ended"), state, GAME)
