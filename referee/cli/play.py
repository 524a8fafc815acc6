"""``referee play``: engines play each other, and every game is written as a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from referee.cli.jsonlines import FAULTY
from referee.cli.language import LANGUAGE
from referee.games import names, package_named
from referee.games.contract import Position, RequestError
from referee.games.package import GamePackage
from referee.opponents import OpponentError, PlayedGameRecord, Strength, new_position, play_game
from referee.values.words import Words, say, say_n, verbatim

USUAL_PLAYERS = 2


@click.command(name="play")
@click.option("--game", "name", type=click.Choice(names()), default=names()[0], show_default=True)
@click.option("--edition", help="Edition of the rules; without it the game's first.")
@click.option(
    "--players",
    "count",
    type=click.IntRange(min=1),
    help=f"How many play; without it as many as strengths are given, else {USUAL_PLAYERS}.",
)
@click.option(
    "--strength",
    "strengths",
    multiple=True,
    type=click.Choice([strength.value for strength in Strength]),
    help="How well they play: one for all, or one for each player; they change seats from game to game.",
)
@click.option("--games", default=1, show_default=True, type=click.IntRange(1, 10_000), help="How many games.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="The same seed, the same games."
)
@click.option(
    "--turns", "most_turns", default=400, show_default=True, type=click.IntRange(1), help="A game ends after so many."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the records.")
@LANGUAGE
def command(
    name: str,
    edition: str | None,
    count: int | None,
    strengths: tuple[str, ...],
    games: int,
    seed: int,
    most_turns: int,
    out: Path | None,
    language: str,
) -> None:
    """Let a game's own opponents play each other.

    Each game is told in a line, and written as a record with --out. Exit status: 0, 2 where nothing can be played.
    """
    try:
        package = package_named(name)
        each = _strengths(strengths, count)
        wins: Counter[Strength] = Counter()
        for number in range(games):
            position = new_position(package, len(each), edition)
            seats = _seated(package, position, each, number)
            played = play_game(package, position, seats, seed + number, _headers(seats), most_turns)
            wins.update({seats[word] for word in played.winners})
            click.echo(_told(number + 1, played, seats).text(language))
            if out is not None:
                _write(out, f"{name}-{seed + number:04d}.txt", played)
    except (OpponentError, RequestError) as error:
        click.echo(f"referee play: {error.words.text(language)}", err=True)
        raise SystemExit(FAULTY) from None
    except OSError as error:
        words = say("{path} can’t be written: {error}", path=str(out), error=error.strerror or type(error).__name__)
        click.echo(f"referee play: {words.text(language)}", err=True)
        raise SystemExit(FAULTY) from None
    for line in _summary(wins, frozenset(each), games):
        click.echo(line.text(language))


def _strengths(given: tuple[str, ...], count: int | None) -> tuple[Strength, ...]:
    """Return each player's strength. Raises OpponentError unless one is given, or one for each player."""
    found = tuple(Strength(word) for word in given) or (Strength.STRONG,)
    players = count or max(len(found), USUAL_PLAYERS)
    if len(found) not in (1, players):
        told = say("{n} players and {m} strengths: give --strength once, or once for each.", n=players, m=len(found))
        raise OpponentError(told)
    return found if len(found) == players else found * players


def _seated(
    package: GamePackage, position: Position, strengths: tuple[Strength, ...], number: int
) -> Mapping[str, Strength]:
    """Return who plays how well: from game to game everybody moves on by a seat."""
    words = [seat.colour.word for seat in package.game.seats(position)]
    return {word: strengths[(n - number) % len(strengths)] for n, word in enumerate(words)}


def _headers(seats: Mapping[str, Strength]) -> list[tuple[str, str]]:
    return [("event", "referee play"), ("strengths", " ".join(f"{word}={seats[word].value}" for word in seats))]


def _told(number: int, played: PlayedGameRecord, seats: Mapping[str, Strength]) -> Words:
    turns = len(played.record.turns)
    if not played.winners:
        return say_n(
            "game {game}: {n} turn, nobody has won", "game {game}: {n} turns, nobody has won", turns, game=number
        )
    who = ", ".join(f"{word} ({seats[word].value})" for word in played.winners)
    return say_n(
        "game {game}: {n} turn, won by {who}", "game {game}: {n} turns, won by {who}", turns, game=number, who=who
    )


def _summary(wins: Mapping[Strength, int], strengths: frozenset[Strength], games: int) -> Iterator[Words]:
    if len(strengths) < 2:
        return
    for strength in Strength:
        if strength in strengths:
            yield say("{who}: won {won} of {games}", who=verbatim(strength.value), won=wins[strength], games=games)


def _write(folder: Path, name: str, played: PlayedGameRecord) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(played.record.text, encoding="utf-8")
