"""Positions and turns made up at random: boards played by the rules, then a turn, as it was or a little spoilt."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.games.torres.fields import FIELDS, KINDS, LETTER, Heights, flat, read, write
from tests.games.torres.reference import Board, Slow

START = "00010000/00000000/00100100/00000001/10000000/00100100/00000000/00001000"
SIDES = {2: ["blue", "orange"], 3: ["red", "green", "white"], 4: ["red", "yellow", "green", "blue"]}


class Free(Slow):
    """Acts towards no board in particular."""

    def sensible(self, state: Board) -> bool:
        return True

    def wanted(self, heights: Heights, field: str) -> bool:
        return True


def request_of(players: list[str], board: str, options: dict[str, object], **position: object) -> dict[str, Any]:
    """Return a request whose first player is to move on a board, with nothing observed yet."""
    return {
        "position": {
            "game": "torres",
            "edition": "fr-1999",
            "variants": [],
            "options": options,
            "players": players,
            "first": players[0],
            "to_move": players[0],
            "board": board,
            "stacks": {player: [3, 3, 2] for player in players},
            "reserve": 40,
            "cards": {player: {"held": 0, "played": []} for player in players},
        }
        | position,
        "observed": board,
        "declared": {},
    }


def acted(rng: Random, request: dict[str, Any], player: str, kinds: tuple[str, ...], most: int) -> tuple[str, int]:
    """Return the board after random acts of a player that cost at most so much, and what they cost."""
    slow = Free(request, player, frozenset(), kinds)
    heights, pieces = read(request["position"]["board"])
    state = Board(flat(heights), frozenset(pieces.items()))
    for _ in range(rng.randint(0, 6)):
        steps = [then for then in slow.steps(state) if then.cost <= most]
        if not steps:
            break
        carded = [then for then in steps if then.cards != state.cards]
        state = rng.choice(carded if carded and rng.random() < 0.5 else steps)
    return write(dict(zip(FIELDS, state.heights, strict=True)), dict(sorted(state.pieces))), state.cost


def board(rng: Random, players: list[str], options: dict[str, object], turns: int) -> str:
    """Return a board on which players have acted a while."""
    heights, pieces = read(START)
    free = [field for field in FIELDS if heights[field]]
    rng.shuffle(free)
    for player in players:
        pieces[free.pop()] = LETTER[player]
    pieces[free.pop()] = "k"
    text = write(heights, pieces)
    for n in range(turns):
        text, _ = acted(rng, request_of(players, text, options), players[n % len(players)], (), 5)
    return text


def spoilt(rng: Random, text: str, player: str, players: list[str]) -> str:
    """Return a board on which something small differs."""
    heights, pieces = read(text)
    mine = [f for f, piece in pieces.items() if piece == LETTER[player]]
    others = [f for f, piece in pieces.items() if piece != LETTER[player]]
    free = [f for f in FIELDS if f not in pieces]
    way = rng.randrange(8)
    if way <= 2 and mine:
        pieces[rng.choice(free)] = pieces.pop(rng.choice(mine))
    elif way <= 4:
        high = [f for f in FIELDS if heights[f]]
        near = rng.choice(high if rng.random() < 0.6 else FIELDS)
        heights[near] += 1
    elif way == 5:
        field = rng.choice([f for f in FIELDS if heights[f]])
        heights[field] -= 1
    elif way == 6 and others:
        pieces[rng.choice(free)] = pieces.pop(rng.choice(others))
    else:
        pieces[rng.choice(free)] = LETTER[rng.choice(players)]
    return write(heights, pieces)


def case(seed: int, most: int = 3) -> dict[str, Any]:
    """Return a request made up from a number. most: AP there are for acts."""
    rng = Random(seed)
    players = SIDES[rng.choice((2, 2, 3, 4))]
    options: dict[str, object] = {}
    if rng.random() < 0.5:
        options["doors"] = rng.choice(("any", "path", "closed"))
    if rng.random() < 0.25:
        options["card_cost"] = "act"
    if rng.random() < 0.25:
        options["jump_over"] = "any"
    before = board(rng, players, options, rng.randint(2, 7 * len(players)))
    player = players[0]
    kind = rng.choice((None, None, *KINDS))
    held = rng.choice((0, 1, 1, 2))
    hands = {p: {"held": held, "played": []} for p in players}
    request = request_of(players, before, options, cards=hands)
    kinds = (kind,) if kind else ()
    after, _ = acted(rng, request, player, kinds, most)
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        after = spoilt(rng, after, player, players)
    counts = read(after)[1]
    while any(sum(piece == LETTER[p] for piece in counts.values()) > 7 for p in players):
        after, counts = before, read(before)[1]
    points = (7 if kind == "ap7" else 6 if kind == "ap6" else 5) - most
    request["observed"] = after
    declared = kind if rng.random() < 0.7 else None
    request["declared"] = {"card": declared, "points": points if declared == kind else 5 - most}
    if declared is None and kind is None:
        request["declared"]["points"] = 5 - most
    return request
