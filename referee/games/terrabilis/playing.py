"""Play Terrabilis: dice and cards by chance, every choice by what the accounts are worth after it.

A seat without a person holds no cards: what it could install is dealt anew when it lands where it may, one card of
the pile drawn and three others. Whether a quiz question is answered well is chance, whatever the strength.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.games.answers import Strength
from referee.games.contract import Plays
from referee.games.terrabilis.banker.options import BankOption, options_now
from referee.games.terrabilis.banker.underway import UnderWay, under_way
from referee.games.terrabilis.copy.data import KINDS
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Quiz,
    Roll,
    TurnCase,
)
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine, TerrabilisPosition
from referee.games.terrabilis.text.notation import turn_text

MOST_ACTS = 60
"""Acts that one turn has at most, rolls after rolls included."""
_RIGHT = 0.5
"""How often a quiz question is answered well."""
_ENERGY_RESERVE, _MONEY_RESERVE = 5, 9000
"""What one wants to keep for what spaces may demand."""
_LOAN, _DUE = 24.0, 60.0
"""What an open loan costs, in thousand Terras: it is 22,000, and one that is not repaid by the lap's end ends all."""
_LAPS, _TAXED = 3.0, 0.7
"""Laps for which an income is thought to come, and how often a lap brings the tax on carbon dioxide."""
_SAFE = 6
"""Counters of a colour from which on one has nothing to fear."""


@dataclass(frozen=True, slots=True)
class TerrabilisSkill:
    """slips: how far accounts are misjudged at most; farsighted: whether incomes and reserves are seen at all."""

    slips: float
    farsighted: bool


SKILLS: Mapping[Strength, TerrabilisSkill] = {
    Strength.WEAK: TerrabilisSkill(16.0, False),
    Strength.MIDDLE: TerrabilisSkill(4.0, True),
    Strength.STRONG: TerrabilisSkill(0.0, True),
}


class TerrabilisPlays(Plays[TerrabilisPosition, LedgerSeen]):
    """Chooses turns of Terrabilis."""

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return the choice as it is: without a copy the invented one that comes along is played with."""
        return choice

    def set_up(self, position: TerrabilisPosition, chance: Random) -> LedgerSeen:
        """Return what lies on the table before the first turn."""
        return position.observed

    def turns(self, position: TerrabilisPosition, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield a turn for the player to move, thrown and dealt by chance."""
        player = _Banker(SKILLS[strength], chance)
        case = TurnCase(position, position.data, ())
        for _ in range(MOST_ACTS):
            act = player.following(case)
            if act is None:
                break
            case = replace(case, acts=(*case.acts, act))
        yield turn_text(case.acts)


@dataclass(frozen=True, slots=True)
class _Banker:
    skill: TerrabilisSkill
    chance: Random

    def following(self, case: TurnCase) -> Declared | None:
        """Return the next act of a turn; ``None`` where it ends."""
        state = under_way(case)
        if state.turn.over or state.stuck is not None:
            return None
        options = [one for one in options_now(case, state) if one.hindrance is None]
        gain, chosen = self._gain(case, state, [one for one in options if not one.needed])
        if chosen is not None and gain > 0:
            return chosen
        needed = [one for one in options if one.needed]
        if state.ready or not needed:
            return None
        return self._needed(case, state, needed)

    def _gain(self, case: TurnCase, state: UnderWay, options: Sequence[BankOption]) -> tuple[float, Declared | None]:
        """Return what the best of the acts gains that nobody has to do, and the act."""
        quizzes = [one for one in options if isinstance(one.act, Quiz)]
        if quizzes and not any(isinstance(act, Quiz) for act in case.acts):
            right = self.chance.random() < _RIGHT
            best = max(quizzes, key=lambda one: self._after(case, one.act, one.who))
            if right:
                return 1.0, best.act
        # Loans are left to the ledger, which takes one where a duty can't be paid.
        others = [one for one in options if not isinstance(one.act, Quiz | Abandon) and one.kind != "loan"]
        sees = self.skill.farsighted
        rated = [
            (self._after(case, one.act, one.who) - worth(case, state.lines[one.who], sees), one) for one in others
        ]
        gain, best_option = max(rated, key=lambda item: item[0], default=(0.0, None))
        return gain, best_option.act if best_option is not None else None

    def _needed(self, case: TurnCase, state: UnderWay, needed: Sequence[BankOption]) -> Declared:
        kinds = {one.kind for one in needed}
        if "roll" in kinds:
            dice = sorted(self.chance.choices(range(1, 7), k=2))
            return next(one.act for one in needed if isinstance(one.act, Roll) and list(one.act.dice) == dice)
        if "hazard" in kinds:
            return self.chance.choice([one.act for one in needed if isinstance(one.act, HazardDrawn)])
        if "draw" in kinds:
            return self._pile(needed, state)
        cards = [one for one in needed if isinstance(one.act, Install | Discard)]
        if cards:
            needed = self._dealt(case, cards)
        return max(needed, key=lambda one: self._after(case, one.act, one.who)).act

    def _pile(self, needed: Sequence[BankOption], state: UnderWay) -> Declared:
        """Choose the pile of what is scarcest: energy, then counters, else money."""
        line = state.lines[state.turn.player]
        wanted = (
            "energy" if line.energy < _ENERGY_RESERVE else "social" if min(line.green, line.yellow) < _SAFE else ""
        )
        if not self.skill.farsighted or not wanted:
            wanted = self.chance.choice(KINDS)
        return next(
            (one.act for one in needed if isinstance(one.act, Draw) and one.act.pile == wanted), needed[0].act
        )

    def _dealt(self, case: TurnCase, cards: Sequence[BankOption]) -> Sequence[BankOption]:
        """Return what can be done with a card of the pile drawn and three dealt ones."""
        pile = next(act.pile for act in reversed(case.acts) if isinstance(act, Draw))
        by_kind = {kind: [card.id for card in case.copy.infrastructures if card.kind == kind] for kind in KINDS}
        hand = {self.chance.choice(by_kind[kind]) for kind in (pile, *KINDS) if by_kind[kind]}
        found = [one for one in cards if isinstance(one.act, Install | Discard) and one.act.card in hand]
        return found or cards

    def _after(self, case: TurnCase, act: Declared, who: Country) -> float:
        """Return what an act leaves its player, misjudged as the strength has it."""
        lines = under_way(replace(case, acts=(*case.acts, act))).lines
        slip = self.chance.uniform(0.0, self.skill.slips) if self.skill.slips else 0.0
        return worth(case, lines[who], self.skill.farsighted) + slip


def worth(case: TurnCase, line: LedgerLine, farsighted: bool) -> float:
    """Return what a line of the ledger is worth, in about as many thousand Terras.

    farsighted: whether incomes of laps to come and what should be kept in reserve are seen.
    """
    if line.out:
        return -1000.0
    known = {card.id: card for card in case.copy.infrastructures}
    found = 5.0 * len(line.installed) + line.money / 1000
    found += (8.0 + 2.0 * len(line.installed)) * line.member
    found += 0.7 * line.energy + 0.3 * (line.green + line.yellow)
    found -= sum(_DUE if loan.lap < case.position.lap else _LOAN for loan in line.open_loans)
    found -= sum(max(0, _SAFE - left) ** 2 for left in (line.green, line.yellow))
    if not farsighted:
        return found
    for installed in line.installed:
        values = known[installed].values
        income = values.get("income", 0) + 700 * values.get("energy_income", 0) - values.get("co2", 0) * _TAXED
        found += _LAPS * income / 1000
    return found - 1.5 * max(0, _MONEY_RESERVE - line.money) / 1000 - max(0, _ENERGY_RESERVE - line.energy)


PLAYS = TerrabilisPlays()
"""The player, which has no state."""
