"""Tell whose own acts a declaration adds: a phone that is one player's declares nothing for anybody else."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.terrabilis import judgement
from referee.games.terrabilis.declared.acts import Declared, TurnCase
from referee.games.terrabilis.declared.seen import NOTHING_SEEN
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition


def declarers(
    position: TerrabilisPosition, before: Mapping[str, object], after: Mapping[str, object]
) -> frozenset[Country] | None:
    """Return whose own acts one declaration adds to another, or takes back; ``None`` where anything else changes.

    Only the last acts may be taken back. Raises RequestError for acts that can't be read.
    """
    was = judgement.case_of(position, NOTHING_SEEN, {judgement.ACTS: before.get(judgement.ACTS, "")})
    now = judgement.case_of(position, NOTHING_SEEN, {judgement.ACTS: after.get(judgement.ACTS, "")})
    if before.get(judgement.SEEN) != after.get(judgement.SEEN) or was.entered != now.entered:
        return None
    longer, shorter = (now, was) if len(now.acts) >= len(was.acts) else (was, now)
    if longer.acts[: len(shorter.acts)] != shorter.acts:
        return None
    return frozenset(_whose(longer, act) for act in longer.acts[len(shorter.acts) :])


def _whose(case: TurnCase, act: Declared) -> Country:
    return case.roller if act.by is None else act.by
