"""Reads the exports of evenings that clubs sent in, for benchmarks/real.py: the corrected record is the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Section, table
from benchmarks.photos import OUTCOMES, Counts, shares
from referee.again.audit import AgainAudit
from referee.again.comparison import JudgedAgain
from referee.archive.export import game_of, state_of
from referee.match.events import Verdict
from referee.match.state import Entry, EntryStatus, What
from referee.report.drawing import EMPTY
from referee.report.gamefile import opened_game
from referee.report.kind import report_kind
from referee.session.readers import reader_of

_OPEN = frozenset("?~xX")
"""Signs of what is left open in the text of a place."""


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


def settled(history: Sequence[Entry], one: JudgedAgain) -> str:
    """Return whether today's ruling is right, wrong or open by what the players settled; empty where they didn't.

    Legal is a turn that stands, illegal one that was called so and was taken back or let stand by agreement.
    """
    final = next(entry for entry in history if entry.id == one.past.entry.id)
    verdict = one.now.verdict if one.now is not None else Verdict.UNSURE
    illegal = one.past.then.verdict is Verdict.ILLEGAL
    if final.fate is EntryStatus.STANDS:
        truth = Verdict.LEGAL
    elif illegal and final.fate in (EntryStatus.TAKEN_BACK, EntryStatus.ACCEPTED):
        truth = Verdict.ILLEGAL
    else:
        return ""
    return "open" if verdict is Verdict.UNSURE else "right" if verdict is truth else "wrong"


def _measured(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what is counted and how it came out. Raises JournalError, CalibrationError, OSError."""
    with opened_game(path) as file:
        game, history = game_of(file.entries), state_of(file.entries).history
        for one in AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries):
            if one.reading is None and not one.problem:
                continue  # the board was given by hand, or its pictures are no longer kept
            if word := settled(history, one):
                yield "turns", word
            board = true_board(history, one.past.entry)
            if one.reading is None or not board:
                continue
            places, like = report_kind(game.kit).places, one.past.state.position.observed
            told, true = places(one.reading.text, like, game.kit), places(board, like, game.kit)
            for name in {**told, **true}:
                said, stood = told.get(name, EMPTY), true.get(name, EMPTY)
                yield "places", "right" if said == stood else "open" if _OPEN & set(said) else "wrong"


def evening(folder: Path) -> Section:
    """Read each export's pictures again and hold readings and rulings against its corrected record.

    Raises FileNotFoundError where there is none; JournalError, CalibrationError for one that can't be read.
    """
    rows = []
    for path in sorted(folder.glob("*.zip")):
        counts: dict[str, Counts] = {"turns": Counter(), "places": Counter()}
        for what, word in _measured(path):
            counts[what][word] += 1
        rows += [(path.stem, what, *shares(found)) for what, found in counts.items()]
    if not rows:
        raise FileNotFoundError(f"{folder}: no ZIP of 'referee journal export' is there")
    lines = (
        "Each look of a game is read and ruled on anew, from its kept pictures. The truth is the record as the "
        "players corrected it, so a wrong reading that nobody noticed counts as right. Places: fields of a board "
        "with their pieces, or cells of a tower. Turns: those that stand, and those that broke a rule.",
        "",
        *table(("game", "what", "counted", *OUTCOMES), rows),
    )
    return Section("Evenings", lines)
