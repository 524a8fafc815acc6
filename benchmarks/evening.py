"""Reads the exports of evenings that clubs sent in, for benchmarks/real.py: the corrected record is the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.measure import Section, table
from benchmarks.photos import OUTCOMES, Counts, shares
from calibration.picturefile import decode_picture
from referee.addons.trackrecord.cases import true_board
from referee.addons.trackrecord.counting import GameCount, added_up
from referee.addons.trackrecord.evening import unpacked
from referee.addons.trackrecord.fates import Fate
from referee.again.audit import AgainAudit
from referee.again.comparison import JudgedAgain
from referee.archive.export import game_of, state_of
from referee.match.events import Verdict
from referee.match.state import Entry, EntryStatus
from referee.report.drawing import EMPTY
from referee.report.gamefile import GameFile, PictureOf, opened_game
from referee.report.kind import report_kind
from referee.session.readers import reader_of
from vision.geometry.view import roams

DIM, GLARING = 85, 230
"""Brightness, of 255, of white paper in dim and in glaring light: a third of white, and nearly white."""
PUT_RIGHT = tuple(fate for fate in Fate if fate is not Fate.STOOD)
_OPEN = frozenset("?~xX")
"""Signs of what is left open in the text of a place."""


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


def _measured(file: GameFile) -> Iterator[tuple[str, str, str]]:
    """Yield what is counted, of which light, phone and piece, and how it came out. Raises CalibrationError."""
    game, history = game_of(file.entries), state_of(file.entries).history
    for one in AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries):
        if one.reading is None and not one.problem:
            continue  # the board was given by hand, or its pictures are no longer kept
        if word := settled(history, one):
            yield "turns", "all", word
        board = true_board(history, one.past.entry)
        if one.reading is None or not board:
            continue
        places, like = report_kind(game.kit).places, one.past.state.position.observed
        told, true = places(one.reading.text, like, game.kit), places(board, like, game.kit)
        ways = tuple(sorted({_camera(name) for name, _ in one.reading.pictures}))
        light = _light([content for _, content in one.reading.pictures], file.picture)
        for name in {**told, **true}:
            said, stood = told.get(name, EMPTY), true.get(name, EMPTY)
            word = "right" if said == stood else "open" if _OPEN & set(said) else "wrong"
            piece = "pieces" if stood.strip("0123456789.") else "stacks"
            for part in ("all", piece, light, *ways):
                yield "places", part, word


def _camera(name: str) -> str:
    return "phone" if roams(name) else "fixed camera"


def _light(contents: Sequence[str], picture: PictureOf) -> str:
    """Return how bright the brightest tenth of a look's pictures is: dim below a third of white, glaring above."""
    kept = [decode_picture(found) for one in contents if (found := picture(one))]
    seen = [float(np.percentile(one, 90)) for one in kept]
    bright = float(np.median(seen)) if seen else 0.0
    return "dim light" if bright < DIM else "glaring light" if bright > GLARING else "usual light"


def evening(folder: Path) -> Section:
    """Read each export's pictures again and hold readings and rulings against its corrected record.

    folder: with exports and evenings in it, or one of them. Raises FileNotFoundError where there is none;
    JournalError, CalibrationError for one that can't be read.
    """
    rows, then = [], []
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.zip")):
        with unpacked(path) as games:
            for number, export in enumerate(games, 1):
                name = path.stem if len(games) == 1 else f"{path.stem} {number}"
                with opened_game(export) as file:
                    (record,) = added_up((GameCount.of(state_of(file.entries), file.table),))
                    found = (record.found[fate] for fate in PUT_RIGHT)
                    then.append((name, record.origin.value, record.rulings, record.wrong, *found))
                    counts: dict[tuple[str, str], Counts] = {(what, "all"): Counter() for what in ("turns", "places")}
                    for what, part, word in _measured(file):
                        counts.setdefault((what, part), Counter())[word] += 1
                rows += [(name, what, part, *shares(counted)) for (what, part), counted in counts.items()]
    if not rows:
        raise FileNotFoundError(f"{folder}: no ZIP of 'referee evening' or 'referee journal export' is there")
    lines = (
        "Each look of a game is read and ruled on anew, from its kept pictures. The truth is the record as the "
        "players corrected it, so a wrong reading that nobody noticed counts as right. Places: fields of a board "
        "with their pieces, or cells of a tower. Turns: those that stand, and those that broke a rule.",
        "",
        *table(("game", "what", "of", "counted", *OUTCOMES), rows),
        "",
        "The rulings as they were given at the table, and how many of them were put right by people or a later look:",
        "",
        *table(("game", "pictures", "rulings", "put right", *(fate.value for fate in PUT_RIGHT)), then),
    )
    return Section("Evenings", lines)
