"""Say what is not as it should be in a set-up."""

from __future__ import annotations

from referee.games.contract import RuleId
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import FIELDS
from referee.games.torres.ruleset import CASTLES, SETUP_CASTLES, SETUP_KING, SETUP_KNIGHT
from referee.games.torres.text.paragraphs import source
from referee.values.board import Field
from referee.values.words import Words, say, say_n


def too_high(field: int, height: int) -> Words:
    """Return the sentence for a stack of more than one block at the start."""
    return say(
        "{at} has {height} blocks, but at the start a castle is one block ({source}).",
        at=FIELDS[field],
        height=height,
        source=source(SETUP_CASTLES),
    )


def castle_count(count: int) -> Words:
    """Return the sentence for too few or too many start blocks."""
    return say_n(
        "{n} castle stands, but at the start there are {castles}: put them right ({source}).",
        "{n} castles stand, but at the start there are {castles}: put them right ({source}).",
        count,
        castles=CASTLES,
        source=source(SETUP_CASTLES),
    )


def idle(colour: KnightColour, fields: tuple[Field, ...]) -> Words:
    """Return the sentence for knights of a colour that does not play."""
    return say(
        "A knight of {who}’s stands on {at}, but {who} does not play: take it off ({source}).",
        who=colour,
        at=fields,
        source=source(SETUP_KNIGHT),
    )


def knight_count(colour: KnightColour, count: int) -> Words:
    """Return the sentence for a player who has not just one knight on the board."""
    return say(
        "{who} has {count} knights on the board, but begins with one ({source}).",
        who=colour,
        count=count,
        source=source(SETUP_KNIGHT),
    )


def on_ground(fields: tuple[Field, ...], rule: RuleId = SETUP_KNIGHT) -> Words:
    """Return the sentence for a piece that stands on no castle."""
    return say(
        "The piece on {at} stands on the ground, but begins on a castle ({source}).", at=fields, source=source(rule)
    )


def king_count(count: int) -> Words:
    """Return the sentence for no king, or two."""
    return say(
        "{count} kings are on the board, but there is one: put him on a free castle ({source}).",
        count=count,
        source=source(SETUP_KING),
    )
