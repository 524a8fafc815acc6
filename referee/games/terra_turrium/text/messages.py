"""Say what is wrong with a turn, a recorded act or the set-up, each with the paragraph of the sheet it rests on.

The texts in other languages lie in the catalogues (referee/values/words.py). In the templates ``at`` is a list of
fields and follows a preposition, ``who`` is a player's name, ``source`` the sheet and its paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from referee.games.contract import RuleId
from referee.games.terra_turrium import ruleset
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import FIELDS
from referee.games.terra_turrium.text.differing import cubes_differ, foreign_flag
from referee.games.terra_turrium.text.paragraphs import source
from referee.values.words import Value, Words, say, say_n


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule as its sentence needs it.

    player: whose turn it is judged to be. to_move: whose turn it was. fields: where the rule was broken. facts: the
    cubes ``taken``, ``placed`` and held in ``reserve``, how many ``fewer`` lie on fields that lost some, the
    ``points`` used. other: who explains the turn alone, if it was that player who played.
    """

    rule: RuleId
    rules: ruleset.RuleSet
    player: Colour
    to_move: Colour
    fields: tuple[int, ...]
    facts: Mapping[str, int]
    other: Colour | None = None

    @property
    def at(self) -> Value:
        """Return the fields, or the board where no field is known."""
        return _fields(self.fields) or say("the board")

    @property
    def source(self) -> Words:
        """Return the sheet and its paragraph."""
        return source(self.rule, self.rules)

    @property
    def usual(self) -> dict[str, Value]:
        """Return what most sentences name."""
        return {"who": self.player, "at": self.at, "source": self.source}


def violation_words(breach: Breach) -> Words:
    """Return the sentence for a broken rule."""
    return _SENTENCES[breach.rule](breach)


def _fields(indices: Iterable[int]) -> Value:
    return tuple(FIELDS[i] for i in indices)


def _take_count(b: Breach) -> Words:
    least, most = min(b.rules.take_counts), max(b.rules.take_counts)
    allowed = say("exactly {n}", n=most) if least == most else say("{least} to {most}", least=least, most=most)
    if not b.facts["taken"]:
        return say(
            "{who} took no cube, but a turn takes {allowed} ({source}).",
            who=b.player,
            allowed=allowed,
            source=b.source,
        )
    return say_n(
        "{who} took {n} cube ({at}), but a turn takes {allowed} ({source}).",
        "{who} took {n} cubes ({at}), but a turn takes {allowed} ({source}).",
        b.facts["taken"],
        allowed=allowed,
        **b.usual,
    )


def _take_territory(b: Breach) -> Words:
    rules = b.rules
    if rules.teams:
        return say(
            "{who} took a cube from {at}, but in the team game all cubes come from the other team’s territories "
            "({source}).",
            **b.usual,
        )
    if rules.foreign_all is not None:
        return say(
            "{who} took too many cubes from foreign territories ({at}): a turn takes at most {most} from all of them "
            "together ({source}).",
            most=rules.foreign_all,
            **b.usual,
        )
    return say(
        "{who} took too many cubes from foreign territories ({at}): a turn takes at most {most} from each of them "
        "({source}).",
        most=rules.foreign_each or 0,
        **b.usual,
    )


def _build_outside(b: Breach) -> Words:
    return say(
        "{who} built on {at}, but with {players} players the outermost rows stay empty ({source}).",
        players=b.rules.players,
        **b.usual,
    )


def _cubes_conserved(b: Breach) -> Words:
    if b.facts["fewer"] != b.facts["taken"]:  # some were taken only for the sake of an explanation: nobody saw it
        return cubes_differ(b.facts["placed"] - b.facts["taken"], b.facts["reserve"], b.usual)
    if b.facts["reserve"]:
        return say_n(
            "{who} took {n} cube and placed {placed} ({at}): every cube taken is placed again in the same turn, and "
            "at most the {reserve} of the reserve are added ({source}).",
            "{who} took {n} cubes and placed {placed} ({at}): every cube taken is placed again in the same turn, and "
            "at most the {reserve} of the reserve are added ({source}).",
            b.facts["taken"],
            placed=b.facts["placed"],
            reserve=b.facts["reserve"],
            **b.usual,
        )
    return say_n(
        "{who} took {n} cube and placed {placed} ({at}): every cube taken is placed again in the same turn, and "
        "none is added ({source}).",
        "{who} took {n} cubes and placed {placed} ({at}): every cube taken is placed again in the same turn, and "
        "none is added ({source}).",
        b.facts["taken"],
        placed=b.facts["placed"],
        **b.usual,
    )


def _move_points(b: Breach) -> Words:
    if b.facts["points"] > ruleset.POINTS:
        return say(
            "{who}’s flags used {points} movement points ({at}), but a turn has {most} ({source}).",
            points=b.facts["points"],
            most=ruleset.POINTS,
            **b.usual,
        )
    return say(
        "The {most} movement points of a turn are not enough for {who}’s flags at {at} ({source}).",
        most=ruleset.POINTS,
        **b.usual,
    )


def _enter_cell(b: Breach) -> Words:
    if not b.rules.low_entry:
        return say(
            "{who} brought a captured flag back on {at}, but it comes back onto a free exterior stack ({source}).",
            **b.usual,
        )
    if b.rules.outside:
        return say(
            "{who} brought a captured flag back on {at}, but it comes back onto a free single cube in the second row "
            "of {who}’s own territory, counted from the edge ({source}).",
            **b.usual,
        )
    return say(
        "{who} brought a captured flag back on {at}, but it comes back onto a free single cube in the outermost row "
        "of {who}’s own territory ({source}).",
        **b.usual,
    )


_SENTENCES: Mapping[RuleId, Callable[[Breach], Words]] = {
    ruleset.TAKE_COUNT: _take_count,
    ruleset.TAKE_TERRITORY: _take_territory,
    ruleset.TAKE_INTERIOR: lambda b: say(
        "{who} took a cube from {at}, but in a foreign territory only exterior stacks give cubes ({source}).",
        **b.usual,
    ),
    ruleset.TAKE_OCCUPIED: lambda b: say(
        "{who} took a cube from {at}, where a flag stands: a stack under a flag gives no cube ({source}).", **b.usual
    ),
    ruleset.BUILD_OCCUPIED: lambda b: say(
        "{who} built on {at}, where a flag stands: cubes are placed on free fields only ({source}).", **b.usual
    ),
    ruleset.BUILD_OUTSIDE: _build_outside,
    ruleset.CUBES_CONSERVED: _cubes_conserved,
    ruleset.MOVE_POINTS: _move_points,
    ruleset.MOVE_STEP: lambda b: say(
        "A flag of {who}’s took a step of more than one cube at {at}: it climbs up or down one cube at a time "
        "({source}).",
        **b.usual,
    ),
    ruleset.MOVE_GROUND: lambda b: say(
        "A flag of {who}’s went over {at}, where no cube lies: flags move on cubes only ({source}).", **b.usual
    ),
    ruleset.MOVE_BLOCKED: lambda b: say(
        "A flag of {who}’s passed over another flag at {at}: no flag may be jumped over ({source}).", **b.usual
    ),
    ruleset.ENTER_CELL: _enter_cell,
    ruleset.CAPTURE_ATTACKS: lambda b: say(
        "{who} attacked at {at}, but has already made all {most} attacks of the game ({source}).",
        most=ruleset.ATTACKS,
        **b.usual,
    ),
    ruleset.CAPTURE_CLOSED: lambda b: say(
        "{who} captured at {at}, but nobody may capture before some player has had flags on towers of {towers} "
        "({source}).",
        towers=b.rules.opening or (0,),
        **b.usual,
    ),
    ruleset.CAPTURE_QUOTA: lambda b: say(
        "{who} captured at {at}, but each player has only {quota} captures for the rest of the game ({source}).",
        quota=b.rules.quota,
        **b.usual,
    ),
    ruleset.MOVE_OWN: lambda b: foreign_flag(b.other, b.usual),
    ruleset.FLAG_COUNT: lambda b: say(
        "{who}’s flags on the board and in hand must be {most}, but one is missing or too many: look at {at} "
        "({source}).",
        most=ruleset.FLAGS_EACH,
        **b.usual,
    ),
    ruleset.TURN_ORDER: lambda b: say(
        "It was {to_move}’s turn, but {who} acted at {at} ({source}).", to_move=b.to_move, **b.usual
    ),
}


def setup_height(field: int, seen: int, expected: int, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a stack that differs from the set-up."""
    values: dict[str, Value] = {"at": FIELDS[field], "seen": seen, "source": source(ruleset.SETUP_HEIGHT, rules)}
    if not expected:
        return say("{at} starts empty, but has {seen} ({source}).", **values | {"seen": _cubes(seen)})
    return say_n(
        "{at} starts with {n} cube, but has {seen} ({source}).",
        "{at} starts with {n} cubes, but has {seen} ({source}).",
        expected,
        **values,
    )


def setup_flag_foreign(field: int, player: Colour, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a flag outside its own territory in the set-up."""
    return say(
        "{who}’s flag on {at} must start in {who}’s own territory ({source}).",
        who=player,
        at=FIELDS[field],
        source=source(ruleset.SETUP_FLAGS, rules),
    )


def setup_flag_idle(field: int, colour: Colour, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a flag of a colour that does not play."""
    return say(
        "A flag of {who}’s stands on {at}, but {who} does not play ({source}).",
        who=colour,
        at=FIELDS[field],
        source=source(ruleset.SETUP_FLAGS, rules),
    )


def setup_flag_ground(field: int, player: Colour, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a flag that stands on no cube in the set-up."""
    return say(
        "{who}’s flag on {at} must start on a cube ({source}).",
        who=player,
        at=FIELDS[field],
        source=source(ruleset.SETUP_FLAGS, rules),
    )


def setup_flag_count(player: Colour, count: int, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a wrong number of flags in the set-up."""
    return say(
        "{who} starts with {most} flags on the board, but has {count} there ({source}).",
        who=player,
        most=ruleset.FLAGS_EACH,
        count=count,
        source=source(ruleset.SETUP_FLAGS, rules),
    )


def other_seats_words(seats: tuple[Colour | None, ...]) -> Words:
    """Return the question whether to play with the seats that the flags show."""
    at = (_top_left, _top_right, _bottom_right, _bottom_left)
    told = tuple(say_at(colour) for say_at, colour in zip(at, seats, strict=True) if colour is not None)
    return say("The flags stand in other corners than chosen: {seats}. Play with these seats?", seats=told)


def _top_left(who: Colour) -> Words:
    return say("{who} at the top left", who=who)


def _top_right(who: Colour) -> Words:
    return say("{who} at the top right", who=who)


def _bottom_right(who: Colour) -> Words:
    return say("{who} at the bottom right", who=who)


def _bottom_left(who: Colour) -> Words:
    return say("{who} at the bottom left", who=who)


def _cubes(count: int) -> Words:
    return say_n("{n} cube", "{n} cubes", count)


def goal_words(reached: list[int], goal: tuple[int, ...]) -> Words:
    """Return how near a player is to the goal."""
    wanted = "-".join(map(str, goal))
    if not reached:
        return say("no tower of {goal} yet", goal=wanted)
    return say("towers {towers} of {goal}", towers=", ".join(map(str, reached)), goal=wanted)


def goal_reached(rules: ruleset.RuleSet) -> Words:
    """Return what has won the game."""
    wanted = "-".join(map(str, rules.goal))
    if rules.hold_from is None:
        return say("Flags on towers of {goal}: the goal is reached.", goal=wanted)
    return say("Flags on towers of {goal}, held for a round: the goal is reached.", goal=wanted)


ATTACKS_MADE = say("attacks")
IN_HAND = say("in hand")
IN_RESERVE = say("reserve")
CAPTURES_LEFT = say("captures left")

FINISHED = say("The game is over: start a new one.")
"""Why a turn from a finished position is not judged."""

GAME_OVER = say("The game was over before this turn.")
"""Said of a recorded turn after the end of the game."""


def act_out_of_phase(late: str, early: str, rules: ruleset.RuleSet) -> Words:
    """Return the sentence for a recorded act that stands after one of a later phase; both in the game's notation."""
    return say(
        "{late} came after {early}, but a turn takes first, then builds, then moves ({source}).",
        late=late,
        early=early,
        source=source(ruleset.TURN_PHASE, rules),
    )


def out_of_phase(
    player: Colour, flags: bool, early: Iterable[int], late: Iterable[int], rules: ruleset.RuleSet
) -> Words:
    """Return the sentence for a turn seen out of its order; ``flags``: a flag moved early, else a cube was placed."""
    values: dict[str, Value] = {
        "who": player,
        "early": _fields(early),
        "late": _fields(late),
        "source": source(ruleset.TURN_PHASE, rules),
    }
    if flags:
        return say(
            "{who} moved a flag ({early}) before the cubes at {late} were taken and placed, but a turn takes first, "
            "then builds, then moves ({source}).",
            **values,
        )
    return say(
        "{who} placed a cube on {early} before one was taken from {late}, but a turn takes first, then builds, then "
        "moves ({source}).",
        **values,
    )
