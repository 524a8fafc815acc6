"""Say what is wrong with an act of a recorded turn, with the paragraph of the rule sheet each sentence rests on."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import FIELDS
from referee.games.terra_turrium.ruleset import (
    CAPTURE,
    ENTER_CELL,
    MOVE_BLOCKED,
    MOVE_OWN,
    MOVE_STEP,
    TAKE_COUNT,
    RuleSet,
)
from referee.games.terra_turrium.text.paragraphs import source
from referee.values.words import Words, say


def no_cube(field: int, rules: RuleSet) -> Words:
    """Return the sentence for a take from an empty field."""
    return say(
        "No cube lay on {at} that could be taken ({source}).", at=FIELDS[field], source=source(TAKE_COUNT, rules)
    )


def too_tall(field: int, most: int) -> Words:
    """Return the sentence for a stack higher than there are cubes to write down."""
    return say("{at} can’t carry more than {most} cubes.", at=FIELDS[field], most=most)


def no_flag(field: int, player: Colour, rules: RuleSet) -> Words:
    """Return the sentence for a move of a flag that is not there."""
    return say(
        "No flag of {who}’s stood on {at} that could move ({source}).",
        who=player,
        at=FIELDS[field],
        source=source(MOVE_OWN, rules),
    )


def no_step(here: int, there: int, rules: RuleSet) -> Words:
    """Return the sentence for a step between fields that are no neighbours."""
    return say(
        "{here} and {there} are no neighbours: a step goes straight to the next field, never across a corner "
        "({source}).",
        here=FIELDS[here],
        there=FIELDS[there],
        source=source(MOVE_STEP, rules),
    )


def shared_field(field: int, rules: RuleSet) -> Words:
    """Return the sentence for a flag that ends where another stands."""
    return say(
        "Another flag stood on {at}: a field carries one flag only ({source}).",
        at=FIELDS[field],
        source=source(MOVE_BLOCKED, rules),
    )


def empty_hand(field: int, player: Colour, rules: RuleSet) -> Words:
    """Return the sentence for a re-entry without a captured flag."""
    return say(
        "{who} had no captured flag that could come back on {at} ({source}).",
        who=player,
        at=FIELDS[field],
        source=source(ENTER_CELL, rules),
    )


def nothing_to_capture(field: int, rules: RuleSet) -> Words:
    """Return the sentence for a capture where no foreign flag stands."""
    return say(
        "No foreign flag stood on {at} that could be captured ({source}).",
        at=FIELDS[field],
        source=source(CAPTURE, rules),
    )


def captured_mate(field: int, rules: RuleSet) -> Words:
    """Return the sentence for the capture of a team-mate's flag."""
    return say(
        "The flag on {at} is a team-mate’s and can’t be captured ({source}).",
        at=FIELDS[field],
        source=source(MOVE_OWN, rules),
    )


def returned_cube(fields: Iterable[int]) -> Words:
    """Return the sentence for a cube put back where it came from, where that is forbidden."""
    return say(
        "A cube was put back on {at}, where it had been taken: this table does not allow it.",
        at=tuple(FIELDS[i] for i in fields),
    )
