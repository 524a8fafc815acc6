"""Read declared acts and what was seen from their JSON form, and write acts back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.games.contract import RequestError
from referee.games.jsonvalues import a_list, a_number, a_truth, an_object, code_of, one_of, show
from referee.games.terrabilis.copy.data import KINDS, GameCopy
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Choose,
    Count,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    Repay,
    Roll,
    TakeLoan,
)
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.jsonvalues import a_player
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.reading import a_card
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS

LEVELS = ("normal", "expert")
PRIZES = ("energy", "money")
CHOICES = (*COUNTERS, *PRIZES)
MOST_ORDERED = 60
"""Counters in the longest order that is read."""
MOST_ACTS = 200
"""Acts of the longest turn that is read."""
DICE = 2


def parse_acts(value: object, players: tuple[Country, ...], copy: GameCopy) -> tuple[Declared, ...]:
    """Validate the acts declared. Raises RequestError, naming the act."""
    acts = a_list(value, "declared", MOST_ACTS)
    return tuple(_act(act, f"declared, act {number}", players, copy) for number, act in enumerate(acts))


def _act(value: object, key: str, players: tuple[Country, ...], copy: GameCopy) -> Declared:
    given = an_object(value, key)
    kinds = [name for name in given if name in _READERS]
    if len(kinds) != 1:
        raise RequestError("declared", f"{key}: an act has one of the keys {', '.join(_READERS)}")
    kind = kinds[0]
    allowed = (kind, "by", *_COMPANIONS.get(kind, ()))
    an_object(given, key, allowed)
    act = _READERS[kind](given, key, copy)
    by = given.get("by")
    return act if by is None else replace(act, by=a_player(by, players, f"{key}, by"))


def _roll(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    return Roll(a_pair_of_dice(given["roll"], f"{key}, roll"))


def a_pair_of_dice(value: object, key: str) -> tuple[int, int]:
    """Return two dice. Raises RequestError."""
    dice = a_list(value, key)
    if len(dice) != DICE:
        raise RequestError(code_of(key), f"{key}: give two dice, such as [3, 4]")
    first, second = (a_number(die, key, 1, 6) for die in dice)
    return first, second


def _draw(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    return Draw(one_of(given["draw"], KINDS, f"{key}, draw"))


def _install(given: Mapping[str, object], key: str, copy: GameCopy) -> Declared:
    return Install(a_card(given["install"], f"{key}, install", copy))


def _discard(given: Mapping[str, object], key: str, copy: GameCopy) -> Declared:
    return Discard(a_card(given["discard"], f"{key}, discard", copy))


def _hazard(given: Mapping[str, object], key: str, copy: GameCopy) -> Declared:
    hazard = given["hazard"]
    if not isinstance(hazard, str) or hazard not in copy.hazard_cards:
        raise RequestError("declared", f"{key}, hazard: the copy has no hazard {show(hazard)}, enter it first")
    return HazardDrawn(hazard)


def _join(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    return Join(a_truth(given["join"], f"{key}, join"))


def _quiz(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    level = one_of(given["quiz"], LEVELS, f"{key}, quiz")
    if not a_truth(given.get("right"), f"{key}, right"):
        return Quiz(level, right=False)
    return Quiz(level, right=True, prize=one_of(given.get("prize"), PRIZES, f"{key}, prize"))


def _choose(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    return Choose(one_of(given["choose"], CHOICES, f"{key}, choose"))


def _order(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    order = given["order"]
    if not isinstance(order, str) or not 0 < len(order) <= MOST_ORDERED or set(order) - {"g", "y"}:
        raise RequestError("declared", f"{key}, order is {show(order)}: write g and y in the order poured")
    return PourOrder(order)


def _loan(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    _true(given["loan"], f"{key}, loan")
    return TakeLoan()


def _repay(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    _true(given["repay"], f"{key}, repay")
    return Repay()


def _true(value: object, key: str) -> None:
    if value is not True:
        raise RequestError("declared", f"{key} is {show(value)}: write true, or leave the act out")


def _abandon(given: Mapping[str, object], key: str, copy: GameCopy) -> Declared:
    cards = a_list(given["abandon"], f"{key}, abandon")
    return Abandon(tuple(a_card(card, f"{key}, abandon", copy) for card in cards))


def _count(given: Mapping[str, object], key: str, _copy: GameCopy) -> Declared:
    counted = an_object(given["count"], f"{key}, count", ACCOUNTS)
    return Count(tuple((name, a_number(n, f"{key}, count {name}")) for name, n in counted.items()))


_READERS: Mapping[str, Callable[[Mapping[str, object], str, GameCopy], Declared]] = {
    "roll": _roll,
    "draw": _draw,
    "install": _install,
    "discard": _discard,
    "hazard": _hazard,
    "join": _join,
    "quiz": _quiz,
    "choose": _choose,
    "order": _order,
    "loan": _loan,
    "repay": _repay,
    "abandon": _abandon,
    "count": _count,
}
_COMPANIONS: Mapping[str, tuple[str, ...]] = {"quiz": ("right", "prize")}


def act_json(act: Declared) -> dict[str, object]:
    """Return the act as formats write it."""
    data = _plain(act)
    return data if act.by is None else data | {"by": act.by.word}


def _plain(act: Declared) -> dict[str, object]:
    match act:
        case Roll():
            return {"roll": list(act.dice)}
        case Draw():
            return {"draw": act.pile}
        case Install() | Discard():
            return {"install" if isinstance(act, Install) else "discard": act.card}
        case HazardDrawn():
            return {"hazard": act.hazard}
        case Join():
            return {"join": act.joins}
        case Quiz():
            data: dict[str, object] = {"quiz": act.level, "right": act.right}
            return data if act.prize is None else data | {"prize": act.prize}
        case Choose():
            return {"choose": act.what}
        case PourOrder():
            return {"order": act.counters}
    return _plain_at_any_time(act)


def _plain_at_any_time(act: TakeLoan | Repay | Abandon | Count) -> dict[str, object]:
    match act:
        case TakeLoan():
            return {"loan": True}
        case Repay():
            return {"repay": True}
        case Abandon():
            return {"abandon": list(act.cards)}
    return {"count": dict(act.values)}


def parse_observed(value: object, players: tuple[Country, ...], copy: GameCopy) -> LedgerSeen:
    """Validate what was seen. Raises RequestError, naming the key."""
    given = an_object(value, "observed", ("dice", "pawns", "zone", "installed"))
    dice = given.get("dice")
    zone = an_object(_seen(given.get("zone")), "observed: zone", COUNTERS)
    pawns = an_object(_seen(given.get("pawns")), "observed: pawns")
    installed = an_object(_seen(given.get("installed")), "observed: installed")
    last = len(copy.track) - 1
    return LedgerSeen(
        dice=None if dice is None else a_pair_of_dice(dice, "observed, dice"),
        pawns={
            a_player(word, players, "observed: pawns"): a_number(n, f"observed: pawns {word}", 0, last)
            for word, n in pawns.items()
            if n is not None
        },
        zone={name: a_number(n, f"observed: zone {name}") for name, n in zone.items() if n is not None},
        installed={
            a_player(word, players, "observed: installed"): _laid_out(n, f"observed: installed {word}", copy)
            for word, n in installed.items()
            if n is not None
        },
    )


def _seen(value: object) -> object:
    return {} if value is None else value


def _laid_out(value: object, key: str, copy: GameCopy) -> int | tuple[str, ...]:
    if isinstance(value, list):
        return tuple(a_card(card, key, copy) for card in value)
    return a_number(value, key)
