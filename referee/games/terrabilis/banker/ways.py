"""Offer the one changed declaration that makes everything agree: a button for each, which declares the turn so."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.contract import Offer
from referee.games.terrabilis.banker.asking import View
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.reading import parse_acts
from referee.games.terrabilis.text.actwords import act_words
from referee.games.terrabilis.text.notation import SEPARATOR, turn_text
from referee.values.words import say


def ways_view(case: TurnCase, offers: Sequence[Offer], language: str) -> list[View]:
    """Return the offers of a ruling on a turn."""
    found: list[View] = []
    for offer in offers:
        at = offer.act
        (instead,) = parse_acts([offer.instead], case.position.players, case.copy)
        acts = (*case.acts[:at], instead, *case.acts[at + 1 :])
        was, would = act_words(case.acts[at], case.copy), act_words(instead, case.copy)
        words = say("{instead} (not: {act})", act=was, instead=would)
        if instead.by not in (None, case.position.to_move):
            words = say("{who}: {act}", who=instead.by, act=words)
        told = [*(one.text for one in case.entered), turn_text(acts)]
        found.append(
            {
                "id": f"way-{len(found)}",
                "name": words.text(language),
                "declared": {"acts": f"{SEPARATOR} ".join(told)},
            }
        )
    return found
