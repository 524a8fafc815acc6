"""Lay the acts of a recorded turn by hand, whether the rules allow them or not."""

from __future__ import annotations

from referee.games.record import RecordEntry, RecordError
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import BLOCK_KINDS, CARD_RULE
from referee.games.torres.search.task import Act
from referee.games.torres.text.notation import TorresNotationError, act_text, parse_turn

_BLOCKS = frozenset({"build", "castle", CARD_RULE["extra"], CARD_RULE["under"]})


def laid(position: TorresPosition, entry: RecordEntry) -> str:
    """Return the board text after a turn.

    Raises RecordError for acts that can't be read, or that no hand can make.
    """
    try:
        acts = parse_turn(entry.acts).acts
    except TorresNotationError as error:
        raise RecordError(f"turn {entry.number}: {error}", entry.line) from error
    letter = next((player.letter for player in position.players if player.word == entry.player), "")
    if not letter:
        raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play", entry.line)
    heights, pieces = list(position.board.heights), list(position.board.pieces)
    for act in acts:
        if not _made(act, letter, heights, pieces):
            raise RecordError(f"turn {entry.number}: {act_text(act)}: nothing stands there: correct it", entry.line)
    return TorresBoard(tuple(heights), tuple(pieces)).text


def _made(act: Act, letter: str, heights: list[int], pieces: list[str]) -> bool:
    """Make an act; return whether that could be done."""
    kind, start, end = act
    if kind in _BLOCKS:
        heights[start] += 1
    elif kind == "place":
        pieces[start] = letter
    elif kind == "king":
        pieces[:] = ["" if piece == KING else piece for piece in pieces]
        pieces[start] = KING
    elif kind.removeprefix("card.") in BLOCK_KINDS:
        if not heights[start]:
            return False
        heights[start] -= 1
        heights[end] += 1
    else:
        if not pieces[start]:
            return False
        pieces[end], pieces[start] = pieces[start], ""
    return True
