"""Look at a game as cameras do: every preset laid and read, and own games with breaches refereed, all drawn."""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from calibration.lens import save_lens
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.addons.authoring.breaking import BrokenTurn, breaches, broken_turns, own_games, parsed
from referee.addons.authoring.subject import Subject
from referee.addons.rehearsals.rehearser import can_rehearse, rehearser_of
from referee.addons.rehearsals.tally import Counts
from referee.cli.plurals import counted
from referee.demo.scripted import play_script
from referee.games.record import Record
from referee.session.readers import reader_at
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import can_be_laid, sizes_of
from referee.virtual.lenses import CAMERAS, PHONE, lens_of
from referee.virtual.scene import TableScene
from referee.virtual.script import Script, parse_script
from vision.geometry.view import roaming_name

VIEWS = 5
"""Sides from which a phone shows a board."""
_STEP_DEG, _HIGH_DEG = 75.0, 50.0
MOST_BOARDS = 8
"""So many boards of its own games are laid with each preset."""
MOST_WRONG = 0.01
"""Share of the fields that may be told wrong: the reader tells what it gives 0.99 to."""
MOST_BREACHES = 12
"""So many breaches are shown in each own game."""
SAME_BREACHES = 2
"""So often at most breaches of the same rules."""
SHOWN_TURNS = 12
WAYS = {"two cameras": False, "one phone": True}


def presets_are_read(subject: Subject, tell: Callable[[str], None]) -> Iterator[str]:
    """Lay boards with the sizes of every preset, read them as if nothing was known, and say what is told wrong."""
    package = subject.package
    if not can_rehearse(package.game) or not can_be_laid(package):
        tell("Boards of this kind are not read without a game.")
        return
    boards = [position.observed.text for turns in own_games(subject) for position, _ in turns]
    boards = boards[:: max(1, len(boards) // MOST_BOARDS)][:MOST_BOARDS]
    for preset in package.presets:
        for way, held in WAYS.items():
            laid = replace(subject, package=replace(package, virtual=preset.name))
            with tempfile.TemporaryDirectory() as folder:
                counts = _read(laid, Path(folder), held, boards)
            told = f"preset {preset.name!r}, {way}: of {counts.total} fields {counts.right} are told right, "
            told += f"{counts.wrong} wrong, {counts.open} are left open"
            tell(told)
            if not counts.total or counts.wrong > MOST_WRONG * counts.total:
                yield told


def _read(subject: Subject, folder: Path, held: bool, boards: list[str]) -> Counts:
    game = subject.package.game
    table = _laid(subject, folder, held)
    eyes = {name: DrawnCamera(name, table, game.kit) for name in table.cameras}
    rehearser = rehearser_of(game, reader_at(game, table, folder), {})
    counts = Counts()
    for board in boards:
        if held:
            sides = [(-90.0 + _STEP_DEG * view, _HIGH_DEG) for view in range(VIEWS)]
            scenes = [TableScene(board, held={PHONE: side}) for side in sides]
            pictures = {roaming_name(PHONE, n): eyes[PHONE].picture(one).copy() for n, one in enumerate(scenes, 1)}
        else:
            pictures = {name: eye.picture(TableScene(board)).copy() for name, eye in eyes.items()}
        tallies = rehearser.told(pictures, board, None).tallies
        counts += next((tally.all for tally in tallies.values()), Counts(open=1))
    return counts


def _laid(subject: Subject, folder: Path, held: bool) -> TableSetup:
    data = sizes_of(subject.package, (PHONE,) if held else CAMERAS)
    assert data is not None
    table = write_table(folder, data | {"held": [PHONE]} if held else data)
    for camera in table.cameras:
        save_lens(folder / "calibration" / f"{camera}.json", lens_of(camera))
    return table


def games_are_refereed(subject: Subject, tell: Callable[[str], None]) -> Iterator[str]:
    """Play own games with breaches at the virtual table; say which rulings differ from those on what lies there."""
    if subject.package.laid is None:
        tell("The game has no laid, so no hand plays it at a virtual table.")
        return
    scripts = [scripted(subject, number) for number in range(len(own_games(subject)))]
    own = breaches(subject)
    for number, script in enumerate([*([own] if own is not None else []), *scripts]):
        for way, held in WAYS.items():
            name = "breaches.txt" if own is not None and number == 0 else f"game {number + (own is None)}"
            illegal = sum(turn.illegal for turn in script.turns)
            played = play_script(script, True, threading.Event(), lambda text: None, phone=held)
            wrong = [*played.told.wrong, *_strictly(script, played.record)]
            turns, asked = counted(len(script.turns), "turn"), counted(len(played.told.asked_at), "question")
            at = ", ".join(map(str, dict.fromkeys(played.told.asked_at)))  # 0: of the set-up
            tell(f"{name}, {way}: {turns}, {illegal} of them breaches, {asked} answered{at and f' (turn {at})'}")
            yield from (f"{name}, {way}: {one}" for one in wrong)


def scripted(subject: Subject, number: int) -> Script:
    """Return one of the own games as a script, with breaches that are put back; rules that are rare come first."""
    turns = own_games(subject)[number][:SHOWN_TURNS]
    spoilt = [turn for turn in broken_turns(subject) if turn.game == number and turn.entry.acts]
    chosen, often = dict[int, BrokenTurn](), Counter[frozenset[str]]()
    for turn in sorted(spoilt, key=lambda one: len(one.rules)):
        if len(chosen) < MOST_BREACHES and often[turn.rules] < SAME_BREACHES and turn.entry.number not in chosen:
            often[turn.rules] += 1
            chosen[turn.entry.number] = turn
    lines = [Record(subject.package.records.headers(turns[0][0]), ()).text]
    for _, entry in turns:
        lines += [chosen[entry.number].text] if entry.number in chosen else []
        lines.append(f"{entry.number}. {entry.player} {entry.acts}")
    return parse_script("\n".join(lines) + "\n")


def _strictly(script: Script, record: Record) -> Iterator[str]:
    """Yield each breach of a script that the record has with other rules or fields alone."""
    for turn in script.turns:
        wanted = parsed(turn.entry.ruling)
        kept = [entry.ruling for entry in record.turns if entry.number == turn.entry.number and entry.ruled_illegal]
        if turn.illegal and wanted and kept and all(parsed(one) != wanted for one in kept):
            yield f"turn {turn.entry.number}: {turn.entry.ruling} is kept as {' / '.join(dict.fromkeys(kept))}"
