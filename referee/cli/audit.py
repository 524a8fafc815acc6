"""``referee audit``: rulings from pictures of finished turns, one JSON request a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from calibration.errors import CalibrationError
from referee.cli.jsonlines import FILES, check_keys, run_lines
from referee.cli.language import LANGUAGE
from referee.cli.pictures import TABLE, load_pictures, open_table, open_tower, table_game
from referee.cli.towers import TowerAuditor
from referee.games.contract import Game, Position, RequestError
from referee.judging.hypotheses import Hypotheses, follow
from referee.values.belief import Memory
from referee.values.words import Words, say, verbatim
from vision.heights.change import Look
from vision.reader import TableReader
from vision.reading import Reading

KEYS = ("id", "images", "position")


class Auditor:
    """Audits one table's games one after the other, carrying on from its own last ruling.

    Where a picture leaves several positions possible, all are kept in mind until a later one decides.
    """

    def __init__(self, game: Game[Any], reader: TableReader, language: str = "en") -> None:
        self._game = game
        self._language = language
        self._reader = reader
        self._track: Hypotheses | None = None
        self._memory: Memory | None = None
        self._look: Look = {}

    def answer(self, request: Mapping[str, object], base: Path) -> dict[str, object]:
        """Rule on one request and return the answer without its id.

        Raises RequestError for what cannot be audited, saying what to do; the chain then stays where it was.
        """
        check_keys(request, KEYS)
        track = self._from(request.get("position"))
        pictures = load_pictures(request.get("images"), base, self._reader.table)
        if self._memory is not None and track is not self._track and track.likeliest.observed != self._memory.board:
            self._memory = None  # another game, or another part of it
        try:
            since = None if self._memory is None else (self._look, self._memory.board)
            reading = self._reader.read(pictures, self._game.sighting(track.likeliest), since=since)
        except CalibrationError as error:
            raise RequestError("calibration", str(error)) from error
        reason = why_not(reading)
        if reason:
            self._track = track
            return _unsure(
                track.likeliest, reading.text, [field.name for field in reading.blocked], reason.text(self._language)
            )
        memory = None if self._memory is None else replace(self._memory, unchanged=reading.unchanged)
        verdict, self._track = follow(self._game, track, reading.belief, memory)
        if verdict.kind != "unsure":
            self._memory = Memory(reading.belief, self._game.observation(verdict.observed))
            self._look = reading.look
        if verdict.ruling is None:
            doubts = [field.name for field in verdict.doubts]
            return _unsure(
                track.likeliest,
                verdict.observed,
                doubts,
                say("the pictures allow several boards that differ in the ruling").text(self._language),
            )
        return verdict.ruling.to_json(self._language) | {"observed": verdict.observed, "ruling": verdict.kind}

    def _from(self, data: object) -> Hypotheses:
        """Where the turn may start from: the position given, else what the chain has led to."""
        if data is not None:
            position = self._game.position(data)
            if position.finished:
                raise RequestError("finished", "position: the game is over: give the position of a game under way")
            return Hypotheses.at(self._fitting(position))
        if self._track is None:
            raise RequestError("position", "the first request must have a position: the one before the first turn")
        if self._track.likeliest.finished:
            raise RequestError("finished", "the game is finished: give the position of the next game")
        return self._track

    def _fitting(self, position: Position) -> Position:
        table = self._reader.table
        rows, columns = position.observed.heights.shape
        if (rows, columns) != (table.rows, table.columns):
            raise RequestError(
                "table",
                f"table.json says the board has {table.rows} rows and {table.columns} columns, but the position's "
                f"has {rows} and {columns}: correct table.json",
            )
        return position


def why_not(reading: Reading) -> Words | None:
    """Why a reading carries no ruling at all; ``None`` when it does."""
    if reading.lost:
        return verbatim("; ".join(view.problem for view in reading.cameras.values()))
    if not reading.clear:
        return say("something that is not part of the game stands over the board or its frame")
    return None


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
@TABLE
@FILES
@LANGUAGE
@click.pass_context
def command(context: click.Context, folder: Path, files: tuple[Path, ...], language: str) -> None:
    """Rule on photographed turns: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    Exit status: 0 all turns legal, 1 some turn illegal or unsure, 2 some line in error, or the table cannot be used.
    """
    tower = open_tower(context, folder)
    auditor: Auditor | TowerAuditor
    if tower is None:
        auditor = Auditor(*open_table(context, folder), language)
    else:
        auditor = TowerAuditor(table_game(context, folder, tower.table), tower, language)
    context.exit(run_lines(files, auditor.answer, lambda ruled: 0 if ruled["legal"] else 1, language=language))
