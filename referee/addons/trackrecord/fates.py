"""Tell what became of each ruling of a game: it stood, or people put it right. Pure.

Only what cameras read counts. A breach after which the next look is legal counts as a wrong accusation, unless the
turn was put back or played anew: nobody knows whether hands put it right or it had been read wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from referee.match.events import Resolution, Verdict
from referee.match.state import Anew, Entry, EntryStatus, TableState, What


class Fate(StrEnum):
    """What became of a ruling.

    STOOD: nobody changed it. ACCUSED: a legal turn was called illegal. MISSED: an illegal turn was called legal.
    MISREAD: the verdict was right, the board or the broken rules were not. UNSURE: people had to say what stands
    there.
    """

    STOOD = "stood"
    ACCUSED = "accused"
    MISSED = "missed"
    MISREAD = "misread"
    UNSURE = "unsure"


WRONG = (Fate.ACCUSED, Fate.MISSED, Fate.MISREAD)
"""What became of rulings that were put right."""


def fates(state: TableState) -> Iterator[tuple[Entry, Fate]]:
    """Yield the rulings of a game, each with what became of it; unsure ones only where no later look settled them."""
    rulings = [entry for entry in state.history if entry.ruled is not None or entry.what is What.CORRECTION]
    disputes = {one.entry: one.outcome for one in state.disputes}
    for number, entry in enumerate(rulings):
        if entry.ruled is None or entry.reading is None or (entry.by_hand and entry.anew is None):
            continue
        if any(one.reading is entry.reading and _counted(one) for one in rulings[:number]):
            continue  # the same look, ruled on again since an earlier turn was put right
        later = [one for one in rulings[number + 1 :] if one.turn == entry.turn]
        fate = _disputed(entry) if disputes.get(entry.id) is Resolution.CHANGED else _fate(entry, later)
        if fate is not None:
            yield entry, fate


def _counted(entry: Entry) -> bool:
    """Return whether an entry is a verdict that was withdrawn."""
    return entry.fate is EntryStatus.WITHDRAWN and entry.ruled is not None and entry.ruled.unsure is None


def _anew(anew: Anew) -> Fate:
    """Return what became of a ruling once its own turn or an earlier one was put right.

    Where the verdict stands nothing is counted but the turn that people put right: one error of the eyes is one.
    """
    given, now = anew.given.verdict, anew.judged.verdict
    if given is Verdict.UNSURE:
        return Fate.UNSURE
    if given is not now and now is not Verdict.UNSURE:
        return Fate.MISSED if given is Verdict.LEGAL else Fate.ACCUSED
    return Fate.MISREAD if anew.said else Fate.STOOD


def _disputed(entry: Entry) -> Fate:
    legal = entry.ruled is not None and entry.ruled.verdict is Verdict.LEGAL
    return Fate.MISSED if legal else Fate.ACCUSED


def _fate(entry: Entry, later: Sequence[Entry]) -> Fate | None:
    """Return what became of a ruling that no dispute changed; ``None`` where a later look settled an unsure one."""
    assert entry.ruled is not None
    if entry.anew is not None:
        return _anew(entry.anew)
    verdict = entry.ruled.verdict
    if verdict is Verdict.UNSURE:
        by_people = entry.fate is EntryStatus.ACCEPTED or any(one.by_hand or one.ruled is None for one in later[:1])
        return Fate.UNSURE if by_people else None
    verdicts = (one.ruled.verdict for one in later if one.ruled is not None)
    found = next((one for one in verdicts if one is not Verdict.UNSURE), None)
    looked_again = entry.fate is EntryStatus.REPLACED and found not in (None, verdict)
    if entry.fate is not EntryStatus.WITHDRAWN and not looked_again:
        return Fate.STOOD
    if verdict is Verdict.ILLEGAL:
        return Fate.MISREAD if found is Verdict.ILLEGAL else Fate.ACCUSED
    return Fate.MISSED if found is Verdict.ILLEGAL else Fate.MISREAD
