"""``referee games``: the shelf of all games: list, search, look into, report, delete, repair."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from referee.archive.export import record_of
from referee.archive.removal import delete_game, finish_deletions, losses
from referee.archive.repair import Repaired, repair_game
from referee.archive.shelf import GameCard, GameSearch
from referee.cli.gamename import shelf_of
from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.service.settings import SettingsError
from referee.storage.journal import JournalError, read_journal
from referee.values.signs import in_line
from referee.values.words import Words, say, say_n

FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder with the games; else games in the data folder.",
)
NAME = click.argument("name", metavar="GAME")
DATE = click.DateTime(["%Y-%m-%d"])


def fail(context: click.Context, error: Exception) -> None:
    """Say what is wrong and exit with 2."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    click.echo(f"{context.command_path}: {words}", err=True)
    context.exit(FAULTY)


@click.group(name="games", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List all games that were refereed here, or work on one of them with a subcommand."""
    if context.invoked_subcommand is None:
        context.invoke(list_games)


@command.command(name="list")
@FOLDER
@click.option("--player", default="", help="Only games of this player, by part of the name or by colour.")
@click.option("--since", type=DATE, help="Only games begun on this day or later.")
@click.option("--until", type=DATE, help="Only games begun on this day or earlier.")
@click.option("--game", default="", help="Only this game, by part of its name.")
@click.option(
    "--result", default="", help="Who won, by name or colour, or one of: draw, abandoned, agreement, rules, running."
)
@click.option("--disputed/--undisputed", default=None, help="Only games with, or without, an open dispute.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")
@LANGUAGE
@click.pass_context
def list_games(
    context: click.Context,
    folder: Path | None,
    player: str,
    since: object,
    until: object,
    game: str,
    result: str,
    disputed: bool | None,
    as_json: bool,
    language: str,
) -> None:
    """List the games, the newest first, or those that are looked for."""
    first, last = (str(day)[:10] if day is not None else "" for day in (since, until))
    search = GameSearch("", player, first, last, game, result, disputed)
    try:
        cards = shelf_of(folder).cards(search)
    except (SettingsError, OSError) as error:
        fail(context, error)
        return
    for card in cards:
        click.echo(json.dumps(card_json(card, language), ensure_ascii=False) if as_json else _line(card, language))
    if not as_json:
        told = say_n("{n} game", "{n} games", len(cards))
        if not cards:
            told = say("No game was refereed here yet.") if search == GameSearch() else say("There is no such game.")
        click.echo(told.text(language), err=True)


def card_json(card: GameCard, language: str) -> dict[str, object]:
    """Return a card as a JSON object."""
    return {
        "name": card.name,
        "path": str(card.path),
        "game": card.game,
        "title": card.title,
        "players": [{"colour": word, "name": name} for word, name in card.players],
        "begun_at": card.begun_at,
        "last_at": card.last_at,
        "turns": card.turns,
        "over": card.result is not None,
        "result": card.result_text(language),
        "winners": list(card.result.winners) if card.result is not None else [],
        "disputed": card.disputed,
        "disputes": card.disputes,
        "events": card.events,
        "pictures": card.pictures,
        "bytes": card.size_bytes,
        "trouble": card.trouble,
        "repaired": card.repaired,
    }


def _line(card: GameCard, language: str) -> str:
    day = card.begun_at[:16].replace("T", " ") or "?" * 10
    name = in_line(card.name)
    if card.trouble:
        return f"{name}\n  {in_line(card.trouble)}"
    people = ", ".join(card.called(word, language) for word, _ in card.players)
    marks = [say_n("{n} turn", "{n} turns", card.turns)]
    marks += [say("disputed")] if card.disputed else []
    marks += [say("repaired")] if card.repaired else []
    return f"{name}\n  {day}  {card.title}: {people}\n  " + "; ".join(
        [card.result_text(language), *(one.text(language) for one in marks)]
    )


@command.command()
@FOLDER
@NAME
@LANGUAGE
@click.pass_context
def show(context: click.Context, folder: Path | None, name: str, language: str) -> None:
    """Show a game: its card and its record, turn by turn."""
    try:
        card = shelf_of(folder).card(name)
        click.echo(_line(card, language))
        if card.trouble:
            words = say("“referee games repair {name}” saves what can be read.", name=in_line(card.name))
            click.echo(words.text(language), err=True)
            context.exit(FAULTY)
        click.echo(in_line(str(card.path)))
        click.echo(f"\n{record_of(read_journal(card.path)).text}", nl=False)
    except (JournalError, SettingsError) as error:
        fail(context, error)


@command.command(context_settings={"ignore_unknown_options": True})
@FOLDER
@NAME
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF referee report]")
@click.pass_context
def report(context: click.Context, folder: Path | None, name: str, options: tuple[str, ...]) -> None:
    """Write a report of a game: as “referee report”, with the game's name in place of a file."""
    from referee.cli.report import command as write

    try:
        path = shelf_of(folder).card(name).path
    except (JournalError, SettingsError) as error:
        fail(context, error)
        return
    context.exit(write.main([str(path), *options], prog_name="referee report", standalone_mode=False) or 0)


@command.command()
@FOLDER
@NAME
@click.option("--yes", is_flag=True, help="Do not ask.")
@LANGUAGE
@click.pass_context
def delete(context: click.Context, folder: Path | None, name: str, yes: bool, language: str) -> None:
    """Delete a game for good, after saying what is lost.

    Exit status: 0 it is gone, 1 it stays, 2 it could not be deleted.
    """
    try:
        card = shelf_of(folder).card(name)
        click.echo(_line(card, language))
        click.echo(say("This is lost for good:").text(language))
        for words in losses(card):
            click.echo(f"  {words.text(language)}")
        question = say("Type the name of the game to delete it").text(language)
        if not yes and click.prompt(question, default="", show_default=False) != card.name:
            click.echo(say("It stays.").text(language))
            context.exit(1)
        delete_game(card.path)
    except (JournalError, SettingsError) as error:
        fail(context, error)
        return
    click.echo(say("{name} is deleted.", name=in_line(card.name)).text(language))


@command.command()
@FOLDER
@click.argument("names", nargs=-1, metavar="[GAME ...]")
@LANGUAGE
@click.pass_context
def repair(context: click.Context, folder: Path | None, names: tuple[str, ...], language: str) -> None:
    """Repair games that a damaged disk or a pulled plug left in pieces; without names all that need it.

    The damaged journal is kept beside the repaired one. Exit status: 0 all is well now, 2 something is beyond repair.
    """
    status = 0
    try:
        shelf = shelf_of(folder)
        for journal in finish_deletions(shelf.folder) if not names else ():
            click.echo(
                say("{name}: its deletion was broken off and is finished now.", name=in_line(journal.stem)).text(
                    language
                )
            )
        cards = [shelf.card(name) for name in names] if names else shelf.cards()
    except (JournalError, SettingsError, OSError) as error:
        fail(context, error)
        return
    for card in cards:
        try:
            done = repair_game(card.path)
        except JournalError as error:
            click.echo(in_line(f"{card.name}: {error}"), err=True)
            status = FAULTY
            continue
        for words in repaired_words(in_line(card.name), done) if names or not done.whole else ():
            click.echo(words.text(language))
    context.exit(status)


def repaired_words(name: str, done: Repaired) -> list[Words]:
    """Say what a repair did and what it could not mend."""
    if done.whole and not done.missing_pictures:
        return [say("{name}: nothing is damaged.", name=name)]
    lines = []
    if done.changed:
        lines.append(
            say(
                "{name}: {events} events are whole again; event {lost} is not as it was written. The damaged file is "
                "kept beside it.",
                name=name,
                events=done.events,
                lost=done.lost_at,
            )
        )
    counted: list[tuple[int, Callable[[], Words]]] = [
        (
            done.salvaged,
            lambda: say_n(
                "{n} later event can be read; it is kept as text, and the game does not go on from it.",
                "{n} later events can be read; they are kept as text, and the game does not go on from them.",
                done.salvaged,
            ),
        ),
        (
            done.bad_pictures,
            lambda: say_n(
                "{n} picture is damaged and set aside.", "{n} pictures are damaged and set aside.", done.bad_pictures
            ),
        ),
        (
            done.missing_pictures,
            lambda: say_n(
                "{n} picture that an event names is not there.",
                "{n} pictures that events name are not there.",
                done.missing_pictures,
            ),
        ),
    ]
    return lines + [words() for count, words in counted if count]
