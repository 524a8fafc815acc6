"""Explain the game in five lines, and the signs of its turns."""

from __future__ import annotations

from referee.games.answers import Explained
from referee.values.words import say

EXPLAINED = Explained(
    (
        say("Goal: the largest connected areas of your colour on the four sides and from above."),
        say("A turn lays one bar of your own, flat or upright, touching a bar that is there."),
        say("It rests fully on bars or on the base, and at most three levels are unfinished."),
        say(
            "A bar that fills a square of the centre column earns a bonus: one more bar, or one of the other’s bars "
            "is taken off."
        ),
        say("The game ends when all bars are laid."),
    ),
    (
        ("+b1b2.3", say("a bar lies flat on two squares, here of level 3")),
        ("+a1.1^", say("a bar stands upright, from level 1 on")),
        ("-a1.1^", say("a bar is taken off")),
    ),
)
