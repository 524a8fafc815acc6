"""Hold a position as the engine handles it, and what one player may do in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import ALL, NAMES, TERRITORIES, TERRITORY_MASKS
from referee.games.terra_turrium.ruleset import RuleSet
from referee.values.board import Board

Counts = Mapping[Colour, int]
Holding = Mapping[Colour, tuple[int, ...]]


def grids(board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a board's heights and flags as flat tuples, field A1 first."""
    return tuple(board.heights.ravel().tolist()), tuple(board.flags.ravel().tolist())


def flag_masks(flags: tuple[int, ...]) -> tuple[int, ...]:
    """Return the set of fields of each colour's flags, indexed by Colour; index 0 is all flags."""
    masks = [0, 0, 0, 0, 0]
    for i, flag in enumerate(flags):
        if flag:
            masks[flag] |= 1 << i
    masks[0] = masks[1] | masks[2] | masks[3] | masks[4]
    return tuple(masks)


@dataclass(frozen=True)
class TerraPosition:
    """A state of the game between two turns; every key of formats.md filled in.

    variants and options are kept as given, ``rules`` is what they come to. seats follow TERRITORIES. The mappings
    hold every player and are never changed.
    """

    rules: RuleSet
    variants: tuple[str, ...]
    options: Mapping[str, str]
    seats: tuple[Colour | None, Colour | None, Colour | None, Colour | None]
    first: Colour
    to_move: Colour
    turn: int
    board: Board
    in_hand: Counts
    attacks: Counts
    reserve: Counts
    captures_left: Counts
    captures_open: bool
    teams: tuple[tuple[Colour, ...], ...]
    holding: Holding
    winners: tuple[Colour, ...]
    final_round: bool
    finished: bool

    @cached_property
    def players(self) -> tuple[Colour, ...]:
        """Return the players clockwise."""
        return tuple(dict.fromkeys(colour for colour in self.seats if colour is not None))

    @cached_property
    def grids(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return heights and flags as flat tuples, field A1 first."""
        return grids(self.board)

    @cached_property
    def flag_masks(self) -> tuple[int, ...]:
        """Return the fields of each colour's flags, indexed by Colour; index 0 is all flags."""
        return flag_masks(self.grids[1])

    def following(self, player: Colour) -> Colour:
        """Return the player whose turn comes after the given player's."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def mates(self, player: Colour) -> frozenset[Colour]:
        """Return the player and the team-mate, if there is one."""
        return next((frozenset(team) for team in self.teams if player in team), frozenset({player}))

    def territories(self, players: frozenset[Colour]) -> int:
        """Return the fields of the territories the given players own."""
        return mask_of_territories(tuple(t for t, owner in enumerate(self.seats) if owner in players))

    @property
    def observed(self) -> Board:
        """Return what stands on the table."""
        return self.board

    def to_json(self) -> dict[str, object]:
        """Return the position as formats.md writes it; keys of variants only where the variant is played."""
        rules = self.rules
        data: dict[str, object] = {
            "game": "terra-turrium",
            "edition": rules.edition,
            "variants": list(self.variants),
            "options": dict(self.options),
            "seats": {t: c.word if c else None for t, c in zip(TERRITORIES, self.seats, strict=True)},
            "first": self.first.word,
            "to_move": self.to_move.word,
            "turn": self.turn,
            "board": self.board.text,
            "in_hand": _words(self.in_hand),
            "attacks": _words(self.attacks),
        }
        if rules.teams:
            data["teams"] = [[colour.word for colour in team] for team in self.teams]
        if rules.reserves:
            data["reserve"] = _words(self.reserve)
        if rules.opening is not None:
            data |= {"captures_open": self.captures_open, "captures_left": _words(self.captures_left)}
        if rules.hold_from is not None:
            data["holding"] = {c.word: [NAMES[i] for i in fields] for c, fields in self.holding.items()}
        if self.winners:
            data["winners"] = [colour.word for colour in self.winners]
        if self.final_round:
            data["final_round"] = True
        if self.finished:
            data["finished"] = True
        return data


def _words(counts: Counts) -> dict[str, int]:
    return {colour.word: count for colour, count in counts.items()}


def mask_of_territories(territories: tuple[int, ...]) -> int:
    """Return the fields of some territories."""
    mask = 0
    for territory in territories:
        mask |= TERRITORY_MASKS[territory]
    return mask


@dataclass(frozen=True, slots=True)
class Side:
    """What the rules allow one player in one position.

    own: fields of the own territories. home: fields where a capture is a defence. mates: colours whose flags can't
    be captured. limits: sets of fields and the most cubes a turn may take from each. captures: captures left, 0
    while they are closed, ``None`` without limit.
    """

    colour: Colour
    own: int
    home: int
    mates: frozenset[Colour]
    limits: tuple[tuple[int, int], ...]
    hand: int
    attacks: int
    reserve: int
    captures: int | None
    captures_open: bool


def side_of(position: TerraPosition, player: Colour) -> Side:
    """Describe what the rules allow a player."""
    mates = position.mates(player)
    own = position.territories(frozenset({player}))
    home = position.territories(mates)
    rules = position.rules
    captures = None
    if rules.opening is not None:
        captures = position.captures_left[player] if position.captures_open else 0
    return Side(
        colour=player,
        own=own,
        home=home,
        mates=mates,
        limits=_limits(rules, own, home),
        hand=position.in_hand[player],
        attacks=position.attacks[player],
        reserve=position.reserve[player],
        captures=captures,
        captures_open=position.captures_open,
    )


def _limits(rules: RuleSet, own: int, home: int) -> tuple[tuple[int, int], ...]:
    limits: list[tuple[int, int]] = []
    if rules.foreign_each is not None:
        limits += [(mask, rules.foreign_each) for mask in TERRITORY_MASKS if not mask & own]
    if rules.foreign_all is not None:
        limits.append((ALL & ~own, rules.foreign_all))
    if rules.team_takes is not None:
        limits.append((home, rules.team_takes))
    return tuple(limits)
