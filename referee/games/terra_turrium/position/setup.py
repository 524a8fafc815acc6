"""Compare a board with the set-up of an edition."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.contract import RequestError, Violation
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import COUNT, FIELDS, bits
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, grids
from referee.games.terra_turrium.ruleset import FLAGS_EACH, SETUP_FLAGS, SETUP_HEIGHT
from referee.games.terra_turrium.text import messages
from referee.values.board import Board


def differences(position: TerraPosition, observed: Board) -> tuple[Violation, ...]:
    """Return what must be put right before the game begins: stacks field by field, then flags.

    Cubes given to a reserve before play come out of the giver's territory, so where the position has a reserve its
    own board says how high the stacks are.
    """
    if observed.heights.shape != position.board.heights.shape:
        raise RequestError("board", "observed: the board has ten rows of ten fields")
    heights, flags = grids(observed)
    expected = position.grids[0] if any(position.reserve.values()) else position.rules.setup
    found = [
        Violation(SETUP_HEIGHT, (FIELDS[i],), messages.setup_height(i, heights[i], expected[i], position.rules))
        for i in range(COUNT)
        if heights[i] != expected[i]
    ]
    masks = flag_masks(flags)
    for colour in Colour:
        if colour in position.players:
            found += _flag_differences(position, colour, masks[colour], expected)
        else:
            found += [
                Violation(SETUP_FLAGS, (FIELDS[i],), messages.setup_flag_idle(i, colour, position.rules))
                for i in bits(masks[colour])
            ]
    return tuple(found)


def _flag_differences(
    position: TerraPosition, player: Colour, flags: int, expected: tuple[int, ...]
) -> Iterator[Violation]:
    own = position.territories(frozenset({player}))
    for i in bits(flags & ~own):
        yield Violation(SETUP_FLAGS, (FIELDS[i],), messages.setup_flag_foreign(i, player, position.rules))
    for i in bits(flags & own):
        if not expected[i]:
            yield Violation(SETUP_FLAGS, (FIELDS[i],), messages.setup_flag_ground(i, player, position.rules))
    if flags.bit_count() != FLAGS_EACH:
        fields = tuple(FIELDS[i] for i in bits(flags))
        yield Violation(SETUP_FLAGS, fields, messages.setup_flag_count(player, flags.bit_count(), position.rules))
