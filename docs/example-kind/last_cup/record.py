"""What a record means: turns of ``-A1 -B1``, the cups that were turned."""

from __future__ import annotations

from cups.observation import DOWN, UP, Row, number_of

from last_cup.game import GAME, Position
from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.values.declaring import Declared


class Records:
    """The records of this game."""

    def start(self, record: Record) -> Position:
        """Return the position before the first turn."""
        said = {key: record.headers[key] for key in ("row", "to_move") if key in record.headers}
        try:
            return GAME.position(Position().to_json() | said)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: Position) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again."""
        return {"game": GAME.name, "row": position.row.text, "to_move": position.to_move.word}

    def declared(self, entry: RecordEntry) -> Declared:
        """Return no declaration."""
        return {}

    def play(self, position: Position, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn."""
        if entry.player != position.to_move.word:
            raise RecordError(f"turn {entry.number}: it is {position.to_move.word}'s turn", entry.line)
        return GAME.check(position, Row(laid(position, entry)))


def laid(position: Position, entry: RecordEntry) -> str:
    """Return the row after a turn's acts were made by hand, allowed or not.

    ``-`` turns a cup down, ``+`` up again.
    """
    row = list(position.row.text)
    for act in entry.acts.split():
        try:
            row[number_of(act[1:], len(row))] = {"-": DOWN, "+": UP}[act[0]]
        except (ValueError, KeyError):
            told = f"turn {entry.number}: {act[:40]!r} is no act: write -A1"
            raise RecordError(told, entry.line) from None
    return "".join(row)


RECORDS = Records()
