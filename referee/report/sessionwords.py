"""The sentences of a whole game's page that are the same for every game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Words, say

REPLAY = say("The game, turn by turn")
HEAT = say("Where it happened")
HEAT_TOLD = say("How often each field changed in the turns that count.")
ASKED = say("Questions and corrections")
NOTHING_ASKED = say("Nothing was asked, corrected or disputed.")
OVER_TIME = say("Over time")
SLIDER = say("Step through the game")
FULL_PICTURES = say("The pictures are made small here. As they were taken, they are in the game’s export.")

PAGE_WORDS: Mapping[str, Words] = {
    "first": say("First turn"),
    "back": say("Turn before"),
    "next": say("Next turn"),
    "last": say("Last turn"),
    "play": say("Let it run"),
    "stop": say("Stop"),
    "turn": say("turn"),
    "gone": say("The picture of this camera is no longer kept."),
    "took": say("Time of the turn: {time}", time="{time}"),
    "as_table": say("As a table"),
    "large": say("Large"),
    "close": say("Close"),
}
"""Sentences of the page's script."""
