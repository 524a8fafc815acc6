"""What a record means: headers to a position, acts to a ruling."""

from __future__ import annotations

from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.values.declaring import Declared

from .game import GAME
from .laying import laid_board
from .position import Position, parse_position


class Records:
    """The records of this game."""

    def start(self, record: Record) -> Position:
        """Return the position before the first turn. Raises RecordError."""
        headers = record.headers
        data: dict[str, object] = {"players": headers.get("players", "").split(), "board": headers.get("board")}
        data |= {"to_move": headers["to_move"]} if "to_move" in headers else {}
        try:
            return parse_position(data | ({"turn": int(headers["turn"])} if "turn" in headers else {}))
        except (RequestError, ValueError) as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: Position) -> dict[str, str]:
        """Return the headers from which start makes the position again."""
        return {
            "game": GAME.name,
            "players": " ".join(player.word for player in position.players),
            "to_move": position.to_move.word,
            "turn": str(position.turn),
            "board": position.board.text,
        }

    def declared(self, entry: RecordEntry) -> Declared:
        """Return nothing: everything is seen."""
        return {}

    def play(self, position: Position, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn. Raises RecordError."""
        if entry.player != position.to_move.word:
            raise RecordError(f"turn {entry.number}: it is {position.to_move.word}'s turn", entry.line)
        try:
            return GAME.check(position, laid_board(position, entry))
        except RequestError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


RECORDS = Records()
