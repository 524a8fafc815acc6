"""Label the looks of a game with what stood there: told by people, or by the turn that stood. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.addons.trackrecord.fates import WRONG, Fate, fates
from referee.match.events import Verdict
from referee.match.phases import Phase
from referee.match.state import Entry, EntryStatus, TableState, What


@dataclass(frozen=True, slots=True)
class LabelledLook:
    """A look that was ruled on, with what truly stood there.

    entry, turn: of the record. ruled, verdict: the board and the ruling as they were given. truth: the board's text.
    fate: what became of the ruling. pictures: camera to content id.
    """

    entry: int
    turn: int
    ruled: str
    verdict: Verdict
    truth: str
    fate: Fate
    pictures: Mapping[str, str]

    @property
    def put_right(self) -> bool:
        """Return whether the ruling was put right."""
        return self.fate in WRONG

    def to_json(self) -> dict[str, object]:
        """Return the look for the file of labels."""
        said = {"entry": self.entry, "turn": self.turn, "ruled": self.ruled, "verdict": self.verdict.value}
        return said | {"truth": self.truth, "fate": self.fate.value, "pictures": dict(self.pictures)}


def labelled_looks(state: TableState) -> tuple[LabelledLook, ...]:
    """Return the looks of which it is known what stood there.

    These are the rulings that were put right, and once the game is over every turn that stood.
    """
    found = []
    for entry, fate in fates(state):
        wanted = fate in WRONG or state.phase is Phase.FINISHED
        truth = true_board(state.history, entry) if wanted else ""
        given = entry.ruled if entry.anew is None else entry.anew.given
        if truth and given is not None and entry.reading is not None:
            pictures = dict(entry.reading.pictures)
            found.append(LabelledLook(entry.id, entry.turn, given.observed, given.verdict, truth, fate, pictures))
    return tuple(found)


def true_board(history: Sequence[Entry], ruled: Entry) -> str:
    """Return the text of the table that was ruled on, as the record has it in the end; empty where it doesn't tell.

    It is the board that players gave where the reading was called wrong; else, of a turn that counts, the board after
    it, or the one corrected by hand next. A turn that was undone or taken back tells nothing.
    """
    ruled = next(one for one in history if one.id == ruled.id)
    later = history[history.index(ruled) + 1 :]
    if ruled.fate is EntryStatus.WITHDRAWN:
        given = next((one for one in later if one.by_hand and one.turn == ruled.turn), None)
        return given.ruled.observed if given is not None and given.ruled is not None else ""
    counts = [one for one in later if one.counts]
    last = counts[0] if counts and counts[0].what is What.CORRECTION else ruled
    return last.after.observed.text if ruled.counts and last.after is not None else ""
