"""``referee audit``: rulings from pictures of finished turns, one JSON request a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from calibration.errors import CalibrationError
from referee.cli.audit_again import audit_again
from referee.cli.jsonlines import FILES, check_keys, run_lines
from referee.cli.language import LANGUAGE
from referee.cli.pictures import load_pictures, open_table, open_tower, table_game
from referee.cli.towers import TowerAuditor
from referee.cli.unsure import unsure
from referee.games.contract import Game, Position, RequestError
from referee.judging.context import Context, TurnSeen
from referee.judging.decision import Judgement
from referee.judging.judge import judge
from referee.match.live import compare
from referee.values.belief import Prior, Standing
from referee.values.board import Board, BoardError, Field
from referee.values.declaring import NOTHING_DECLARED
from referee.values.words import Words, say, verbatim
from vision.reader import TableReader
from vision.reading import Reading

KEYS = ("id", "images", "position", "frames", "known", "declared")
MOST_FRAMES = 60
"""Pictures of still boards during one turn that are read at most."""


@dataclass(frozen=True)
class _Asked:
    """The last pictures, and what was known before them: to rule on them again with what somebody says."""

    context: Context
    seen: TurnSeen


class Auditor:
    """Audits one table's games one after the other, carrying on from its own last ruling.

    Where a picture leaves several positions possible, all are kept in mind until a later one decides.
    """

    def __init__(self, game: Game[Any], reader: TableReader, language: str = "en") -> None:
        self._game = game
        self._language = language
        self._reader = reader
        self._context: Context | None = None
        self._last: _Asked | None = None

    def answer(self, request: Mapping[str, object], base: Path) -> dict[str, object]:
        """Rule on one request and return the answer without its id.

        Raises RequestError for what cannot be audited, saying what to do; the chain then stays where it was.
        """
        check_keys(request, KEYS)
        if "known" in request:
            return self._ruled(self._told(request))
        context = self._from(request.get("position"))
        sighting = self._game.sighting(context.hypotheses.open)
        reading = self._read(request.get("images"), base, context, sighting)
        reason = why_not(reading)
        if reason:
            self._context, self._last = context, None
            blocked = [field.name for field in reading.blocked]
            return unsure(context.hypotheses.likeliest, reading.text, blocked, reason, self._language)
        frames = self._frames(request.get("frames"), base, context, sighting)
        said = request.get("declared")
        declared = said if isinstance(said, Mapping) else NOTHING_DECLARED
        seen = TurnSeen(reading.belief, reading.unchanged, frames, {}, reading.look, declared)
        return self._ruled(_Asked(context, seen))

    def _ruled(self, asked: _Asked) -> dict[str, object]:
        """Rule on pictures; the chain goes on from there."""
        self._last = asked
        decision, self._context = judge(self._game, asked.context, asked.seen)
        if decision.ruling is None:
            return self._open(decision, asked)
        answer = decision.ruling.to_json(self._language) | {"observed": decision.observed, "ruling": decision.kind}
        if decision.assumed:
            answer["assumed"] = [
                {"field": one.field.name, "message": one.words.text(self._language)} for one in decision.assumed
            ]
        return answer | self._late(decision)

    def _open(self, decision: Judgement, asked: _Asked) -> dict[str, object]:
        position = decision.before or asked.context.hypotheses.likeliest
        doubts = [field.name for field in decision.doubts]
        reason = say("the pictures allow several boards that differ in the ruling")
        answer = unsure(position, decision.observed, doubts, reason, self._language) | self._late(decision)
        if decision.ask is not None:
            answer["ask"] = {"field": decision.ask.field.name, "why": decision.ask.why.text(self._language)}
        return answer

    def _late(self, decision: Judgement) -> dict[str, object]:
        late = decision.late
        if late is None:
            return {}
        told = {"turn": late.turn, "player": late.player.word, "rules": sorted(late.rules)}
        return {"late": told | {"message": late.words.text(self._language)}}

    def _told(self, request: Mapping[str, object]) -> _Asked:
        """The last pictures with what a request says stands somewhere."""
        if self._last is None or request.keys() & {"images", "position", "frames"}:
            raise RequestError(
                "known", "known rules on the last pictures again: send it alone, after a request with pictures"
            )
        table = self._reader.table
        said = known_fields(request["known"], table.rows, table.columns, self._game.kit.letters)
        known = {**self._last.seen.known, **said}
        return _Asked(self._last.context, replace(self._last.seen, known=known))

    def _read(self, images: object, base: Path, context: Context, sighting: Prior) -> Reading:
        pictures = load_pictures(images, base, self._reader.table)
        look, since = context.look, None
        if context.memory is not None and isinstance(look, Mapping):
            since = (look, context.memory.board)
        try:
            return self._reader.read(pictures, sighting, since=since)
        except CalibrationError as error:
            raise RequestError("calibration", str(error)) from error

    def _frames(self, frames: object, base: Path, context: Context, sighting: Prior) -> tuple[Standing, ...]:
        """The boards seen standing still during the turn, as far as their pictures tell them."""
        if frames is None:
            return ()
        if not isinstance(frames, list) or len(frames) > MOST_FRAMES:
            raise RequestError("frames", f'frames must be a list of at most {MOST_FRAMES} like {{"cam0": "path"}}')
        found = []
        for images in frames:
            reading = self._read(images, base, context, sighting)
            if reading.lost or not reading.clear:
                continue
            memory = None if context.memory is None else replace(context.memory, unchanged=reading.unchanged)
            board = compare(reading.belief, context.hypotheses.likeliest.observed, memory).standing
            if board is not None:
                found.append(board)
        return tuple(found)

    def _from(self, data: object) -> Context:
        """Where the turn may start from: the position given, else what the chain has led to."""
        if data is None:
            if self._context is None:
                raise RequestError(
                    "position", "the first request must have a position: the one before the first turn"
                )
            if all(position.finished for position, _ in self._context.hypotheses.positions):
                raise RequestError("finished", "the game is finished: give the position of the next game")
            return self._context
        position = self._game.position(data)
        if position.finished:
            raise RequestError("finished", "position: the game is over: give the position of a game under way")
        before = self._context
        fresh = Context.at(self._fitting(position))
        if before is None or before.memory is None or before.memory.board != position.observed:
            return fresh  # another game, or another part of it
        return replace(fresh, memory=before.memory, look=before.look)

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


def known_fields(said: object, rows: int, columns: int, letters: str) -> dict[Field, tuple[int, int]]:
    """What a request says stands on fields: height and flag of each. Raises RequestError with what to do."""
    if not isinstance(said, dict) or not said:
        raise RequestError("known", 'known must say what stands on a field: {"G9": "2g"}')
    found = {}
    for name, text in said.items():
        try:
            place, one = Field.from_name(name), Board.parse(text, 1, 1, letters)
        except BoardError as error:
            raise RequestError("known", f"known: {error}") from error
        if place.row >= rows or place.col >= columns:
            raise RequestError("known", f"known: the board has no field {name}")
        found[place] = int(one.heights[0, 0]), int(one.flags[0, 0])
    return found


def why_not(reading: Reading) -> Words | None:
    """Why a reading carries no ruling at all; ``None`` when it does."""
    if reading.lost:
        return verbatim("; ".join(view.problem for view in reading.cameras.values()))
    if not reading.clear:
        return say("something that is not part of the game stands over the board or its frame")
    return None


@click.command(name="audit")
@click.option(
    "--table",
    "folder",
    type=click.Path(path_type=Path),
    help="The table folder, with its table.json and calibration.",
)
@click.option(
    "--game",
    "recorded",
    metavar="GAME",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Judge a recorded game again (a journal, or the ZIP of an export), beside what was ruled then.",
)
@click.option("--turn", type=click.IntRange(min=1), help="With --game: that turn alone.")
@click.option(
    "--report",
    "out",
    metavar="OUT.html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --game: write each difference with its pictures into this file, a PDF where its name ends so.",
)
@FILES
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    folder: Path | None,
    recorded: Path | None,
    turn: int | None,
    out: Path | None,
    files: tuple[Path, ...],
    language: str,
) -> None:
    """Rule on photographed turns: one JSON request a line of each FILE (or standard input), one JSON answer a line.

    With --game: judge a recorded game again by today's eyes and engine, one JSON line a ruling.

    Exit status: 0 all turns legal, 1 some turn illegal or unsure, 2 some line in error, or the table cannot be used.
    With --game: 0 all ruled as then, 1 some otherwise, 2 the game cannot be used.
    """
    if recorded is not None:
        if files:
            raise click.UsageError("--game takes a recorded game in place of FILE.")
        context.exit(audit_again(recorded, turn, out, folder, language))
    if turn is not None or out is not None:
        raise click.UsageError("--turn and --report belong to --game.")
    if folder is None:
        raise click.UsageError("Missing option '--table' (or '--game').")
    tower = open_tower(context, folder)
    auditor: Auditor | TowerAuditor
    if tower is None:
        auditor = Auditor(*open_table(context, folder), language)
    else:
        auditor = TowerAuditor(table_game(context, folder, tower.table), tower, language)
    context.exit(run_lines(files, auditor.answer, lambda ruled: 0 if ruled["legal"] else 1, language=language))
