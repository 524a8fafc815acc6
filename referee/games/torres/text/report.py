"""Convert an explanation for others: into the turn of formats.md."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import NAMES
from referee.games.torres.search.task import HAND, Act, Plan


def turn_json(plan: Plan, player: KnightColour) -> dict[str, object]:
    """Return a turn as formats.md writes it; what hands did has no act."""
    return {"player": player, "acts": [act_json(act) for act in by_rules(plan.acts)], "cost": plan.cost}


def by_rules(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return the acts without what hands did."""
    return tuple(act for act in acts if act[0] != HAND)


def act_json(act: Act) -> dict[str, object]:
    """Return an act as formats.md writes it."""
    kind, a, b = act
    if kind in ("build", "place", "castle", "king"):
        return {kind: NAMES[a]}
    if kind in ("move", "door"):
        return {kind: NAMES[a], "to": NAMES[b]}
    card = kind.removeprefix("card.")
    if card in ("extra", "under"):
        return {"card": card, "build": NAMES[a]}
    return {"card": card, "from": NAMES[a], "to": NAMES[b]}
