"""Sentences on turns that were judged again because an earlier one was put right."""

from __future__ import annotations

from referee.match.events import Legal, Unsure
from referee.match.state import Entry, EntryStatus, TableState
from referee.values.words import Words, say, say_n


def mended_words(entry: Entry) -> Words | None:
    """Return in short what became of a turn that was judged again; ``None`` where that is told by its fate."""
    anew = entry.anew
    if anew is None or entry.fate in (EntryStatus.ACCEPTED, EntryStatus.UNDONE):
        return None
    if entry.fate is EntryStatus.WITHDRAWN:
        return say("accusation withdrawn")
    if entry.fate is EntryStatus.FOUND_LATE:
        return say("found late, it stands")
    if anew.said:
        return say("put right")
    if isinstance(anew.judged.found, Unsure):
        return say("can’t be judged again, it stands")
    return say("judged again") if isinstance(anew.given.found, Legal) else say("legal after all")


def mended_now(state: TableState) -> tuple[Words, ...]:
    """Return what was put right since the newest look, and what became of the turns after it."""
    told: list[Words] = []
    stand = 0
    for entry in state.history:
        if entry.anew is None or entry.anew.look != state.look or entry.fate is EntryStatus.UNDONE:
            continue
        found = _told(entry)
        told += (
            [say("Turn {turn} of {who} was put right.", turn=entry.turn, who=entry.player)] if entry.anew.said else []
        )
        told += [found] if found is not None else []
        stand += found is None and not entry.anew.said
    if stand:
        told.append(
            say_n(
                "{n} later turn was judged again and stands.", "{n} later turns were judged again and stand.", stand
            )
        )
    return tuple(told)


def _told(entry: Entry) -> Words | None:
    """Return what changed of a turn; ``None`` where its ruling stands."""
    anew, ruled = entry.anew, entry.ruled
    assert anew is not None, "it was judged again"
    if entry.fate is EntryStatus.FOUND_LATE and ruled is not None and ruled.ruling is not None:
        why = ruled.ruling.violations[0].words
        return say(
            "Found late: turn {turn} of {who} broke a rule. {why} It stands, unless you undo from there.",
            turn=entry.turn,
            who=entry.player,
            why=why,
        )
    if entry.fate is not EntryStatus.ACCEPTED and not isinstance(anew.given.found, Legal):
        return say(
            "Turn {turn} of {who} is legal after all: the accusation is withdrawn.", turn=entry.turn, who=entry.player
        )
    if isinstance(anew.judged.found, Unsure):
        return say(
            "Turn {turn} of {who} can’t be judged again: it stands as it was ruled.",
            turn=entry.turn,
            who=entry.player,
        )
    return None
