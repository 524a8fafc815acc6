"""Tell whose own acts a declaration adds: a phone that is one player's declares nothing for anybody else."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.terrabilis import judgement
from referee.games.terrabilis.banker.options import options_now, section_picked
from referee.games.terrabilis.banker.underway import under_way
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.entered import Entered, lacking
from referee.games.terrabilis.declared.seen import NOTHING_SEEN
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition


def declarers(
    position: TerrabilisPosition, before: Mapping[str, object], after: Mapping[str, object]
) -> frozenset[Country] | None:
    """Return whose own acts one declaration adds to another, or takes back; ``None`` where anything else changes.

    Only the last acts may be taken back. A value of the copy belongs to whoever can't act without it. Raises
    RequestError for acts that can't be read.
    """
    was = judgement.case_of(position, NOTHING_SEEN, {judgement.ACTS: before.get(judgement.ACTS, "")})
    now = judgement.case_of(position, NOTHING_SEEN, {judgement.ACTS: after.get(judgement.ACTS, "")})
    told = now.entered[len(was.entered) :]
    if before.get(judgement.SEEN) != after.get(judgement.SEEN) or now.entered != (*was.entered, *told):
        return None
    longer, shorter = (now, was) if len(now.acts) >= len(was.acts) else (was, now)
    if longer.acts[: len(shorter.acts)] != shorter.acts:
        return None
    tellers = [_tellers(was, one) for one in told]
    if not all(tellers):
        return None
    return frozenset(longer.whose(act) for act in longer.acts[len(shorter.acts) :]).union(*tellers)


def _tellers(case: TurnCase, told: Entered) -> frozenset[Country]:
    """Return who can't act without values told, of a card that lacks them or that nobody entered yet."""
    state = under_way(case)
    if state.stuck is not None or state.turn.over:
        return frozenset()
    cards = {"infrastructures": case.copy.cards, "hazards": case.copy.hazard_cards}.get(told.section, {})
    if told.section == section_picked(state.turn) and told.ident not in cards:
        return frozenset({state.turn.player})
    place = told.section, told.ident
    needing = frozenset(option.who for option in options_now(case, state) if option.outlook.lacks[:2] == place)
    overwrites = needing and not set(dict(told.values)) <= set(lacking(case.copy, *place))
    return frozenset() if overwrites else needing
