"""Say what is wrong with a turn, each sentence with the place in the rule sheet it rests on.

In the templates ``at`` is a list of cells and follows a preposition, ``who`` and ``other`` are players' names,
``source`` the sheet and its heading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.games.contract import RuleId
from referee.games.turris import ruleset
from referee.games.turris.bars import BARS_EACH, BarColour
from referee.games.turris.cells import field_of
from referee.games.turris.paragraphs import source
from referee.values.words import Value, Words, say


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A broken rule as its sentence needs it.

    player: whose turn it is judged to be. to_move: whose turn it was. cells: where the rule was broken.
    """

    rule: RuleId
    rules: ruleset.TurrisRules
    player: BarColour
    to_move: BarColour
    cells: tuple[int, ...]

    @property
    def usual(self) -> dict[str, Value]:
        """Return what most sentences name."""
        return {"who": self.player, "at": _names(self.cells), "source": source(self.rule)}


def violation_words(breach: BrokenRule) -> Words:
    """Return the sentence for a broken rule."""
    return _SENTENCES[breach.rule](breach)


def _names(cells: tuple[int, ...]) -> Value:
    return tuple(map(field_of, cells)) or say("the tower")


def _level_centre(b: BrokenRule) -> Words:
    if b.rules.centre_corner:
        return say(
            "{who} filled the centre at {at}, but on that level no corner was filled yet ({source}).",
            **b.usual,
        )
    return say(
        "{who} filled the centre at {at}, but on that level nothing else was filled yet ({source}).",
        **b.usual,
    )


def _bonus_last(b: BrokenRule) -> Words:
    if b.rules.last_turn:
        return say(
            "{who} took off a bar that {other} laid in the last turn ({at}), and those must stay ({source}).",
            other=b.player.other,
            **b.usual,
        )
    return say(
        "{who} took off the bar that {other} laid last ({at}), and that one must stay ({source}).",
        other=b.player.other,
        **b.usual,
    )


def _turn_pass(b: BrokenRule) -> Words:
    if b.rules.passing == "never":
        return say("{who} laid no bar, but every turn lays one ({source}).", who=b.player, source=source(b.rule))
    return say(
        "{who} laid no bar, though one can be laid by the rules ({source}).",
        who=b.player,
        source=source(b.rule),
    )


def setup_words(cells: tuple[int, ...]) -> Words:
    """Return the sentence for bars that stand on the base before the game."""
    return say(
        "The game begins with an empty base, but bars stand at {at} ({source}).",
        at=_names(cells),
        source=source(ruleset.SETUP_EMPTY),
    )


_SENTENCES: Mapping[RuleId, Callable[[BrokenRule], Words]] = {
    ruleset.LEVEL_CENTRE: _level_centre,
    ruleset.BONUS_REFILL: lambda b: say(
        "{who} filled {at}, but squares set free by a bonus stay free for this turn ({source}).", **b.usual
    ),
    ruleset.BONUS_LAST: _bonus_last,
    ruleset.BONUS_LEVELS: lambda b: say(
        "{who} took off the bar at {at}, which leaves more than three levels unfinished ({source}).", **b.usual
    ),
    ruleset.BONUS_LAY: lambda b: say(
        "{who} filled the centre with a bonus bar ({at}), and a bonus bar earns no further bonus ({source}).",
        **b.usual,
    ),
    ruleset.PLACE_STRADDLE: lambda b: say(
        "{who} laid a bar at {at} on a single bar, but a lying bar rests on two ({source}).", **b.usual
    ),
    ruleset.PLACE_STANDING: lambda b: say(
        "{who} stood a bar at {at} that touches no other bar with a long side ({source}).", **b.usual
    ),
    ruleset.PLACE_TOUCH: lambda b: say("{who} laid a bar at {at} that touches no other bar ({source}).", **b.usual),
    ruleset.LEVEL_OPEN: lambda b: say(
        "{who} built up to {at}, but at most three levels may be unfinished ({source}).", **b.usual
    ),
    ruleset.REST_FULL: lambda b: say("{who} laid a bar that hangs over a gap at {at} ({source}).", **b.usual),
    ruleset.BONUS_SUPPORT: lambda b: say(
        "{who} took off the bar at {at}, on which another bar rests ({source}).", **b.usual
    ),
    ruleset.BONUS_REMOVE: lambda b: say(
        "{who} took off a bar of their own ({at}), but a bonus takes off the opponent’s ({source}).", **b.usual
    ),
    ruleset.BONUS_EARNED: lambda b: say(
        "{who} made a bonus at {at} that no bar in the centre had earned ({source}).", **b.usual
    ),
    ruleset.BAR_ONE: lambda b: say(
        "{who} laid more than one bar ({at}), but a turn lays just one ({source}).", **b.usual
    ),
    ruleset.BAR_COLOUR: lambda b: say("{who} laid a bar of the other colour at {at} ({source}).", **b.usual),
    ruleset.BAR_SUPPLY: lambda b: say(
        "{who} laid a bar at {at}, but all {n} bars of that colour are in the tower already ({source}).",
        n=BARS_EACH,
        **b.usual,
    ),
    ruleset.BAR_FIXED: lambda b: say(
        "Bars that stood in the tower were moved or are gone ({at}), but no bar may move ({source}).",
        at=b.usual["at"],
        source=b.usual["source"],
    ),
    ruleset.TURN_PASS: _turn_pass,
    ruleset.TURN_ORDER: lambda b: say(
        "{who} played, but it was the turn of {other} ({source}).",
        who=b.player,
        other=b.to_move,
        source=source(b.rule),
    ),
}
