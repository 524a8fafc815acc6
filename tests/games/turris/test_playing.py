"""The turns a seat that plays itself thinks of: just those the rules allow, best first, alike for the same seed."""

from __future__ import annotations

import random
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.answers import Strength
from referee.games.turris.bars import COLOURS, Bar
from referee.games.turris.declaring import parse_act
from referee.games.turris.parsing import parse_position
from referee.games.turris.playing import PLAYS, SKILLS
from referee.games.turris.position import TurrisPosition
from referee.games.turris.scoring import scores_of, total
from referee.games.turris.tower import Tower
from tests.games.turris.playedturns import STACK
from tests.games.turris.positions import built, position, some_options, some_world
from tests.games.turris.reference import TowerSet, World, text_of


def turns(now: TurrisPosition, strength: Strength, seed: int = 1) -> list[str]:
    return list(PLAYS.turns(now, strength, Random(seed)))


def after(now: TurrisPosition, turn: str) -> Tower:
    """Return the tower a turn leads to."""
    tower = now.tower
    for text in turn.split():
        act = parse_act(text)
        bars = [bar for bar in tower.bars if bar.place == act.place] if not act.lay else []
        tower = tower.turned(bars[0] if bars else Bar(now.to_move, act.place))
    return tower


def ends(world: World) -> set[TowerSet]:
    """Return the towers that one bar leads to by the slow rules."""
    return {tower for tower in world.legal_ends(1) if len(tower) == len(world.tower) + 1}


def test_nothing_is_chosen_and_nothing_laid_before_the_game() -> None:
    choice = {"edition": "fr", "options": {"pass": "free"}}
    assert PLAYS.prepared(choice) == choice
    assert PLAYS.set_up(position(), Random(1)).text == ""


@given(seed=st.integers(0, 10**9))
def test_a_weak_seat_thinks_of_every_bar_that_may_be_laid(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(12), some_options(rnd))
    now = parse_position(world.data)
    if not world.tower:
        return
    *found, last = turns(now, Strength.WEAK)
    assert last == ""  # where nothing can be laid the turn is passed
    assert len(set(found)) == len(found)
    towers = {after(now, turn).text for turn in found}
    assert towers == {text_of(tower) for tower in ends(world)}


@pytest.mark.parametrize("chain", ["yes", "no"])
def test_a_better_one_thinks_of_a_bonus_too(chain: str) -> None:
    before = "D a1.1^, L a2.1^, D b3c3.1"
    now = position(built(before), last={"dark": ["b3c3.1"]}, options={"bonus_chain": chain})
    found = turns(now, Strength.MIDDLE)
    assert "+b1b2.1 -a1.1^" in found
    assert "+b1b2.1 -b3c3.1" not in found  # laid last
    assert "+b1b2.1 +c1c2.1" in found
    assert "+b1c1.1 +c2b2.1" not in found
    assert not [turn for turn in found if turn.split() and turn.split()[0] == "+b1c1.1" and len(turn.split()) > 1]
    assert max(len(turn.split()) for turn in found) == 2
    assert SKILLS[Strength.STRONG].playouts > SKILLS[Strength.MIDDLE].playouts > SKILLS[Strength.WEAK].playouts == 0


def test_the_last_bar_is_laid_where_it_wins_most() -> None:
    """With no bar left to play on with, a playout is the result itself."""
    laid = ", ".join(f"{'LD'[i % 2]} {name}" for i, name in enumerate(STACK[:39]))
    now = position(built(laid), to_move="dark", left={"light": 0, "dark": 1})

    def ahead(turn: str) -> int:
        scores = scores_of(after(now, turn), recessed=True)
        light, dark = (total(scores[colour]) for colour in COLOURS)
        return dark - light

    *found, _ = turns(now, Strength.MIDDLE)
    single = [turn for turn in found if len(turn.split()) == 1]
    assert ahead(single[0]) == max(map(ahead, single)) > min(map(ahead, single))


@pytest.mark.parametrize(
    ("seed", "first"),
    [
        (1, "+b2c2.1, +b2c2.1 +a1a2.3, +b1b2.1 +c1.1^"),
        (2, "+b2c2.1 +a1a2.3, +b1b2.1, +b1b2.1 +a1a2.3"),
        (3, "+b2c2.1 -a1.1^, +b2c2.1, +b2.1^ -a1.1^"),
    ],
)
def test_the_same_seed_plays_the_same(seed: int, first: str) -> None:
    now = position(built("D a1.1^, L a2.1^, D b3c3.1"), last={"dark": ["b3c3.1"]})
    assert turns(now, Strength.MIDDLE, seed)[:3] == first.split(", ")
