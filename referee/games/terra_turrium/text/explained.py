"""Explain the game in five lines, and the signs of its turns."""

from __future__ import annotations

from referee.games.answers import Explained
from referee.games.terra_turrium.ruleset import ATTACKS, POINTS, RuleSet
from referee.values.words import say

SIGNS = (
    ("-C1", say("a cube is taken")),
    ("+D4", say("a cube is placed")),
    ("B2-B3", say("a flag steps on")),
    ("B3xB4", say("it captures the flag there")),
    ("*A1", say("a flag comes back onto the board")),
)


def explained(rules: RuleSet) -> Explained:
    """Return how the game is played by these rules."""
    goal = "-".join(map(str, rules.goal))
    taken = " / ".join(map(str, sorted(rules.take_counts)))
    return Explained(
        (
            say("Goal: your six flags stand on towers of the heights {goal}.", goal=goal),
            say(
                "First take {n} cubes that carry no flag; few from foreign territories, and those at the rim.",
                n=taken,
            ),
            say("Then place all of them again, on any fields without a flag."),
            say(
                "Last move your flags, {points} points a turn: a step to the next stack, at most one level up or "
                "down, costs one.",
                points=POINTS,
            ),
            say(
                "Stepping onto a foreign flag captures it. Outside your own territory that is an attack, and you "
                "have {attacks} of them.",
                attacks=ATTACKS,
            ),
        ),
        SIGNS,
    )
