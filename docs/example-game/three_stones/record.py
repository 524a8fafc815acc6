"""What a record of this game means: headers to a position, and turns of ``-A1 +B2 $1`` (one extra declared)."""

from __future__ import annotations

from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.values.board import Board, BoardError, Field
from referee.values.declaring import Declared
from three_stones.game import GAME
from three_stones.position import Position, parse_position


class Records:
    """The records of this game."""

    def start(self, record: Record) -> Position:
        """Return the position before the first turn."""
        headers = record.headers
        data: dict[str, object] = {"players": headers.get("players", "").split(), "board": headers.get("board", "")}
        if "to_move" in headers:
            data["to_move"] = headers["to_move"]
        try:
            return parse_position(data)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: Position) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again."""
        words = " ".join(player.word for player in position.players)
        return {"game": GAME.name, "players": words, "to_move": position.to_move.word, "board": position.board.text}

    def declared(self, entry: RecordEntry) -> Declared:
        """Return the extra stones: ``$1``. Raises RecordError for any other number."""
        numbers = [act[1:] for act in entry.acts.split() if act.startswith("$")]
        if any(number not in ("1", "2") for number in numbers):
            raise RecordError(f"turn {entry.number}: write $1 or $2 for extra stones", entry.line)
        return {"extra": int(numbers[0])} if numbers else {}

    def play(self, position: Position, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn."""
        if entry.player != position.to_move.word:
            raise RecordError(f"turn {entry.number}: it is {position.to_move.word}'s turn", entry.line)
        heights = position.board.heights.astype(int)
        for act in entry.acts.split():
            try:
                if not act.startswith("$"):
                    place = Field.from_name(act[1:])
                    heights[place.row, place.col] += {"-": -1, "+": 1}[act[0]]
                board = Board(heights, position.board.flags, position.board.letters)
            except (BoardError, KeyError, ValueError, IndexError):
                told = f"turn {entry.number}: {act[:40]!r} is no act: write -A1 or +B2"
                raise RecordError(told, entry.line) from None
        observed = board if entry.acts else position.board
        return GAME.check(position, observed, (), self.declared(entry))


RECORDS = Records()
