"""Lay the acts of a recorded turn by hand, whether the rules allow them or not."""

from __future__ import annotations

from referee.games.record import RecordEntry, RecordError
from referee.games.turris.bars import BY_WORD
from referee.games.turris.position import TurrisPosition
from referee.games.turris.record import acts_of, after_act


def laid(position: TurrisPosition, entry: RecordEntry) -> str:
    """Return the tower text after a turn.

    Raises RecordError for acts that can't be read, or that no hand can make.
    """
    player = BY_WORD.get(entry.player)
    if player is None:
        raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play", entry.line)
    tower = position.tower
    for act in acts_of(entry):
        tower = after_act(tower, act, player, entry)
    return tower.text
