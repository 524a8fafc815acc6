"""A position: the board, who plays, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from referee.games.contract import RequestError
from referee.values.board import Board, BoardError, Field
from referee.values.players import PlayerName
from referee.values.words import board_words

from .kit import KIT, PLAYERS, SIDE, START, SUMMIT

NAME = "summit"


def pawn(board: Board, player: PlayerName) -> Field | None:
    """Return where a player's pawn stands, None before the set-up."""
    found = np.argwhere(board.flags == PLAYERS.index(player.word) + 1)
    return Field(int(found[0][0]), int(found[0][1])) if len(found) else None


def level(board: Board, player: PlayerName) -> int:
    """Return how many stones a player's pawn stands on."""
    at = pawn(board, player)
    return 0 if at is None else int(board.heights[at])


def beside(place: Field) -> tuple[Field, ...]:
    """Return the neighbours of a field, across corners, too."""
    row, col = place
    near = [(row + r, col + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    return tuple(Field(r, c) for r, c in near if 0 <= r < SIDE and 0 <= c < SIDE)


def steps_from(board: Board, start: Field | None) -> tuple[Field, ...]:
    """Return the fields to which a pawn may step from a field."""
    near = () if start is None else beside(start)
    return tuple(to for to in near if not board.flags[to] and board.heights[to] <= board.heights[start] + 1)


@dataclass(frozen=True, slots=True)
class Position:
    """players: the one that begins first. given_up: who does not play any more."""

    board: Board
    players: tuple[PlayerName, ...]
    to_move: PlayerName
    turn: int = 1
    given_up: frozenset[PlayerName] = frozenset()

    @property
    def observed(self) -> Board:
        """Return the board on the table."""
        return self.board

    @property
    def other(self) -> PlayerName:
        """Return the player who is not to move."""
        return next(player for player in self.players if player != self.to_move)

    @property
    def steps(self) -> tuple[Field, ...]:
        """Return the fields to which the player to move may step."""
        return steps_from(self.board, pawn(self.board, self.to_move))

    @property
    def winners(self) -> tuple[PlayerName, ...]:
        """Return who has won: who stands on a summit, leaves the other no step, or is left."""
        if self.given_up:
            return tuple(player for player in self.players if player not in self.given_up)
        if above := tuple(one for one in self.players if level(self.board, one) >= SUMMIT):
            return above
        stuck = pawn(self.board, self.to_move) is not None and not self.steps
        return (self.other,) if stuck else ()

    @property
    def finished(self) -> bool:
        """Return whether the game is over."""
        return bool(self.winners)

    def to_json(self) -> dict[str, object]:
        """Return the position as formats write it."""
        data: dict[str, object] = {
            "game": NAME,
            "players": [player.word for player in self.players],
            "to_move": self.to_move.word,
            "turn": self.turn,
            "board": self.board.text,
        }
        return data | ({"given_up": sorted(player.word for player in self.given_up)} if self.given_up else {})


def start_board(players: tuple[PlayerName, ...]) -> Board:
    """Return the board as a game begins: pawns a step from opposite corners."""
    board = parse_board(START)
    flags = board.flags.copy()
    flags[1, 1], flags[SIDE - 2, SIDE - 2] = (PLAYERS.index(player.word) + 1 for player in players)
    return Board(board.heights, flags, board.letters)


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


def checked(board: Board) -> Board:
    """Return a board on which play can go on. Raises RequestError with what to do."""
    for word in PLAYERS:
        if np.count_nonzero(board.flags == PLAYERS.index(word) + 1) != 1:
            raise RequestError("board", f"board: {word} has one pawn: put it where it belongs")
    return board


def parse_position(data: object) -> Position:
    """Validate a position's JSON form. Raises RequestError with what to do."""
    if not isinstance(data, Mapping) or data.get("game", NAME) != NAME:
        raise RequestError("position", f"this is no position of {NAME}: write an object with players and board")
    unknown = set(data) - {"game", "edition", "players", "to_move", "turn", "board", "given_up"}
    if unknown:
        raise RequestError("key", f"position: nothing is called {sorted(map(str, unknown))[0][:40]!r}: leave it out")
    words, given_up = data.get("players"), data.get("given_up", [])
    if not isinstance(words, list) or sorted(map(str, words)) != sorted(PLAYERS):
        raise RequestError("players", f"players is a list of {' and '.join(PLAYERS)}, the one that begins first")
    if not isinstance(given_up, list):
        raise RequestError("given_up", "given_up is a list of players")
    players = tuple(map(parse_player, words))
    to_move, turn = parse_player(data.get("to_move", words[0])), data.get("turn", 1)
    if type(turn) is not int or turn < 1:
        raise RequestError("turn", "turn is a number from 1")
    return Position(parse_board(data.get("board")), players, to_move, turn, frozenset(map(parse_player, given_up)))
