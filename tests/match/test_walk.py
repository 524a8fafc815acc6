"""Any events and any commands in any order: the state stays sound, and what was accepted gives it back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.strategies import sampled_from

from referee.games.terra_turrium.colours import LETTERS
from referee.match.commands import Command, CommandError, Name, actions, decide
from referee.match.events import Event, GameStarted, Trigger, TurnRuled
from referee.match.puttingright import may_be_put_right
from referee.match.state import EntryStatus, TableState, What
from referee.match.transitions import Phase, TableError, begin, replay, step
from referee.session.by_hand import ruled_by_hand
from referee.values.board import Board
from tests.match.fakes import StepGame, start
from tests.match.rulings import event_for

GAME = StepGame()
ARGUMENTS: dict[Name, dict[str, Any]] = {
    Name.RULE_BOARD: {"board": "12r/1y1"},
    Name.CORRECT: {"changes": {"board": "21r/1y1"}},
    Name.PUT_RIGHT: {"board": "21r/1y1"},
    Name.DISPUTE: {"entry": 1, "words": "too far"},
    Name.RESIGN: {"player": "red"},
    Name.END_GAME: {"how": "agreement", "winners": ["yellow"]},
}


def judge(state: TableState) -> TurnRuled:
    """Rule on the board that people gave."""
    assert state.turn.end.board is not None
    return ruled_by_hand(GAME, state.position, state.turn.end.board, state.turn.declared)


class WalkingTheTable(RuleBasedStateMachine):
    """The table under events and commands that come as they like."""

    @initialize()
    def begin(self) -> None:
        self.accepted: list[Event] = [GameStarted(start())]
        self.state = begin(self.accepted[0])

    @rule(trigger=sampled_from(Trigger))
    def pull(self, trigger: Trigger) -> None:
        event = event_for(trigger, self.state)
        before = self.state
        try:
            self.state = step(before, event)
        except TableError:
            assert self.state is before
        else:
            self.accepted.append(event)

    @rule(name=sampled_from([name for name in Name if name is not Name.NEW_GAME]))
    def tell(self, name: Name) -> None:
        arguments = dict(ARGUMENTS.get(name, {}))
        last = self.state.last_counting
        if name is Name.UNDO:
            arguments["entry"] = last.id if last else 1
        if name is Name.PUT_RIGHT:
            turns = [entry.id for entry in self.state.history if may_be_put_right(entry)]
            arguments["entry"] = turns[len(turns) // 2] if turns else 1
        if name is Name.RESOLVE:
            still = [dispute.id for dispute in self.state.disputes if dispute.outcome is None]
            arguments |= {"dispute": still[0] if still else 1, "outcome": "stands"}
        offered = name in actions(self.state, GAME if name is Name.PUT_RIGHT else None)
        try:
            events = decide(Command(name, arguments, "tablet"), self.state, GAME, judge)
        except CommandError:
            events = ()
        if not events:  # what is offered is carried out, but for what depends on more than the phase
            assert not offered or name in (Name.RESIGN, Name.ACCEPT, Name.CORRECT, Name.PUT_RIGHT)
            return
        assert offered
        for event in events:
            self.state = step(self.state, event)
            self.accepted.append(event)

    @invariant()
    def a_replay_gives_the_state_back(self) -> None:
        assert replay(self.accepted) == self.state

    @invariant()
    def the_record_does_not_fork(self) -> None:
        position = start()
        for number, entry in enumerate(self.state.history, 1):
            assert entry.id == number
            if entry.counts:
                assert entry.before == position
                assert entry.after is not None
                position = entry.after
        assert self.state.position == position

    @invariant()
    def phases_are_what_they_say(self) -> None:
        state = self.state
        assert (state.phase is Phase.FINISHED) == bool(state.position.finished or state.result)
        assert state.phase not in (Phase.READING, Phase.RULING) or state.awaiting
        assert (state.phase is Phase.PAUSED) == (state.paused_in is not None)
        open_ = [entry for entry in state.history if entry.fate is EntryStatus.OPEN]
        assert len(open_) <= 1
        assert not open_ or state.phase not in (Phase.PLAYING, Phase.FINISHED, Phase.RESTORING)
        assert state.phase not in (Phase.VIOLATION, Phase.UNSURE) or open_
        gone = [entry.player for entry in state.history if entry.what is What.RESIGNED and entry.counts]
        assert list(state.out) == gone

    @invariant()
    def somebody_can_always_do_something(self) -> None:
        assert self.state.phase is Phase.RULING or actions(self.state)


TestWalkingTheTable = WalkingTheTable.TestCase
TestWalkingTheTable.pytestmark = [pytest.mark.long]
TestWalkingTheTable.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)


def test_boards_of_the_walk_are_boards() -> None:
    assert Board.parse(ARGUMENTS[Name.RULE_BOARD]["board"], 2, 2, LETTERS).text == "12r/1y1"
