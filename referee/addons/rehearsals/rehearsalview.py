"""Tell what a rehearsal found as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence

from referee.addons.rehearsals.rehearsal import Rehearsal, advice, stated, told
from referee.addons.rehearsals.validity import Lapse


def rehearsal_told(rehearsal: Rehearsal, lapsed: Sequence[Lapse], language: str) -> dict[str, object]:
    """Return a rehearsal in the players' words, as JSON-able values. lapsed: why it no longer holds."""
    return {
        "words": told(rehearsal).text(language),
        "made_at": rehearsal.made_at,
        "renewed_at": rehearsal.renewed_at,
        "ends_on": rehearsal.ends_on.isoformat(),
        "holds": not lapsed,
        "lapsed": [each.words.text(language) for each in lapsed],
        "groups": [
            {
                "who": each.who.text(language),
                "looks": each.looks,
                "right": each.right.text(language),
                "wrong": each.wrong.text(language),
                "open": each.open.text(language),
            }
            for each in stated(rehearsal)
        ],
        "advice": [each.text(language) for each in advice(rehearsal)],
    }
