"""Play Turris by Monte Carlo: a turn is as good as the games are that chance plays on from it.

What an area is worth shows at the end only, when higher levels have covered or joined it, so towers on the way are
not rated at all. Playouts go to those turns that promise most, half of the turns left after every round.
Source: Z. Karnin, T. Koren, O. Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013 (sequential
halving).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from referee.games.answers import Strength
from referee.games.contract import Plays
from referee.games.turris.bars import COLOURS, Bar, BarColour, BarPlace
from referee.games.turris.declaring import DeclaredAct
from referee.games.turris.placing import Mover, broken_by_laying, fills_centre, mover_of, open_places
from referee.games.turris.position import TurrisPosition
from referee.games.turris.removing import broken_by_removing, taker_of
from referee.games.turris.scoring import scores_of, total
from referee.games.turris.tower import Tower


@dataclass(frozen=True, slots=True)
class TurrisSkill:
    """playouts: in all, for one turn. bonuses: bonus acts that are thought of, one after the other."""

    playouts: int
    bonuses: int


SKILLS: Mapping[Strength, TurrisSkill] = {
    Strength.WEAK: TurrisSkill(0, 0),
    Strength.MIDDLE: TurrisSkill(60, 1),
    Strength.STRONG: TurrisSkill(600, 1),
}


@dataclass(frozen=True, slots=True)
class BuiltTower:
    """A tower during or after a turn. acts: that led there; left: bars beside the board."""

    tower: Tower
    acts: tuple[DeclaredAct, ...]
    left: Mapping[BarColour, int]


class TurrisPlays(Plays[TurrisPosition, Tower]):
    """Chooses turns of Turris."""

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return the choice as it is: nothing is needed besides what people choose."""
        return choice

    def set_up(self, position: TurrisPosition, chance: Random) -> Tower:
        """Return the empty base."""
        return position.tower

    def turns(self, position: TurrisPosition, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield turns for the player to move, best first; last the empty turn, to pass where no bar can be laid."""
        skill = SKILLS[strength]
        found = _Builder(position).turns(skill.bonuses)
        chance.shuffle(found)
        if skill.playouts:
            found = _halved(found, position, skill.playouts, chance)
        yield from (" ".join(act.text for act in one.acts) for one in found)
        yield ""


class _Builder:
    """Finds the turns there are."""

    def __init__(self, position: TurrisPosition) -> None:
        self._position, self._player = position, position.to_move
        self._mover: Mover = mover_of(position, position.to_move)

    def turns(self, bonuses: int) -> list[BuiltTower]:
        """Return all turns of one bar, and those with so many bonus acts more."""
        level = self._laid(BuiltTower(self._position.tower, (), self._position.left))
        found = list(level)
        for _ in range(bonuses):
            level = [more for one in level if self._earned(one) for more in (*self._laid(one), *self._removed(one))]
            found += level
        return found

    def _laid(self, before: BuiltTower) -> list[BuiltTower]:
        player = self._player
        if not before.left[player]:
            return []
        left = {**before.left, player: before.left[player] - 1}
        return [
            BuiltTower(before.tower.turned(Bar(player, place)), (*before.acts, DeclaredAct(True, place)), left)
            for place in open_places(before.tower)
            if not broken_by_laying(self._mover, before.tower, Bar(player, place))
        ]

    def _earned(self, one: BuiltTower) -> bool:
        """Return whether the last act earns a bonus."""
        rules, (lay, place) = self._position.rules, one.acts[-1]
        return lay and fills_centre(rules, one.tower, place) and (rules.chain or len(one.acts) == 1)

    def _removed(self, one: BuiltTower) -> list[BuiltTower]:
        taker, other = taker_of(self._position, self._player), self._player.other
        left = {**one.left, other: one.left[other] + 1}
        return [
            BuiltTower(one.tower.turned(bar), (*one.acts, DeclaredAct(False, bar.place)), left)
            for bar in one.tower.bars
            if bar.colour is other and not broken_by_removing(taker, one.tower, bar)
        ]


def _halved(turns: list[BuiltTower], position: TurrisPosition, playouts: int, chance: Random) -> list[BuiltTower]:
    """Return the turns, best first, as far as so many playouts tell them apart."""
    sums, counts = [0.0] * len(turns), [0] * len(turns)
    ranked = list(range(len(turns)))
    kept = len(turns)
    rounds = max(1, (kept - 1).bit_length())
    for _ in range(rounds):
        each = max(1, playouts // (rounds * max(1, kept)))
        for n in ranked[:kept]:
            for _ in range(each):
                sums[n] += _played_out(turns[n], position, chance)
                counts[n] += 1
        ranked[:kept] = sorted(ranked[:kept], key=lambda n: -sums[n] / counts[n])
        kept = max(1, (kept + 1) // 2)
    return [turns[n] for n in ranked]


def _played_out(turn: BuiltTower, position: TurrisPosition, chance: Random) -> float:
    """Return by how much the player wins a game that goes on by chance, without bonuses."""
    player = position.to_move
    free = replace(position, barred=())
    movers = {colour: mover_of(free, colour) for colour in COLOURS}
    tower, left, mover, passed = turn.tower, dict(turn.left), player.other, 0
    while passed < len(COLOURS):
        place = _drawn(movers[mover], tower, chance) if left[mover] else None
        if place is None:
            passed += 1
        else:
            tower, passed = tower.turned(Bar(mover, place)), 0
            left[mover] -= 1
        mover = mover.other
    scores = scores_of(tower, position.rules.recessed)
    ahead = total(scores[player]) - total(scores[player.other])
    return ahead + (_WIN if ahead > 0 else -_WIN if ahead < 0 else 0.0)


_WIN = 10.0
"""Points that winning at all is worth."""


def _drawn(mover: Mover, tower: Tower, chance: Random) -> BarPlace | None:
    """Draw a place where a bar may be laid, every one as likely; ``None`` where there is none."""
    places = list(open_places(tower))
    while places:
        n = chance.randrange(len(places))
        places[n], places[-1] = places[-1], places[n]
        place = places.pop()
        if not broken_by_laying(mover, tower, Bar(mover.player, place)):
            return place
    return None


PLAYS = TurrisPlays()
"""The player, which has no state."""
