"""Sentences on why a camera does not see the board, in the players' words.

Readers and the journal write them in English; known ones are translated into the players' language.
"""

from __future__ import annotations

import re

from referee.values.words import Words, say, verbatim

_TOO_FEW = re.compile(
    r"the frame can't be seen by (?P<camera>\S+): (?P<found>\d+) of its (?P<all>\d+) markers are found, "
    r"(?P<needed>\d+) are needed"
)
_ELSEWHERE = re.compile(
    r"the frame can't be seen by (?P<camera>\S+): (?P<found>\d+) of its (?P<all>\d+) markers are found, "
    r"but not where .*"
)
_GREY = re.compile(r"(?P<camera>\S+)'s picture has no colours, .*")


def problem_words(problem: str) -> Words:
    """Return a camera's problem as a sentence that every language has; an unknown one stays as it is."""
    if found := _TOO_FEW.fullmatch(problem):
        return say(
            "{camera} can’t see the frame around the board: {found} of its {all} markers are found, {needed} are "
            "needed.",
            camera=found["camera"],
            found=int(found["found"]),
            all=int(found["all"]),
            needed=int(found["needed"]),
        )
    if found := _ELSEWHERE.fullmatch(problem):
        return say(
            "{camera} sees the frame, but not where it was when the table was set up: set up and check the table "
            "again.",
            camera=found["camera"],
        )
    if found := _GREY.fullmatch(problem):
        return say(
            "{camera}’s picture has no colours, so flags can’t be told apart: switch its night mode off.",
            camera=found["camera"],
        )
    if problem == NO_PICTURES:
        return say("sends no pictures")
    if problem == TOO_SLOW:
        return say("Reading its pictures took too long: look again, or restart the referee if it goes on.")
    return verbatim(problem)


NO_PICTURES = "sends no pictures"
"""The journal's words for a camera that gave no picture."""
TOO_SLOW = "reading its pictures took too long"
"""The journal's words for a camera whose pictures could not be read in time."""
