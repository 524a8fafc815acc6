"""A position: what stands on the board, whose turn it is, and how often each player may still take more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.games.contract import RequestError
from referee.values.board import Board, BoardError
from referee.values.players import PlayerName
from referee.values.words import board_words
from three_stones.kit import EXTRAS, KIT, PLAYERS

NAME = "three-stones"


@dataclass(frozen=True, slots=True)
class Position:
    """extras: left to each player, by word. given_up: who does not play any more."""

    board: Board
    players: tuple[PlayerName, ...]
    to_move: PlayerName
    turn: int
    extras: Mapping[str, int]
    given_up: frozenset[PlayerName] = frozenset()

    @property
    def observed(self) -> Board:
        """Return the board on the table."""
        return self.board

    @property
    def finished(self) -> bool:
        """Return whether the game is over: it ends by agreement, or when one player is left."""
        return len(self.players) - len(self.given_up) < 2

    @property
    def winners(self) -> tuple[PlayerName, ...]:
        """Return the player who is left."""
        return tuple(player for player in self.players if player not in self.given_up) if self.finished else ()

    def to_json(self) -> dict[str, object]:
        """Return the position as formats write it."""
        data: dict[str, object] = {
            "game": NAME,
            "players": [player.word for player in self.players],
            "to_move": self.to_move.word,
            "turn": self.turn,
            "board": self.board.text,
            "extras": dict(self.extras),
        }
        return data | {"given_up": sorted(player.word for player in self.given_up)} if self.given_up else data


def parse_player(word: object) -> PlayerName:
    """Return the player a word names. Raises RequestError."""
    if not isinstance(word, str) or word not in PLAYERS:
        raise RequestError("players", f"{str(word)[:40]!r} does not play this: use {', '.join(PLAYERS)}")
    return PlayerName(word)


def parse_board(text: object) -> Board:
    """Return a board from its text. Raises RequestError."""
    try:
        return Board.parse(text, KIT.rows, KIT.columns, KIT.letters)
    except BoardError as error:
        raise RequestError("board", board_words(error)) from error


def parse_position(data: object) -> Position:
    """Validate a position's JSON form. Raises RequestError with what to do."""
    if not isinstance(data, Mapping):
        raise RequestError("position", "position must be an object {...}")
    unknown = set(data) - {"game", "players", "to_move", "turn", "board", "extras", "given_up"}
    if unknown:
        raise RequestError("key", f"position: nothing is called {sorted(map(str, unknown))[0][:40]!r}: leave it out")
    words = data.get("players")
    if not isinstance(words, list) or len(set(map(str, words))) != len(words) or len(words) < 2:
        raise RequestError("players", "players must be a list of at least two different colours")
    players = tuple(parse_player(word) for word in words)
    to_move = parse_player(data.get("to_move", words[0]))
    turn = data.get("turn", 1)
    extras = data.get("extras", dict.fromkeys(words, EXTRAS))
    if to_move not in players or type(turn) is not int or turn < 1:
        raise RequestError("position", "to_move must be one of players, and turn a number from 1")
    if not isinstance(extras, Mapping) or set(extras) != set(words):
        raise RequestError("extras", "extras must give a number for every player")
    if any(type(left) is not int or not 0 <= left <= EXTRAS for left in extras.values()):
        raise RequestError("extras", f"extras are numbers from 0 to {EXTRAS}")
    given_up = frozenset(parse_player(word) for word in data.get("given_up", ()))
    return Position(parse_board(data.get("board")), players, to_move, turn, dict(extras), given_up)
