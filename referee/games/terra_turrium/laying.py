"""Lay the acts of a recorded turn by hand, whether the rules allow them or not."""

from __future__ import annotations

from referee.games.record import RecordEntry, RecordError
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.text.notation import NotationError, parse_turn
from referee.values.board import Board


def laid(position: TerraPosition, entry: RecordEntry) -> str:
    """Return the board text after a turn.

    Raises RecordError for acts that can't be read, or that no hand can make.
    """
    try:
        acts = parse_turn(entry.acts)
    except NotationError as error:
        raise RecordError(f"turn {entry.number}: {error}", entry.line) from error
    board = position.board
    heights, flags = board.heights.copy(), board.flags.copy()
    letter = next((player.letter for player in position.players if player.word == entry.player), "")
    if not letter:
        raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play", entry.line)
    for act in acts:
        first, last = act.fields[0], act.fields[-1]
        if act.kind in ("take", "build"):
            heights[first] += 1 if act.kind == "build" else -1
            if heights[first] < 0:
                raise RecordError(f"turn {entry.number}: {act.text}: nothing lies there: correct the act", entry.line)
            continue
        flag = board.letters.index(letter) + 1 if act.kind == "enter" else flags[first]
        if act.kind == "move":
            if not flag:
                raise RecordError(f"turn {entry.number}: {act.text}: no flag stands there: correct it", entry.line)
            flags[first] = 0
        for place in act.captures:
            flags[place] = 0
        flags[last] = flag
    return Board(heights, flags, board.letters).text
