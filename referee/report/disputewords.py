"""The sentences of a disputed turn's page that are the same for every turn."""

from __future__ import annotations

from collections.abc import Mapping

from referee.match.events import Resolution, Verdict
from referee.match.state import Entry, EntryStatus, What
from referee.report.framing import CHANGED, DOUBTED, OPEN, WRONG
from referee.report.kind import report_kind
from referee.values.kit import Kit
from referee.values.words import Words, say
from referee.view.mended import mended_words

NOT_ANEW = say("The referee does not judge anew here: this is what the journal holds.")
THE_RULE = say("The rule")
WHY_NONE = say("Why there is no ruling")
WHY_ILLEGAL = say("Why no legal turn explains it")
CAPTURED = say("captured")
WHAT_WAS_READ = say("What was read, and how surely")
BY_HAND = say("The board ruled on was given by the players, not read from pictures.")
NOTHING_CHANGED = say("Nothing changed on the board.")
NOT_KEPT = say("no longer kept")
PICTURES = say("What the cameras saw")
PICTURES_PLAIN = say("The pictures as they were taken")
DISPUTE_OPEN = say("this dispute is open")

VERDICTS: Mapping[Verdict, Words] = {
    Verdict.LEGAL: say("legal"),
    Verdict.ILLEGAL: say("not legal"),
    Verdict.UNSURE: say("can’t tell"),
}
"""Sentences for the referee's verdicts."""
_FATES: Mapping[EntryStatus, Words] = {
    EntryStatus.OPEN: say("not decided yet"),
    EntryStatus.STANDS: say("the turn stands"),
    EntryStatus.ACCEPTED: say("accepted by agreement"),
    EntryStatus.TAKEN_BACK: say("taken back"),
    EntryStatus.REPLACED: say("ruled on again"),
    EntryStatus.WITHDRAWN: say("withdrawn: read wrongly"),
    EntryStatus.UNDONE: say("undone"),
    EntryStatus.FOUND_LATE: say("found late, it stands"),
}


def fate_words(entry: Entry) -> Words:
    """Return what became of a ruling."""
    return mended_words(entry) or _FATES[entry.fate]


WHATS: Mapping[What, Words] = {
    What.TURN: say("turn"),
    What.CORRECTION: say("position corrected by hand"),
    What.PASSED: say("passed over"),
    What.RESIGNED: say("gave up"),
    What.ENDED: say("game ended by agreement"),
}
"""Sentences for the kinds of entries in the record."""
OUTCOMES: Mapping[Resolution, Words] = {
    Resolution.STANDS: say("the ruling stands"),
    Resolution.CHANGED: say("the turn was changed"),
    Resolution.WITHDRAWN: say("the dispute was withdrawn"),
}
"""Sentences for the outcomes of a dispute."""
FRAMES: Mapping[str, Words] = {
    CHANGED: say("changed"),
    WRONG: say("here the rule was broken"),
    DOUBTED: say("this can’t be told"),
    OPEN: say("not known yet"),
}
"""Meanings of the frames on a board."""
ACTS: Mapping[str, Words] = {
    "take": say("taken"),
    "build": say("built"),
    "move": say("moved"),
    "enter": say("came onto the board"),
}
"""Acts by their kind."""


def sureness_words(kit: Kit) -> Words:
    """Return the sentence that explains what is drawn on pictures of a kind of game, and what its colours mean."""
    return report_kind(kit).SURENESS
