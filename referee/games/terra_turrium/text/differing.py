"""Say that there are more cubes on the board than before a turn, or fewer."""

from __future__ import annotations

from collections.abc import Mapping

from referee.values.words import Value, Words, say_n


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
