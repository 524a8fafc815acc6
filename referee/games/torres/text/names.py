"""Names of players and cards, for people."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Words, say

PLAYER: Mapping[str, Words] = {
    "red": say("Red"),
    "yellow": say("Yellow"),
    "green": say("Green"),
    "blue": say("Blue"),
    "orange": say("Orange"),
    "purple": say("Purple"),
    "white": say("White"),
    "black": say("Black"),
}
"""A colour as the name of its player; it begins with a capital wherever it stands."""

CARD: Mapping[str, Words] = {
    "door": say("Through the doors, up too"),
    "shift": say("Move a block"),
    "diagonal": say("Step diagonally"),
    "extra": say("Block from the reserve"),
    "under": say("Block under a knight"),
    "leap": say("Two levels up"),
    "ap6": say("6 action points"),
    "ap7": say("7 action points"),
    "relocate": say("Place a knight anew"),
    "jump": say("Jump over a knight"),
}
"""The kinds of action card."""
