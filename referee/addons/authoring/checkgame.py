"""``referee check-game``: all that a game must hold before people rely on it, and what it fails in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import click

from referee.addons.authoring import breaking, conformance, looking
from referee.addons.authoring.breaking import breaches, broken_turns, parsed, pointing_elsewhere, rules_written
from referee.addons.authoring.sentences import said, sentences_have_texts
from referee.addons.authoring.subject import Check, Subject
from referee.cli.jsonlines import FAULTY
from referee.cli.plurals import counted
from referee.games.contract import RequestError
from referee.games.record import RecordError
from referee.values.gameerror import GameError
from referee.values.words import LANGUAGES

Tell = Callable[[str], None]
FOUND = 1
PARTS: tuple[tuple[str, tuple[Check, ...]], ...] = (
    ("The contract", conformance.CHECKS),
    ("Rulings", breaking.CHECKS),
    ("Sentences", (sentences_have_texts,)),
)
"""What is looked at without cameras; each function is called even where others before it found something."""


@click.command(name="check-game")
@click.argument("name")
@click.option("--no-cameras", "blind", is_flag=True, help="Leave out what is drawn and read, which takes minutes.")
@click.option("--sentences", "shown", is_flag=True, help="Also print all that the game says, in every language.")
def command(name: str, blind: bool, shown: bool) -> None:
    """Check the installed game NAME, and say all that is wrong with it, and where.

    The contract; the rulings on its breaches and on turns spoilt at random; every sentence in every language; then
    what two drawn cameras and a drawn phone make of boards of every preset and of whole games with breaches, where
    rules and fields must be the same. Exit status: 0 nothing was found, 1 something was, 2 there is no such game.
    """
    try:
        subject = Subject.named(name)
    except RequestError as error:
        click.echo(f"referee check-game: {error}", err=True)
        raise SystemExit(FAULTY) from None
    except GameError as error:
        click.echo(f"! it can't be loaded: {error.where}")
        raise SystemExit(FOUND) from None
    wrong = list(_checked(subject, blind, click.echo))
    if shown:
        _print_sentences(subject)
    click.echo(f"\n{name}: {counted(len(wrong), 'defect')}." if wrong else f"\n{name}: nothing was found.")
    raise SystemExit(FOUND if wrong else 0)


def _checked(subject: Subject, blind: bool, tell: Tell) -> Iterator[str]:
    """Check part by part, tell how each comes out, and yield all that is wrong."""
    known = set[str]()
    for title, checks in PARTS:
        tell(f"\n{title}")
        wrong = dict.fromkeys(one for check in checks for one in found(check, subject))
        new = [one for one in wrong if one not in known]
        for one in new:
            tell(f"  ! {one}")
            known.add(one)
            yield one
        if not wrong:
            tell("  nothing was found")
        elif not new:
            tell("  ! as above")
    for one in _reached(subject) if not known else ():
        tell(f"  {one}")
    if blind or known:
        tell("\nCameras: left out" + ("" if blind else " until that is mended"))
        return
    tell("\nCameras")
    for look in (looking.presets_are_read, looking.games_are_refereed):
        for one in found(partial(look, tell=lambda line: tell(f"  {line}")), subject):
            tell(f"  ! {one}")
            yield one


def found(check: Check, subject: Subject) -> Iterator[str]:
    """Yield what a check finds; where it can't go on, that. A game's mistake ends no check but that one."""
    try:
        yield from check(subject)
    except GameError as error:
        yield f"The game {subject.package.game.title} failed ({error.where})"
    except RecordError as error:  # the same for each check that plays it
        yield f"a record can't be played: {error}"
    except (AssertionError, LookupError, TypeError, ValueError, OSError) as error:
        name = getattr(check, "__name__", "the cameras").replace("_", " ")
        yield f"{name}: {type(error).__name__}: {error}"


def _reached(subject: Subject) -> Iterator[str]:
    """Yield how many rules were broken, and which were not."""
    script = breaches(subject)
    broken = {rule for turn in broken_turns(subject) for rule in turn.rules}
    broken |= {rule for turn in (script.turns if script else ()) for rule in parsed(turn.entry.ruling)}
    yield f"{counted(len(broken_turns(subject)), 'spoilt turn')} broke {counted(len(broken), 'rule')}"
    if script is None:
        yield "no turn of breaches.txt says what is meant (GamePackage.breaches)"
        yield from (f"? {one}" for one in pointing_elsewhere(subject))
    missed = sorted(rules_written(subject).keys() - broken)
    if missed:
        yield f"not broken by any turn: {', '.join(missed)}"


def _print_sentences(subject: Subject) -> None:
    click.echo("\nWhat it says")
    for words in dict.fromkeys(said(subject)):
        for language in LANGUAGES:
            click.echo(f"  {language}  {words.text(language)}")
        click.echo()
