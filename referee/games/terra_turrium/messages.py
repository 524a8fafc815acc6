"""Every sentence the players read, in English, each with the paragraph of the rule sheet it rests on.

All texts stand in this module, so a translation replaces this one file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from referee.board import Colour
from referee.games.terra_turrium.geometry import NAMES
from referee.games.terra_turrium.ruleset import (
    ATTACKS,
    BUILD_OCCUPIED,
    BUILD_OUTSIDE,
    CAPTURE_ATTACKS,
    CAPTURE_CLOSED,
    CAPTURE_QUOTA,
    CUBES_CONSERVED,
    ENTER_CELL,
    FLAG_COUNT,
    FLAGS_EACH,
    MOVE_BLOCKED,
    MOVE_GROUND,
    MOVE_OWN,
    MOVE_POINTS,
    MOVE_STEP,
    POINTS,
    TAKE_COUNT,
    TAKE_INTERIOR,
    TAKE_OCCUPIED,
    TAKE_TERRITORY,
    TURN_ORDER,
    TURN_PHASE,
    RuleSet,
)
from referee.ruling import RuleId

MOST_NAMES = 8

_TAKE, _BUILD, _MOVE, _CAPTURE, _ATTACK, _ENTER, _TURN, _PIECES = range(8)
_SHEETS: Mapping[str, tuple[str, ...]] = {
    "kosmos-1990": (
        "Bausteine nehmen",
        "Türme bauen",
        "Turrianer ziehen",
        "Turrianer schlagen",
        "Turrianer schlagen",
        "Geschlagene Turrianer einsetzen",
        "Spielablauf",
        "Vorbereitung",
    ),
    "ludibay-fr": (
        "Prendre un ou plusieurs cubes",
        "Poser le ou les cubes",
        "Déplacer un drapeau",
        "Capturer un drapeau",
        "Attaquer et défendre",
        "Remettre en jeu un drapeau capturé",
        "Déroulement du jeu",
        "Préparation",
    ),
}
_BURGENLAND = "Variante de Burgenland"
_TEAM = "Teamspiel"
_PARAGRAPHS: Mapping[RuleId, int] = {
    TAKE_COUNT: _TAKE,
    TAKE_TERRITORY: _TAKE,
    TAKE_INTERIOR: _TAKE,
    TAKE_OCCUPIED: _TAKE,
    BUILD_OCCUPIED: _BUILD,
    BUILD_OUTSIDE: _PIECES,
    CUBES_CONSERVED: _BUILD,
    MOVE_POINTS: _MOVE,
    MOVE_STEP: _MOVE,
    MOVE_GROUND: _MOVE,
    MOVE_BLOCKED: _MOVE,
    ENTER_CELL: _ENTER,
    CAPTURE_ATTACKS: _ATTACK,
    MOVE_OWN: _CAPTURE,
    FLAG_COUNT: _PIECES,
    TURN_ORDER: _TURN,
    TURN_PHASE: _TURN,
}


def names(fields: Iterable[int]) -> str:
    """Return the names of fields as a list for a sentence."""
    found = [NAMES[i] for i in fields]
    if len(found) > MOST_NAMES:
        return ", ".join(found[:MOST_NAMES]) + f" and {len(found) - MOST_NAMES} more"
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def paragraph(rule: RuleId, rules: RuleSet) -> str:
    """Return the heading of the rule sheet's paragraph a rule rests on."""
    if rule in (CAPTURE_CLOSED, CAPTURE_QUOTA):
        return _BURGENLAND
    if rule == TAKE_TERRITORY and rules.team_takes is not None:
        return _TEAM
    return _SHEETS[rules.edition][_PARAGRAPHS[rule]]


def violation_message(
    rule: RuleId, rules: RuleSet, player: Colour, to_move: Colour, fields: tuple[int, ...], facts: Mapping[str, int]
) -> str:
    """Return the sentence for a broken rule; ``facts``: cubes taken, placed, held in reserve, and points used."""
    sentence = _SENTENCES[rule](player.word.capitalize(), names(fields) or "the board", facts, rules)
    if rule == TURN_ORDER:
        sentence = f"It was {to_move.word}'s turn, but {player.word} acted at {names(fields) or 'the board'}"
    return f"{sentence} (rule sheet: {paragraph(rule, rules)})."


def _counts(rules: RuleSet) -> str:
    counts = sorted(rules.take_counts)
    return f"exactly {counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _territory_limit(rules: RuleSet) -> str:
    if rules.team_takes is not None:
        return "cubes come from the other team's territories only"
    if rules.foreign_all is not None:
        return f"at most {rules.foreign_all} in all may come from foreign territories"
    return f"at most {rules.foreign_each} may come from each foreign territory"


_SENTENCES: Mapping[RuleId, Callable[[str, str, Mapping[str, int], RuleSet], str]] = {
    TAKE_COUNT: lambda who, at, facts, rules: (
        f"{who} took {facts['taken']} cube{'' if facts['taken'] == 1 else 's'}"
        + (f" ({at})" if facts["taken"] else "")
        + f", but a turn takes {_counts(rules)}"
    ),
    TAKE_TERRITORY: lambda who, at, _, rules: f"{who} took too many cubes at {at}: {_territory_limit(rules)}",
    TAKE_INTERIOR: lambda who, at, _, rules: (
        f"{who} took a cube at {at}, but in a foreign territory only exterior stacks may be taken from"
    ),
    TAKE_OCCUPIED: lambda who, at, _, rules: f"{who} took a cube at {at} from under a flag",
    BUILD_OCCUPIED: lambda who, at, _, rules: f"{who} built at {at}, where a flag stands",
    BUILD_OUTSIDE: lambda who, at, _, rules: f"{who} built at {at}, which is out of play",
    CUBES_CONSERVED: lambda who, at, facts, rules: (
        f"{who} took {facts['taken']} and placed {facts['placed']} cubes at {at}, "
        + (f"with {facts['reserve']} in reserve: " if facts["reserve"] else "but ")
        + "every cube taken is placed again and none is added"
    ),
    MOVE_POINTS: lambda who, at, facts, rules: (
        f"{who}'s flags needed {facts['points']} movement points for {at}, but a turn has {POINTS}"
        if facts["points"] > POINTS
        else f"{who}'s flags needed more than {POINTS} movement points for {at}"
    ),
    MOVE_STEP: lambda who, at, _, rules: f"{who}'s flag climbed more than one level in one step at {at}",
    MOVE_GROUND: lambda who, at, _, rules: f"{who}'s flag entered {at}, where no cube lies",
    MOVE_BLOCKED: lambda who, at, _, rules: f"{who}'s flag passed over another flag at {at}",
    ENTER_CELL: lambda who, at, _, rules: (
        f"{who} brought a captured flag back at {at}, but it comes back onto "
        + (
            "a free single cube in the outermost row of the own territory"
            if rules.low_entry
            else "a free exterior stack"
        )
    ),
    CAPTURE_ATTACKS: lambda who, at, _, rules: (
        f"{who} attacked at {at}, but has made all {ATTACKS} attacks of the game"
    ),
    CAPTURE_CLOSED: lambda who, at, _, rules: (
        f"{who} captured at {at}, but captures are closed until a player has flags on towers of "
        + ", ".join(map(str, rules.opening or ()))
    ),
    CAPTURE_QUOTA: lambda who, at, _, rules: (
        f"{who} captured at {at}, beyond the {rules.quota} captures a player has"
    ),
    MOVE_OWN: lambda who, at, _, rules: f"A flag that is not {who.lower()}'s was moved or taken away by hand at {at}",
    FLAG_COUNT: lambda who, at, _, rules: f"{who}'s flags no longer add up to {FLAGS_EACH}: look at {at}",
    TURN_ORDER: lambda who, at, _, rules: f"{who} acted out of turn at {at}",
}


def setup_height(field: int, seen: int, expected: int) -> str:
    """Return the sentence for a stack that differs from the set-up."""
    return f"{NAMES[field]} starts with {_cubes(expected)}, but {_cubes(seen)} lie{'s' if seen == 1 else ''} there."


def setup_flag_foreign(field: int, player: Colour) -> str:
    """Return the sentence for a flag outside its own territory in the set-up."""
    return f"The {player.word} flag on {NAMES[field]} must start in {player.word}'s own territory."


def setup_flag_idle(field: int, colour: Colour) -> str:
    """Return the sentence for a flag of a colour that does not play."""
    return f"A {colour.word} flag stands on {NAMES[field]}, but nobody plays {colour.word}."


def setup_flag_ground(field: int, player: Colour) -> str:
    """Return the sentence for a flag that stands on no cube in the set-up."""
    return f"The {player.word} flag on {NAMES[field]} must start on a cube."


def setup_flag_count(player: Colour, count: int) -> str:
    """Return the sentence for a wrong number of flags in the set-up."""
    return f"{player.word.capitalize()} starts with {FLAGS_EACH} flags on the board, but {count} stand there."


def _cubes(count: int) -> str:
    return "no cube" if count == 0 else "1 cube" if count == 1 else f"{count} cubes"


def goal_words(reached: list[int], goal: tuple[int, ...]) -> str:
    """Return how near a player is to the goal."""
    towers = ", ".join(map(str, reached)) or "none"
    return f"towers {towers} of {'-'.join(map(str, goal))}"


FINISHED = "the game is over: start a new one"
"""Why a turn from a finished position is not judged."""

GAME_OVER = "The game was over before this turn."
"""Said of a recorded turn after the end of the game."""


def act_out_of_phase(late: str, early: str, rules: RuleSet) -> str:
    """Return the sentence for a recorded act that stands after one of a later phase."""
    sheet = paragraph(TURN_PHASE, rules)
    return f"{late} came after {early}, but a turn takes first, then builds, then moves (rule sheet: {sheet})."


def out_of_phase(player: Colour, flags: bool, early: Iterable[int], late: Iterable[int], rules: RuleSet) -> str:
    """Return the sentence for a turn seen out of its order; ``flags``: a flag moved early, else a cube was placed."""
    moved = f"moved a flag ({names(early)}) before the cubes at {names(late)} were taken and placed"
    placed = f"placed a cube on {names(early)} before one was taken from {names(late)}"
    return (
        f"{player.word.capitalize()} {moved if flags else placed}, but a turn takes first, then builds, then moves "
        f"(rule sheet: {paragraph(TURN_PHASE, rules)})."
    )


def no_cube(field: int) -> str:
    """Return the sentence for a take from an empty field."""
    return f"No cube lay on {NAMES[field]} that could be taken."


def too_tall(field: int, most: int) -> str:
    """Return the sentence for a stack higher than there are cubes to write down."""
    return f"{NAMES[field]} can't carry more than {most} cubes."


def no_flag(field: int, player: Colour) -> str:
    """Return the sentence for a move of a flag that is not there."""
    return f"No {player.word} flag stood on {NAMES[field]} that could move."


def no_step(here: int, there: int) -> str:
    """Return the sentence for a step between fields that are no neighbours."""
    return f"{NAMES[here]} and {NAMES[there]} are no neighbours: a step goes to the next field across a side."


def shared_field(field: int) -> str:
    """Return the sentence for a flag that ends where another stands."""
    return f"Another flag stood on {NAMES[field]}: no two flags share a field."


def empty_hand(field: int, player: Colour) -> str:
    """Return the sentence for a re-entry without a captured flag."""
    return f"{player.word.capitalize()} had no captured flag that could come back on {NAMES[field]}."


def nothing_to_capture(field: int) -> str:
    """Return the sentence for a capture where no foreign flag stands."""
    return f"No foreign flag stood on {NAMES[field]} that could be captured."


def captured_mate(field: int) -> str:
    """Return the sentence for the capture of a team-mate's flag."""
    return f"The flag on {NAMES[field]} is a team-mate's and can't be captured."


def returned_cube(fields: Iterable[int]) -> str:
    """Return the sentence for a cube put back where it came from, where that is forbidden."""
    return f"A cube was put back on {names(fields)}, where it had been taken: this table does not allow it."
