"""Shows grids of stacks on the page: fields, what must still be put back, and how many stones there must be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.games.contract import Position, RequestError
from referee.match.events import AnyGame
from referee.match.live import RestoreTask
from referee.match.standing import board_of
from referee.values.board import DIGITS, MAX_HEIGHT, Board, BoardError, Field
from referee.values.kit import Kit
from referee.values.partial import UNKNOWN, PartialBoard
from referee.view.board import piece_word
from referee.view.kindview import KindView

FEWEST_FAR, SETUP_SHARE = 4, 10
"""A set-up is far from right when more fields than so many, and more than a tenth of all, are to be put right."""


class GridView(KindView):
    """Boards of stacks with pieces on them."""

    def board(self, text: str, like: Board, kit: Kit) -> Mapping[str, object]:
        """Return columns, rows (the highest first) and fields."""
        rows, cols = like.heights.shape
        return {
            "columns": [chr(ord("A") + col) for col in range(cols)],
            "rows": list(range(rows, 0, -1)),
            "fields": [
                {"name": place.name, "height": height, "piece": piece_word(letter, kit)}
                for place, height, letter in PartialBoard.parse(text, rows, cols, like.letters).fields()
            ],
        }

    def stand(self, text: str | None, kit: Kit) -> Mapping[str, object]:
        """Return the height and the piece's word."""
        if text is None:
            return {"height": None, "piece": piece_word(None, kit)}
        return {"height": DIGITS.index(text[0]), "piece": piece_word(None if text[1:] == "~" else text[1:], kit)}

    def stands(self, answer: tuple[int, int], kit: Kit) -> str:
        """Return a height and the code of a piece as text."""
        height, piece = answer
        return DIGITS[height] + (kit.pieces[piece - 1].letter if piece else "")

    def with_told(self, text: str, known: Mapping[str, str], like: Board) -> str:
        """Return the text with fields that players told of."""
        if not known:
            return text
        rows, cols = like.heights.shape
        board = PartialBoard.parse(text, rows, cols, like.letters)
        left_open = {
            name: stands
            for name, stands in known.items()
            if UNKNOWN in (board.heights[Field.from_name(name)], board.pieces[Field.from_name(name)])
        }
        return self.with_others(text, left_open, like)

    def with_others(self, text: str, others: Mapping[str, str], like: Board) -> str:
        """Return the text with something else on some fields."""
        rows, cols = like.heights.shape
        board = PartialBoard.parse(text, rows, cols, like.letters)
        heights, pieces = board.heights.copy(), board.pieces.copy()
        for name, stands in others.items():
            place, told = Field.from_name(name), Board.parse(stands, 1, 1, like.letters)
            heights[place], pieces[place] = told.heights[0, 0], told.flags[0, 0]
        return PartialBoard(heights, pieces, like.letters).text

    def is_far(self, text: str, wanted: Board, wrong: Collection[Field]) -> bool:
        """Return whether more than a tenth of the fields are wrong or can't be told."""
        unknown = differing(text, wanted)[1] if text else ()
        return len({*wrong, *unknown}) > max(FEWEST_FAR, wanted.heights.size // SETUP_SHARE)

    def to_put_back(self, wanted: Board, ruled_on: str, seen: str) -> Sequence[RestoreTask]:
        """Return each field that differed or differs, ticked off where what is seen now is as it was."""
        rows, cols = wanted.heights.shape
        now = seen or ruled_on
        differed = sorted({place for text in (ruled_on, now) for place in differing(text, wanted)[0]})
        found = {
            place: None if height is None else DIGITS[height] + ("~" if letter is None else letter)
            for place, height, letter in PartialBoard.parse(now, rows, cols, wanted.letters).fields()
        }
        shall = {place: wanted.stands(place) for place in differed}
        return [RestoreTask(place, text, found[place], found[place] == text) for place, text in shall.items()]

    def stones_kept(self, game: AnyGame, position: Position) -> int | None:
        """Return how many stones stand now, where the game refuses a position with one stone more."""
        board = board_of(position)
        stands = np.argwhere((board.heights > 0) & (board.heights < MAX_HEIGHT))
        if not len(stands):
            return None
        row, col = stands[0]
        heights = board.heights.copy()
        heights[row, col] += 1
        try:
            game.corrected(position, {"board": replace(board, heights=heights).text})
        except (RequestError, BoardError):
            return int(board.heights.sum())
        return None


def differing(text: str, wanted: Board) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """Return the fields in which a board text differs from a board, and those of which it can't be told."""
    rows, cols = wanted.heights.shape
    different: list[Field] = []
    unknown: list[Field] = []
    stood = PartialBoard.of(wanted).fields()
    for (place, *seen), (_, *before) in zip(
        PartialBoard.parse(text, rows, cols, wanted.letters).fields(), stood, strict=True
    ):
        if None in seen:
            unknown.append(place)
        elif seen != before:
            different.append(place)
    return tuple(different), tuple(unknown)


VIEW = GridView()
