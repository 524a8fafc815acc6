"""Games played at random by the banker's options, and turns disturbed at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.games.terrabilis.banker.options import options_now
from referee.games.terrabilis.banker.underway import UnderWay, under_way
from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.declared.acts import Declared, Roll, TurnCase
from referee.games.terrabilis.declared.reading import act_json
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.replay.whole import position_after, replay
from tests.games.terrabilis.positions import COPY, roll

IDS = [card["id"] for card in COPY["infrastructures"]]
HAZARDS = [card["id"] for card in COPY["hazards"] if not card.get("free")]


def turn(position: TerrabilisPosition, copy: GameCopy, rng: random.Random) -> TurnCase:
    """Play a turn that may be ended, made of things the banker offers."""
    acts: list[Declared] = []
    case = TurnCase(position, copy, ())
    for _ in range(60):
        state = under_way(case)
        if state.turn.over or (state.ready and state.turn.dice is not None and rng.random() < 0.8):
            return case
        offered = [option for option in options_now(case) if option.hindrance is None]
        needed = [option for option in offered if option.needed]
        if not needed and not state.ready and state.turn.dice is not None:
            return turn(position, copy, rng)  # an act before keeps the rest from being made: once more
        if not needed and (not offered or rng.random() < 0.7):
            return case
        option = rng.choice(needed if needed and rng.random() < 0.9 else offered)
        if option.kind == "abandon" and rng.random() < 0.7:
            continue
        acts.append(option.act or Roll((rng.randint(1, 6), rng.randint(1, 6))))
        case = replace(case, acts=tuple(acts))
    raise AssertionError(acts)


def game(position: TerrabilisPosition, copy: GameCopy, seed: int, turns: int = 30) -> Iterator[TurnCase]:
    """Yield the turns of a game, as many as it lasts."""
    rng = random.Random(seed)
    for _ in range(turns):
        case = turn(position, copy, rng)
        yield case
        position = position_after(replay(case).turn)
        if position.finished:
            return


def seen_after(case: TurnCase) -> dict[str, Any]:
    """Return what cameras see after a turn played as declared."""
    state: UnderWay = under_way(case)
    books = replay(case).turn.books
    left = {who.word: account for who, account in books.accounts.items() if not account.out}
    seen: dict[str, Any] = {
        "pawns": {who: account.pawn for who, account in left.items()},
        "zone": {"green": books.zone.green, "yellow": books.zone.yellow},
        "installed": {who: len(account.installed) for who, account in left.items()},
    }
    return seen if state.turn.dice is None else seen | {"dice": list(reversed(state.turn.dice))}


def acts_of(case: TurnCase) -> list[dict[str, Any]]:
    return [act_json(act) for act in case.acts]


def stray(rng: random.Random, players: list[str]) -> dict[str, Any]:
    """Return some act."""
    acts: list[dict[str, Any]] = [
        roll(rng.randint(1, 6), rng.randint(1, 6)),
        {"draw": rng.choice(["economic", "social", "energy"])},
        {"install": rng.choice(IDS)},
        {"discard": rng.choice(IDS)},
        {"hazard": rng.choice(HAZARDS)},
        {"join": rng.random() < 0.7},
        {"quiz": "expert", "right": True, "prize": rng.choice(["money", "energy"])},
        {"quiz": "normal", "right": False},
        {"choose": rng.choice(["green", "yellow", "money", "energy"])},
        {"order": rng.choice(["gy", "yg", "ggy", "gyg", "yggy"])},
        {"loan": True},
        {"repay": True},
        {"abandon": [rng.choice(IDS)]},
        {"count": {rng.choice(["money", "energy", "green", "yellow"]): rng.randint(0, 20)}},
    ]
    act = rng.choice(acts)
    return act if rng.random() < 0.6 else act | {"by": rng.choice(players)}


def disturbed(acts: list[dict[str, Any]], rng: random.Random, players: list[str]) -> list[dict[str, Any]]:
    """Return the acts of a turn with one dropped, doubled, added or exchanged; a roll stays in it."""
    acts = [dict(act) for act in acts]
    way = rng.randrange(4)
    at = rng.randrange(len(acts)) if acts else 0
    if way == 0 and acts:
        del acts[at]
    elif way == 1 and acts:
        acts.insert(rng.randrange(len(acts) + 1), acts[at])
    elif way == 2 and len(acts) > 1:
        other = rng.randrange(len(acts))
        acts[at], acts[other] = acts[other], acts[at]
    else:
        acts.insert(rng.randrange(len(acts) + 1), stray(rng, players))
    return acts if any("roll" in act for act in acts) else [*acts, roll(1, 3)]
