"""Explain the game in five lines, and the signs of its turns."""

from __future__ import annotations

from referee.games.answers import Explained
from referee.games.torres.ruleset import AP
from referee.values.words import say

EXPLAINED = Explained(
    (
        say("Goal: the most points after three phases."),
        say("A turn has {points} action points, for acts in any order.", points=AP),
        say("Build a block (1): beside or on a castle, never joining two, never higher than the castle has fields."),
        say(
            "Put a knight next to one of yours (2), step (1, at most one level up) or go through a castle’s doors "
            "(1)."
        ),
        say("A phase’s end counts for each castle its fields times the level of your highest knight on it."),
    ),
    (
        ("+D7", say("a block is built")),
        ("@C5", say("a knight comes in")),
        ("C6-C7", say("a knight steps")),
        ("C5=D6", say("a knight goes through a castle")),
        ("[jump]", say("a card is played")),
        ("$1", say("cards are bought")),
        ("#2", say("points go onto the score track")),
        ("kD7", say("the king moves")),
    ),
)
