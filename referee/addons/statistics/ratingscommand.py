"""``referee ratings``: how players who want it stand, over a club's games."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.addons.statistics.book import PlayerBook
from referee.archive.shelf import Shelf
from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.service.settings import load_settings
from referee.values.words import decimal, say

if TYPE_CHECKING:
    from referee.addons.statistics.ratings import GameRatings

BOOK = "players.json"


@click.command(name="ratings")
@click.argument("folders", metavar="DIR...", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--player", "named", multiple=True, metavar="NAME", help="Who wants it and is in no players.json.")
@click.option(
    "--season", type=click.Choice(("year", "quarter", "month")), default="year", show_default=True,
    help="What a column of the table is.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    folders: tuple[Path, ...],
    named: tuple[str, ...],
    season: str,
    as_json: bool,
    language: str,
) -> None:
    """Rate players over the games in DIR... and below, data folders or folders of games; without DIR over one's own.

    Only those are named who want it: those in the players.json of a data folder, whom the page lists under
    statistics, and those named with --player. A game counts when it is over and at least two named people played.

    Exit status: 0 done, 2 it could not be, or some game could not be read.
    """
    if importlib.util.find_spec("openskill") is None:
        words = say("This needs more than the referee alone: pip install 'tower-referee[{extra}]'", extra="ratings")
        click.echo(words.text(language), err=True)
        context.exit(FAULTY)
    from referee.addons.statistics.ratings import by_month, by_quarter, by_year, ratings

    places = folders or (load_settings().settings.data_folder,)
    try:
        wanted = [*named, *(one.name for place in places for one in _book(place).players())]
    except OSError as error:
        click.echo(f"referee ratings: {error}", err=True)
        context.exit(FAULTY)
    cards = [card for place in places for card in Shelf(place).cards()]
    cut = {"year": by_year, "quarter": by_quarter, "month": by_month}[season]
    tables = ratings((card for card in cards if not card.trouble), wanted, cut)
    if as_json:
        click.echo(json.dumps({"games": [_json(one) for one in tables]}, ensure_ascii=False))
    elif not tables:
        none = say("No game counts: nobody who wants to be rated has finished one with somebody named.")
        click.echo(none.text(language))
    else:
        for number, one in enumerate(tables):
            click.echo(("\n" if number else "") + _table(one, language))
    unread = [card for card in cards if card.trouble]
    for card in unread:
        click.echo(f"{card.path}: {card.trouble}", err=True)
    context.exit(FAULTY if unread else 0)


def _book(place: Path) -> PlayerBook:
    """Return the book of a data folder, or of the one that a folder of games lies in."""
    beside = place / BOOK
    return PlayerBook(beside if beside.exists() else place.resolve().parent / BOOK, str)


def _json(one: GameRatings) -> dict[str, object]:
    players = [
        {
            "name": player.name,
            "rating": round(player.rating, 2),
            "skill": round(player.skill.mu, 2),
            "doubt": round(player.skill.sigma, 2),
            "games": player.games,
            "won": player.won,
            "seasons": {name: round(value, 2) for name, value in player.seasons.items()},
        }
        for player in one.players
    ]
    return {"title": one.title, "games": one.games, "players": players}


def _table(one: GameRatings, language: str) -> str:
    heads = (say("player"), say("rating"), say("games"), say("won"))
    rows = [[*(words.text(language) for words in heads), *one.seasons]]

    def told(rating: float | None) -> str:
        shown = "–" if rating is None else decimal(rating)
        return shown if isinstance(shown, str) else shown.text(language)

    for player in one.players:
        then = [told(player.seasons.get(name)) for name in one.seasons]
        rows.append([player.name, told(player.rating), str(player.games), str(player.won), *then])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join([f"{one.title} ({one.games})", *(_line(row, widths) for row in rows)])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = row
    told = [one.rjust(width) for one, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join([f"  {name.ljust(widths[0])}", *told])
