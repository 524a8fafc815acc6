"""Explain the game in five lines, and how its turns are written."""

from __future__ import annotations

from referee.games.answers import Explained
from referee.values.words import say

SIGNS = (
    ("roll 3+4", say("the dice")),
    ("draw, install, discard", say("what is done with a card, and which")),
    ("blue pours yellow", say("what another player does")),
)


def explained(target: int) -> Explained:
    """Return how the game is played for so many infrastructures."""
    return Explained(
        (
            say("Goal: {n} infrastructures installed, membership of the Alliance and no open loan.", n=target),
            say("Roll both dice, move on, and do what the space says: develop, join, pay, pour, answer."),
            say("On a development space draw one card, then install it or another one, or throw one away."),
            say("Counters that are poured fill the Impact Zone. When it overflows, its ten are lost to everybody."),
            say("Who has no green or no yellow counters left is out; when too many are out, all have lost together."),
        ),
        SIGNS,
    )
