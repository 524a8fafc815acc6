"""Offer what makes everything agree: a button for each, which declares the turn so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.games.contract import Offer
from referee.games.terrabilis.banker.asking import Audience, View
from referee.games.terrabilis.declared.acts import Count, Declared, TurnCase
from referee.games.terrabilis.declared.reading import parse_acts
from referee.games.terrabilis.replay.whole import replay
from referee.games.terrabilis.text.actwords import act_words
from referee.games.terrabilis.text.notation import SEPARATOR, turn_text
from referee.values.words import Words, say


def ways_view(case: TurnCase, kept: Mapping[str, object], offers: Sequence[Offer], audience: Audience) -> list[View]:
    """Return the offers of a ruling on a turn, and what was counted that may be left out.

    kept: what was declared besides the acts.
    """
    found: list[tuple[Words, Mapping[str, object]]] = []
    for offer in offers:
        at = offer.act
        (instead,) = parse_acts([offer.instead], case.position.players, case.copy)
        was, would = act_words(case.acts[at], case.copy), act_words(instead, case.copy)
        words = say("{instead} (not: {act})", act=was, instead=would)
        if instead.by not in (None, case.position.to_move):
            words = say("{who}: {act}", who=instead.by, act=words)
        found.append((words, _told(case, (*case.acts[:at], instead, *case.acts[at + 1 :]))))
    differing = replay(case).differences
    for who in dict.fromkeys(one.who for one in differing if one.kind == "count" and one.who is not None):
        others = (act for act in case.acts if not isinstance(act, Count) or case.whose(act) != who)
        found.append((say("{who} counted wrong: leave the count out", who=who), {**kept, **_told(case, others)}))
    if any(one.kind != "count" for one in differing):
        found.append((say("The table was compared wrong: leave that out"), _told(case, case.acts)))
    return [
        {"id": f"way-{number}", "name": audience.told(words), "declared": declared}
        for number, (words, declared) in enumerate(found)
    ]


def _told(case: TurnCase, acts: Iterable[Declared]) -> dict[str, object]:
    told = [*(one.text for one in case.entered), turn_text(acts)]
    return {"acts": f"{SEPARATOR} ".join(told)}
