"""Infer the position a game is set up from, as far as it is said, and seen, who plays where."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.games.contract import RequestError
from referee.games.terra_turrium.colours import SIZE, Colour, board_of
from referee.games.terra_turrium.geometry import TERRITORIES, TERRITORY_MASKS
from referee.games.terra_turrium.position.parsing import GAME_NAME, parse_position, parse_seats
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, grids
from referee.games.terra_turrium.ruleset import EDITIONS, FLAGS_EACH, OPTIONS, rule_set
from referee.values.board import Board

SAID = ("edition", "seats", "variants", "options", "teams")


def infer_setup(said: Mapping[str, object], observed: Board) -> TerraPosition:
    """Return the position before any flag is placed: stacks as the rules put them, all flags in their owners' hands.

    Seats that are not said are those of the colours whose flags were seen most in each territory.
    Raises RequestError for what contradicts itself, and when the flags don't show who sits where.
    """
    if observed.heights.shape != (SIZE, SIZE):
        raise RequestError("board", "observed: the board has ten rows of ten fields")
    for key in said:
        if key not in SAID:
            raise RequestError("key", f"{key} says nothing of a set-up: use {', '.join(SAID)}")
    seats = dict(_as_words(parse_seats(said["seats"])) if said.get("seats") is not None else _seats_seen(observed))
    players = list(dict.fromkeys(word for word in seats.values() if word is not None))
    given = {key: said[key] for key in ("variants", "options", "teams") if said.get(key) is not None}
    empty = board_of(np.zeros((SIZE, SIZE), np.int8), np.zeros((SIZE, SIZE), np.int8))
    edition = said.get("edition") or EDITIONS[0]
    data: dict[str, object] = {
        "game": GAME_NAME,
        "edition": edition,
        "seats": seats,
        "first": players[0],
        "to_move": players[0],
        "in_hand": dict.fromkeys(players, FLAGS_EACH),
        **given,
    }
    # The stacks depend on the rules, which are known once edition, players and variants have been looked at.
    if edition in EDITIONS:
        rules = rule_set(
            str(edition), len(players), frozenset(), OPTIONS["exterior"][0], OPTIONS["returned_cubes"][0]
        )
        heights = np.array(rules.setup, np.int8).reshape(SIZE, SIZE)
        empty = board_of(heights, empty.flags)
    return parse_position(data | {"board": empty.text})


def _as_words(seats: tuple[Colour | None, ...]) -> dict[str, str | None]:
    return {place: colour.word if colour else None for place, colour in zip(TERRITORIES, seats, strict=True)}


def _seats_seen(observed: Board) -> dict[str, str | None]:
    masks = flag_masks(grids(observed)[1])
    seen: dict[str, str | None] = {}
    for place, territory in zip(TERRITORIES, TERRITORY_MASKS, strict=True):
        counts = {colour: (masks[colour] & territory).bit_count() for colour in Colour}
        most = max(Colour, key=lambda colour: counts[colour])
        seen[place] = most.word if counts[most] else None
    try:
        parse_seats(seen)
    except RequestError:
        told = ", ".join(f"{place} {word or 'nobody'}" for place, word in seen.items())
        raise RequestError(
            "seats", f"the flags do not show who sits where ({told}): set them up, or give the seats"
        ) from None
    return seen
