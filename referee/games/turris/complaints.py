"""Say what is wrong with a request: which part, and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from referee.values.players import Player
from referee.values.words import Words, say

_MOST = 40
"""Characters of a faulty text that are quoted."""


def _quoted(what: object) -> str:
    return repr(what)[:_MOST]


def no_cell(text: object) -> Words:
    """Return the sentence for a text that names no cell."""
    return say("{text} is no cell: write column, row and level, such as b2.4", text=_quoted(text))


def no_bar(text: object) -> Words:
    """Return the sentence for a text that names no bar."""
    return say(
        "{text} is no bar: write a1b1.2 for a lying one, its west or south cell first, or c3.2^ for a standing one",
        text=_quoted(text),
    )


def no_text(key: str) -> Words:
    """Return the sentence for a tower that is no text."""
    return say("{key}: a tower is a text of levels joined by /", key=key)


def too_high(key: str, most: int) -> Words:
    """Return the sentence for a tower with too many levels."""
    return say("{key}: a tower has at most {most} levels", key=key, most=most)


def level_length(key: str, level: int, length: int, wanted: int) -> Words:
    """Return the sentence for a level of another length."""
    return say(
        "{key}: level {level} has {length} characters, not {wanted}: write row 3, then 2, then 1",
        key=key,
        level=level,
        length=length,
        wanted=wanted,
    )


def letter(key: str, level: int, found: str, unseen: bool) -> Words:
    """Return the sentence for a character that is no cell; unseen: it stands for one that was not read whole."""
    if unseen:
        return say(
            "{key}: {letter} in level {level}: a position knows all its cells", key=key, letter=found, level=level
        )
    return say(
        "{key}: {letter} in level {level} is no cell: use . or n e s w u d, in capitals for light",
        key=key,
        letter=_quoted(found),
        level=level,
    )


def empty_top(key: str, level: int) -> Words:
    """Return the sentence for a text that goes on above the tower."""
    return say("{key}: level {level} is empty: write levels only up to the highest started one", key=key, level=level)


def halves(key: str, cell: str) -> Words:
    """Return the sentence for a half of a bar without its other half."""
    return say("{key}: the bar at {cell} has no other half of its colour where it points", key=key, cell=cell)


def missing(key: str) -> Words:
    """Return the sentence for a missing key that a position must have."""
    return say("position: the key {key} is missing", key=key)


def unknown_key(key: object, known: Iterable[str]) -> Words:
    """Return the sentence for a key no position has."""
    return say("position: unknown key {key}: a position has {known}", key=_quoted(key), known=", ".join(known))


def no_variants() -> Words:
    """Return the sentence for variants of a game that has none."""
    return say("variants: the game has none: leave the list empty")


def seats() -> Words:
    """Return the sentence for seats that are not two players at two sides."""
    return say("seats: give two sides of the table, one to light and one to dark")


def supply(colour: Player, tower: int, left: int, each: int) -> Words:
    """Return the sentence for bars that do not add up."""
    return say(
        "{who}: {tower} in the tower and {left} beside it do not make {each} bars: change the tower or the bars left",
        who=colour,
        tower=tower,
        left=left,
        each=each,
    )


def too_many(colour: Player, tower: int, each: int) -> Words:
    """Return the sentence for a tower of more bars than there are."""
    return say(
        "{who}: {tower} bars are in the tower, but there are {each}: take some out",
        who=colour,
        tower=tower,
        each=each,
    )


def finished() -> Words:
    """Return the sentence for a turn in a game that is over."""
    return say("the game is finished: no turn follows")


def declared() -> Words:
    """Return the sentence for declared bars of another form."""
    return say("declared must be {form}, all acts in their order", form='{"bars": ["+b1b2.3", "-a1.1^"]}')


def declared_act(text: object) -> Words:
    """Return the sentence for a declared act that is none."""
    return say("declared: {text} is no act: write + or - and a bar, such as +b1b2.3", text=_quoted(text))


def not_declared() -> Words:
    """Return the sentence for declared bars that explain nothing."""
    return say("the declared bars do not lead to the tower that was seen: correct them, or look again")


def no_tower() -> Words:
    """Return the sentence for a reading no bars fit."""
    return say("observed: no bars fit the cells that were read: look again")


def too_much_unseen() -> Words:
    """Return the sentence for a reading that leaves more open than can be tried."""
    return say("observed: too many cells are not seen to rule on the turn: show more of the tower")


def too_much_changed() -> Words:
    """Return the sentence for a tower so unlike the one before that not even a legal turn can be ruled out."""
    return say("observed: too much of the tower changed to rule on the turn: put the last turn back, or correct it")


def not_known() -> Words:
    """Return the sentence for a tower that must be known, and is not."""
    return say("tower: say of every square how its bar lies")
