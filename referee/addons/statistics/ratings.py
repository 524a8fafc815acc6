"""Ratings of players who want them, over the games of a club, and how they stood at the end of each season. Pure.

A rating is what a game of two to four says of its players by the model of Weng and Lin that openskill calls
Plackett-Luce: a skill with its doubt. Who did not ask to be rated takes part as somebody unknown, in every game anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from openskill.models import PlackettLuce, PlackettLuceRating

from referee.addons.statistics.book import same_name
from referee.archive.shelf import GameCard

NOBODY = " "
"""Begins a side that is nobody's name; names begin with no space."""
MOST_DOUBT = 3
"""Deviations below a skill at which players are ranked: whoever has hardly played stands low."""


@dataclass(slots=True)
class RatedPlayer:
    """A player in one game. seasons: the rating after each season in which the player played."""

    name: str
    skill: PlackettLuceRating
    games: int = 0
    won: int = 0
    seasons: dict[str, float] = field(default_factory=dict)

    @property
    def rating(self) -> float:
        """Return the skill of which the games leave hardly any doubt, 0 for a beginner, some 40 for a master."""
        return float(self.skill.mu - MOST_DOUBT * self.skill.sigma)


@dataclass(frozen=True, slots=True)
class GameRatings:
    """The players of one game, the best first. games: how many were rated; seasons: in which, in order."""

    title: str
    games: int
    seasons: tuple[str, ...]
    players: tuple[RatedPlayer, ...]


def ratings(
    cards: Iterable[GameCard], wanted: Sequence[str], season: Callable[[str], str]
) -> tuple[GameRatings, ...]:
    """Rate players over games, the most played game first.

    wanted: names of those who want it. season: of a time (ISO 8601). A game counts once, when it has a winner or is a
    draw, and two who are named played in it.
    """
    once = {card.head: card for card in cards}
    tables: dict[str, _Table] = {}
    for card in sorted(once.values(), key=lambda card: (card.begun_at, card.name)):
        sides = _sides(card)
        if len([name for name in sides if not name.startswith(NOBODY)]) >= 2 and any(
            _booked(name, wanted) for name in sides
        ):
            tables.setdefault(card.title, _Table(card.title)).take(card, sides, wanted, season(card.begun_at))
    return tuple(one.told() for one in sorted(tables.values(), key=lambda one: (-one.games, one.title)))


def by_year(at: str) -> str:
    """Return the year of a time."""
    return at[:4]


def by_quarter(at: str) -> str:
    """Return the quarter of a time, as ``2026 Q3``."""
    return f"{at[:4]} Q{(int(at[5:7]) + 2) // 3}"


def by_month(at: str) -> str:
    """Return the month of a time."""
    return at[:7]


class _Table:
    """One game's players while its games go by."""

    def __init__(self, title: str) -> None:
        self.title, self.games = title, 0
        self._model = PlackettLuce()
        self._seasons: dict[str, None] = {}
        self._players: dict[str, RatedPlayer] = {}

    def take(self, card: GameCard, sides: Mapping[str, int], wanted: Sequence[str], season: str) -> None:
        """Rate the players of a game. sides: a name, or a colour nobody is named for, and 0 for winners, else 1."""
        self.games += 1
        self._seasons[season] = None
        known = {side: name for side in sides if (name := _booked(side, wanted))}
        for name in known.values():
            self._players.setdefault(name, RatedPlayer(name, self._model.rating()))
        before = [[self._players[known[side]].skill if side in known else self._model.rating()] for side in sides]
        after = self._model.rate(before, ranks=[float(rank) for rank in sides.values()])
        for (side, rank), (skill,) in zip(sides.items(), after, strict=True):
            if side in known:
                player = self._players[known[side]]
                player.skill = skill
                player.games += 1
                player.won += rank == 0 and bool(card.winners)
                player.seasons[season] = player.rating

    def told(self) -> GameRatings:
        """Return the table."""
        players = sorted(self._players.values(), key=lambda one: (-one.rating, one.name))
        return GameRatings(self.title, self.games, tuple(self._seasons), tuple(players))


def _sides(card: GameCard) -> dict[str, int]:
    """Return who played against whom, 0 for winners and 1 for others; nothing for a game that does not count.

    Somebody who plays two colours is one side; a colour without a name is a side of its own.
    """
    if card.result is None or not (card.winners or card.result.how == "draw"):
        return {}
    sides: dict[str, int] = {}
    for word, called in card.players:
        name = next((known for known in sides if same_name(known, called)), called) or NOBODY + word
        sides[name] = min(sides.get(name, 1), 0 if word in card.winners else 1)
    return sides


def _booked(side: str, wanted: Sequence[str]) -> str:
    """Return the name under which somebody wants to be rated, empty for nobody."""
    return next((name for name in wanted if same_name(name, side)), "")
