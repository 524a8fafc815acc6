"""Why cameras tell nothing of a table, where that is no camera's own trouble."""

from __future__ import annotations

from referee.values.words import Words, say, verbatim

NO_PICTURES = say("sends no pictures")
"""A camera gave no picture."""
TOO_SLOW = say("Reading its pictures took too long: look again, or restart the referee if it goes on.")
"""A camera's pictures could not be read in time."""
_ONCE_WRITTEN = {"sends no pictures": NO_PICTURES, "reading its pictures took too long": TOO_SLOW}


def problem_once_written(text: str) -> Words | None:
    """Return the problem that journals of earlier versions hold as an English text, ``None`` for an empty one."""
    return _ONCE_WRITTEN.get(text, verbatim(text)) if text else None
