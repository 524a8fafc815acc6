"""Say that cubes are more or fewer than before a turn, or that flags differ which were not the player's."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.terra_turrium.colours import Colour
from referee.values.words import Value, Words, say, say_n


def cubes_differ(more: int, reserve: int, usual: Mapping[str, Value]) -> Words:
    """Return the sentence on a number of cubes that can't be: what was seen, and not how it may have come about.

    more: cubes on the board, negative where there are fewer. reserve: cubes that could have been added. usual: who
    played, the fields, the sheet's paragraph.
    """
    if more < 0:
        return say_n(
            "There is {n} cube fewer on the board than before the turn of {who} ({at}): every cube taken is "
            "placed again in the same turn ({source}).",
            "There are {n} cubes fewer on the board than before the turn of {who} ({at}): every cube taken is "
            "placed again in the same turn ({source}).",
            -more,
            **usual,
        )
    if not reserve:
        return say_n(
            "There is {n} cube more on the board than before the turn of {who} ({at}): none from outside may be "
            "added ({source}).",
            "There are {n} cubes more on the board than before the turn of {who} ({at}): none from outside may be "
            "added ({source}).",
            more,
            **usual,
        )
    return say_n(
        "There is {n} cube more on the board than before the turn of {who} ({at}): at most {reserve} from "
        "outside may be added ({source}).",
        "There are {n} cubes more on the board than before the turn of {who} ({at}): at most {reserve} from "
        "outside may be added ({source}).",
        more,
        reserve=reserve,
        **usual,
    )


def foreign_flag(other: Colour | None, usual: Mapping[str, Value]) -> Words:
    """Return the sentence on a flag that is not the player's. other: who explains the turn alone by having played."""
    if other is not None:
        return say(
            "{other} seems to have played, but it is {who}’s turn. If not, a flag that is not {who}’s was moved or "
            "taken away by hand at {at} ({source}).",
            other=other,
            **usual,
        )
    return say(
        "A flag that is not {who}’s was moved or taken away by hand at {at}: a turn moves one’s own flags only, and "
        "others leave by capture alone ({source}).",
        **usual,
    )
