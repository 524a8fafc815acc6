"""``referee rehearse``: how often a table is read right, by a dozen small tasks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from calibration.errors import CalibrationError
from referee.addons.rehearsals.certificate import rehearsal_of, stating
from referee.addons.rehearsals.looksrecord import LooksRecord
from referee.addons.rehearsals.rehearsal import Rehearsal, advice, stated, told
from referee.addons.rehearsals.rehearser import Rehearser, can_rehearse, rehearser_of
from referee.addons.rehearsals.tally import Composition, Eyes
from referee.addons.rehearsals.tasks import CHECK_TASKS, TASKS, Course
from referee.cli.frames import FramesError, one_picture, source_of
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import load_views, open_table
from referee.daemon.certificates import keep, newest_value
from referee.games.contract import AnyGame, RequestError
from referee.session.capture import Pictures
from referee.values.words import LANGUAGES, Words, say
from vision.posefinder import PoseFinder

LOOKS = "looks.jsonl"
"""The file in a folder of stills that says what each picture shows."""
SAID = ("seats", "players", "edition")
_SEED = 1990


@click.command(name="rehearse")
@click.argument("folder", metavar="TABLE", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--stills",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=f"Folder of pictures that were taken before, with {LOOKS}: a line for each look with images and board.",
)
@click.option("--check", "short", is_flag=True, help="Only the short check that renews a rehearsal.")
@click.option("--seed", type=int, default=_SEED, show_default=True, help="Number that chooses the tasks.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the rehearsal as JSON.")
@click.pass_context
def command(
    context: click.Context, folder: Path, stills: Path | None, short: bool, seed: int, language: str, as_json: bool
) -> None:
    """Rehearse TABLE: put a dozen small tasks on the board, and learn how often it is read right.

    What is found is stated in the table's newest certificate ('referee calibrate check' makes one) and holds for
    twelve months, unless cameras, lenses, light or pieces change. Exit status: 0 rehearsed or renewed, 1 not borne
    out, 2 no rehearsal was possible.
    """
    game, reader = open_table(context, folder)
    try:
        known = newest_value(folder)
        before = rehearsal_of(known)
        if not can_rehearse(game):
            raise RequestError("kind", f"{game.title}: tables of its kind have no rehearsal")
        if short and before is None:
            raise RequestError("rehearsal", "this table was not rehearsed yet: leave --check out")
        run = _Run(game, reader, seed, language)
        if stills is not None:
            run.stills(stills)
        else:
            run.live(CHECK_TASKS if short else TASKS)
        at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        if before is not None and run.record.conditions is not None:
            for lapse in before.lapses(run.record.conditions, date.fromisoformat(at[:10])):
                click.echo(lapse.words.text(language), err=True)
        made = run.record.renewed(before, at) if short and before is not None else run.rehearsal(at)
        if isinstance(made, Words):
            click.echo(made.text(language), err=True)
            context.exit(1)
        paper = None
        if known is not None:
            stamp = time.strftime("%Y%m%d-%H%M%S")
            paper = keep(folder, stating(known, made), stamp, language).paper
    except (RequestError, CalibrationError, FramesError, OSError) as error:
        click.echo(f"referee rehearse: {error}", err=True)
        context.exit(FAULTY)
    if as_json:
        click.echo(json.dumps(made.to_json(), ensure_ascii=False))
    else:
        _print(made, language)
        click.echo(f"\n{paper or 'Not kept: the table has no certificate (referee calibrate check makes one).'}")


class _Run:
    """One rehearsal at the terminal. skipped: tasks left out."""

    def __init__(self, game: AnyGame, reader: PoseFinder, seed: int, language: str) -> None:
        self._game, self._reader, self._seed, self._language = game, reader, seed, language
        self.record = LooksRecord(reader.table)
        self._skipped = 0
        self._rehearsers: dict[str, Rehearser] = {}

    def rehearsal(self, at: str) -> Rehearsal | Words:
        """Return what was found, or why it is not enough."""
        usual: dict[Eyes, tuple[Composition, ...]] = {}
        for each in self._rehearsers.values():
            usual = {**each.usual, **usual}
        return self.record.rehearsal(at, self._seed, self._skipped, usual)

    def stills(self, folder: Path) -> None:
        """Take the looks from a folder. Raises RequestError naming the line."""
        path = folder / LOOKS
        if not path.is_file():
            raise RequestError("stills", f"{path}: missing; it says what stands on the board of each look")
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise RequestError("stills", f"{path}: not UTF-8; save it anew as text in UTF-8") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{path}, line {number}: "
                try:
                    self._still(json.loads(line), folder, where)
                except ValueError as error:
                    raise RequestError("stills", f"{where}{error}") from None

    def _still(self, look: object, folder: Path, where: str) -> None:
        if not isinstance(look, dict) or not isinstance(look.get("board"), str):
            raise ValueError('a look has images and board: {"images": {...}, "board": "..."}')
        said = {key: look[key] for key in SAID if look.get(key) is not None}
        board, images = look["board"], look.get("images")
        self._counts(said, lambda: load_views(images, folder, self._reader.table)[0], board, where)

    def _counts(self, said: Mapping[str, object], take: Callable[[], Pictures], asked: str, where: str = "") -> bool:
        """Take a look and say what is wrong with it; return whether it counts. Those before it are kept in any case.

        where: which look it is, for what is said of it.
        """
        try:
            told_now = self._rehearser(said).told(take(), asked, self.record.asked)
        except (CalibrationError, FramesError, RequestError) as error:
            click.echo(f"{where}{error}", err=True)
            return False
        words = self.record.add(told_now, asked)
        if words is not None:
            click.echo(where + words.text(self._language), err=True)
        return words is None

    def _rehearser(self, said: Mapping[str, object]) -> Rehearser:
        key = json.dumps(said, sort_keys=True)
        if key not in self._rehearsers:
            self._rehearsers[key] = rehearser_of(self._game, self._reader, said)
        return self._rehearsers[key]

    def live(self, tasks: int) -> None:
        """Lead through the tasks, and take a picture with every camera of the settings at each."""
        table, folder = self._reader.table, self._reader.folder
        if table.held:
            raise RequestError("held", "a phone in the hand is rehearsed with on the page of 'referee run'")
        sources = {name: source_of(name, "", folder) for name in table.cameras}
        self.guided(tasks, lambda: {name: one_picture(name, source) for name, source in sources.items()})

    def guided(self, tasks: int, take: Callable[[], Pictures]) -> None:
        """Lead through the tasks. take: takes the pictures of a look."""
        rehearser = self._rehearser({})
        first = rehearser.first()
        course = Course(first, 0, 1 + tasks, first.asked)
        while True:
            click.echo(f"\n{course.number + 1}/{course.length}  {course.task.words.text(self._language)}")
            answer = click.prompt("Enter: look; s: skip", default="", show_default=False).strip().lower()
            if answer == "s" and course.number > 0:
                self._skipped += 1
            else:
                asked = course.task.asked
                if not self._counts({}, take, asked):
                    continue
                course = replace(course, asked=asked)
            if course.is_last:
                return
            number = course.number + 1
            course = replace(course, task=rehearser.following(course.asked, number, self._seed), number=number)


def _print(rehearsal: Rehearsal, language: str) -> None:
    click.echo(told(rehearsal).text(language))
    for each in stated(rehearsal):
        click.echo(f"{each.who.text(language)}: {each.looks}")
        for name, words in (
            (say("Told right"), each.right), (say("Told wrong"), each.wrong), (say("Left open"), each.open)
        ):  # fmt: skip
            click.echo(f"  {name.text(language)}: {words.text(language)}")
    for words in advice(rehearsal):
        click.echo(f"+ {words.text(language)}")
    click.echo(say("Holds until {ends}.", ends=rehearsal.ends_on.isoformat()).text(language))
