"""Tell the reader what to expect of a table of which only parts of a position are known."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.jsonvalues import one_of, show
from referee.games.terra_turrium.colours import SIZE, Colour
from referee.games.terra_turrium.geometry import FIELDS, bits
from referee.games.terra_turrium.position.parsing import parse_seats
from referee.games.terra_turrium.ruleset import EDITIONS, FLAGS_EACH, OPTIONS, rule_set
from referee.values.belief import Prior
from referee.values.board import Field

PLAYERS = (2, 3, 4)


def initial_prior(said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
    """Expect what seats, number of players and edition say; each may be absent, and none is taken for granted."""
    seats = parse_seats(said["seats"]) if "seats" in said else None
    seated = frozenset(colour for colour in seats if colour is not None) if seats else None
    players = _players(said["players"], seated) if "players" in said else len(seated) if seated else None
    editions = (one_of(said["edition"], EDITIONS, "edition"),) if "edition" in said else EDITIONS
    return Prior(
        colours=seated or frozenset(Colour),
        flags_each=FLAGS_EACH,
        outside=_outside(editions, players) if players and shape == (SIZE, SIZE) else frozenset(),
        cubes=_cubes(editions, players) if players else frozenset(),
    )


def _players(value: object, seated: frozenset[Colour] | None) -> int:
    if type(value) is not int or value not in PLAYERS:
        raise RequestError("players", f"players is {show(value)}: use 2, 3 or 4")
    if seated is not None and len(seated) != value:
        raise RequestError(
            "players", f"players is {value}, but seats names {len(seated)} colours: correct one of them"
        )
    return value


def _outside(editions: tuple[str, ...], players: int) -> frozenset[Field]:
    """Return the fields that are out of play with so many players in every one of the editions."""
    defaults = OPTIONS["exterior"][0], OPTIONS["returned_cubes"][0]
    masks = [rule_set(edition, players, frozenset(), *defaults).outside for edition in editions]
    common = masks[0]
    for mask in masks[1:]:
        common &= mask
    return frozenset(FIELDS[i] for i in bits(common))


def _cubes(editions: tuple[str, ...], players: int) -> frozenset[int]:
    """Return how many cubes lie on the board with so many players, one number an edition; reserves are not known."""
    defaults = OPTIONS["exterior"][0], OPTIONS["returned_cubes"][0]
    return frozenset(sum(rule_set(edition, players, frozenset(), *defaults).setup) for edition in editions)
