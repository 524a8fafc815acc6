"""``referee audit``: rulings from pictures of finished turns, one JSON request a line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from calibration.errors import CalibrationError
from referee.adjudicate import Verdict, adjudicate_any
from referee.cli.jsonlines import FAULTY, run_lines
from referee.cli.read import load_pictures
from referee.games import game_named
from referee.ruling import Game, Position, RequestError
from vision.reader import Reader
from vision.reading import Reading

KEYS = ("id", "images", "position")


class Auditor:
    """Audits one game after the other, carrying on from its own last ruling.

    After a turn that could not be ruled on, both may be: that it stood, or that it was taken back. Then the positions
    it may have led to are kept beside the one before it until a later picture decides.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._game: Game[Any] | None = None
        self._positions: tuple[Position, ...] = ()

    def answer(self, request: Mapping[str, object], base: Path) -> dict[str, object]:
        """Rule on one request and return the answer without its id.

        Raises RequestError for what cannot be audited, saying what to do; the chain then stays where it was.
        """
        for key in request:
            if key not in KEYS:
                raise RequestError("request", f"unknown key {key[:40]!r}: a request has {', '.join(KEYS)}")
        game, positions = self._from(request)
        pictures = load_pictures(request.get("images"), base, self._reader.table)
        try:
            reading = self._reader.read(pictures, game.sighting(positions[0]))
        except CalibrationError as error:
            raise RequestError("calibration", str(error)) from error
        self._game, self._positions = game, positions
        reason = why_not(reading)
        if reason:
            return _unsure(positions[0], reading.text, [field.name for field in reading.blocked], reason)
        verdict, before = adjudicate_any(game, positions, reading.belief)
        self._positions = _follow(verdict, before, positions)
        if verdict.ruling is None:
            doubts = [field.name for field in verdict.doubts]
            return _unsure(
                before, verdict.observed, doubts, "the pictures allow several boards that differ in the ruling"
            )
        return verdict.ruling.to_json() | {"observed": verdict.observed, "ruling": verdict.kind}

    def _from(self, request: Mapping[str, object]) -> tuple[Game[Any], tuple[Position, ...]]:
        data = request.get("position")
        if data is not None:
            if not isinstance(data, dict):
                raise RequestError("position", "position must be an object {...}")
            game = game_named(data.get("game"))
            return game, (game.position(data),)
        if self._game is None:
            raise RequestError("position", "the first request must have a position: the one before the first turn")
        if all(position.finished for position in self._positions):
            raise RequestError("finished", "the game is finished: give the position of the next game")
        return self._game, self._positions


def why_not(reading: Reading) -> str:
    """Why a reading carries no ruling at all, in words; empty when it does."""
    if reading.lost:
        return "; ".join(view.problem for view in reading.cameras.values())
    if not reading.clear:
        return "something that is not part of the game stands over the board or its frame"
    return ""


def _follow(verdict: Verdict, before: Position, positions: tuple[Position, ...]) -> tuple[Position, ...]:
    """The positions the next turn may start from."""
    if verdict.kind == "unsure":
        new = [position for position in verdict.may_follow if not position.finished]
        return (*positions[:1], *new) if len(positions) == 1 else (*positions, *new)[:6]
    if verdict.ruling is not None and verdict.ruling.next is not None:
        return (verdict.ruling.next,)
    return (before,)


def _unsure(position: Position, observed: str, doubts: list[str], reason: str) -> dict[str, object]:
    return {
        "legal": None,
        "violations": [],
        "alternatives": [],
        "turn": None,
        "next": None,
        "winners": [colour.word for colour in position.winners],
        "finished": False,
        "observed": observed,
        "ruling": "unsure",
        "doubts": doubts,
        "reason": reason,
    }


@click.command(name="audit")
@click.option(
    "--table",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="The table folder, with its table.json and calibration.",
)
@click.argument("files", nargs=-1, metavar="[FILE ...]", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_context
def command(context: click.Context, folder: Path, files: tuple[Path, ...]) -> None:
    """Rule on photographed turns: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    Exit status: 0 all turns legal, 1 some turn illegal or unsure, 2 some line in error, or the table cannot be used.
    """
    try:
        auditor = Auditor(Reader.open(folder))
    except CalibrationError as error:
        click.echo(f"referee audit: {error}", err=True)
        context.exit(FAULTY)
    context.exit(run_lines(files, auditor.answer, lambda ruled: 0 if ruled["legal"] else 1))
