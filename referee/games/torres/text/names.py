"""Name the cards for people."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Words, say

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

CARD_EXPLAINED: Mapping[str, Words] = {
    "door": say("A knight goes through the doors of a castle, to any level."),
    "shift": say("The top block of a free stack goes onto any free field."),
    "diagonal": say("A knight goes one field diagonally, one level up at most."),
    "extra": say("A block of the reserve is built."),
    "under": say("A block of the own supply goes under an own knight."),
    "leap": say("A knight climbs exactly two levels in one step."),
    "ap6": say("The turn has 6 action points."),
    "ap7": say("The turn has 7 action points."),
    "relocate": say("A knight is taken off and placed next to another own knight."),
    "jump": say("A knight jumps straight over a knight of somebody else."),
}
"""What each kind of action card does."""

MASTER_CARD: Mapping[str, tuple[Words, Words]] = {
    "level": (say("One level"), say("After phase 3: all own knights on one level, 50 points.")),
    "levels": (say("Different levels"), say("After phase 3: all own knights on different levels, 40 points.")),
    "group": (say("Side by side"), say("After phase 3: all own knights side by side, 40 points.")),
    "line": (say("One line"), say("After phase 3: all own knights in one row, column or diagonal, 50 points.")),
    "square": (say("Square"), say("After phase 3: four own knights form a square, 50 points.")),
    "castles": (
        say("Castles"),
        say("Knights on blocks of exactly 4, 5 and 6 castles in phases 1, 2 and 3: 5, 15 and 30 points."),
    ),
    "diagonals": (
        say("Diagonals"),
        say("2, 5 and 10 points in phases 1, 2 and 3 for each knight on the long diagonals, once more for the most."),
    ),
    "edge": (
        say("Edge"),
        say("2, 5 and 10 points in phases 1, 2 and 3 for each knight at the board’s edge, once more for the most."),
    ),
}
"""The master cards, each with what it is worth."""
