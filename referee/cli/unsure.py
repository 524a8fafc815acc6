"""The answer to a request nothing can be ruled on: the same members as a ruling's, and why."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.contract import Position
from referee.values.words import Words


def unsure(
    position: Position, observed: str, doubts: Sequence[str], reason: Words, language: str
) -> dict[str, object]:
    """Return the answer, JSON-able.

    doubts: the fields or cells that are not clear; reason: why there is no ruling, for people.
    """
    return {
        "legal": None,
        "violations": [],
        "alternatives": [],
        "turn": None,
        "next": None,
        "winners": [player.word for player in position.winners],
        "finished": False,
        "observed": observed,
        "ruling": "unsure",
        "doubts": list(doubts),
        "reason": reason.text(language),
    }
