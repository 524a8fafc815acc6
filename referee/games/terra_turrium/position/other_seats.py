"""Find the seats that the flags of a set-up show, where they are others than those agreed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from referee.games.answers import OtherSetup
from referee.games.contract import RequestError
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import TERRITORIES, TERRITORY_MASKS
from referee.games.terra_turrium.position.beginning import SIDES_OPTION, choices, new_game
from referee.games.terra_turrium.position.position import TerraPosition, flag_masks, grids
from referee.games.terra_turrium.position.setup import differences
from referee.games.terra_turrium.text.messages import other_seats_words
from referee.values.board import Board

Seats = tuple[Colour | None, ...]
"""Who sits where, in the order of TERRITORIES."""


def other_seats(position: TerraPosition, observed: Board) -> OtherSetup | None:
    """Return the same game with the seats that the flags show; ``None`` where no others fit better.

    Tried are all seats of the players agreed on, and of the colours that are seen. Seats must be the only ones with
    so few flags in foreign territories, so that nothing is offered while some have not placed theirs yet.
    """
    if any(position.reserve.values()):
        return None
    masks = flag_masks(grids(observed)[1])
    found: TerraPosition | None = None
    fewest = len(differences(position, observed))
    for players in dict.fromkeys((position.players, tuple(colour for colour in Colour if masks[colour]))):
        seats = _fitting(players, masks)
        other = None if seats is None or seats == position.seats else _seated(position, seats)
        if other is not None and (wrong := len(differences(other, observed))) < fewest:
            found, fewest = other, wrong
    return None if found is None else OtherSetup(found, other_seats_words(found.seats))


def _fitting(players: Sequence[Colour], masks: tuple[int, ...]) -> Seats | None:
    """Return the seats with the fewest flags in foreign territories, if just one way to sit has so few."""
    ranked = sorted((_foreign(seats, masks), number, seats) for number, seats in enumerate(_ways_to_sit(players)))
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][2]


def _ways_to_sit(players: Sequence[Colour]) -> Iterator[Seats]:
    for seating in choices().seatings:
        if seating.players != len(players):
            continue
        for order in permutations(players):
            owners = {place: colour for colour, group in zip(order, seating.groups, strict=True) for place in group}
            yield tuple(owners.get(place) for place in TERRITORIES)


def _foreign(seats: Seats, masks: tuple[int, ...]) -> int:
    """Return how many flags stand outside their owners' territories."""
    return sum(
        (masks[colour] & territory).bit_count()
        for owner, territory in zip(seats, TERRITORY_MASKS, strict=True)
        for colour in Colour
        if colour is not owner
    )


def _seated(position: TerraPosition, seats: Seats) -> TerraPosition | None:
    """Return a new game with other seats and all else as agreed; ``None`` where its rules allow no such seats."""
    options = dict(position.options)
    if len(set(seats)) == 2:
        options[SIDES_OPTION] = "opposite" if seats[0] is seats[2] else "adjacent"
    choice: dict[str, object] = {
        "edition": position.rules.edition,
        "variants": list(position.variants),
        "options": options,
        "seats": {
            place: None if colour is None else colour.word for place, colour in zip(TERRITORIES, seats, strict=True)
        },
        "teams": [[colour.word for colour in team] for team in position.teams],
    }
    if position.first in seats:
        choice["first"] = position.first.word
    try:
        return new_game(choice)
    except RequestError:
        return None
