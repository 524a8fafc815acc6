"""Whatever looks hide, nobody is accused of a legal turn, and what the record does not leave open was played."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.record import outcomes
from referee.games import package_named
from referee.games.contract import Position
from referee.games.record import Record, entry_of
from referee.virtual.script import Script, parse_script
from tests.games.terra_turrium.positions import position
from tests.session.hidden import Sight, play_hidden
from tests.virtual.made import breach, legal_turn

TURNS = 4


def script(seed: int) -> Script:
    """Return a short game of random legal turns, before some of which a rule is broken."""
    rnd, package = random.Random(seed), package_named("terra-turrium")
    now: Position = package.game.position(position())
    text = Record(package.records.headers(now), ()).text
    for _ in range(TURNS):
        ruled = legal_turn(rnd, package, now)
        assert ruled is not None
        assert ruled.next is not None
        entry = entry_of(now, ruled)
        wrong = breach(rnd, package, now, entry) if rnd.random() < 0.5 else None
        if wrong is not None:
            text += f"{entry.number}. {entry.player} {wrong[0].acts} {{illegal}}\n"
        text += f"{entry.number}. {entry.player} {entry.acts}\n"
        now = ruled.next
    return parse_script(text)


@pytest.mark.parametrize(
    ("seed", "sight"),
    [
        *((seed, sight) for seed in range(3) for sight in (Sight(0.0, 0.0), Sight(0.05, 0.03))),
        pytest.param(2, Sight(0.15, 0.1), marks=pytest.mark.long),
    ],
)
def test_nobody_is_accused_and_what_is_kept_as_certain_is_true(seed: int, sight: Sight) -> None:
    turns = script(seed)
    table = play_hidden(turns, sight, random.Random(seed))
    found = Counter(outcome for _, outcome in outcomes(turns, table.state))
    assert not {"accused", "wrong"} & found.keys()
    if sight == Sight(0.0, 0.0):
        assert not {"missed", "open", "unsure"} & found.keys()
        assert table.by_hand == 0
        # Where a breach looks like a fall, players are asked before anybody is accused.
        assert table.questions <= sum(turn.illegal for turn in turns.turns)
