"""Begin a new game: say what can be chosen, and return the position before the set-up that follows from a choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from referee.games.contract import Citation, RequestError, RuleId
from referee.games.jsonvalues import choice_checked, one_of, show
from referee.games.terra_turrium.colours import SIZE, Colour
from referee.games.terra_turrium.geometry import COUNT, NAMES, RING, TERRITORIES, TERRITORY
from referee.games.terra_turrium.position.parsing import GAME_NAME, parse_position, parse_seats
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.ruleset import (
    EDITIONS,
    FLAGS_EACH,
    OPTIONS,
    VARIANTS,
    RuleSet,
    rule_set,
)
from referee.games.terra_turrium.text.paragraphs import paragraph
from referee.values.choices import Choice, Choices, Edition, Option, Seating, SetupQuestion, Variant
from referee.values.words import Words, say, verbatim

TITLE = "Terra Turrium"
KEYS = ("game", "edition", "variants", "options", "seats", "first", "teams", "reserve", "giver")
"""What a choice may say. giver: handicap, whose territory the reserve's cubes come from."""

_EDITIONS: Mapping[str, tuple[str, Words]] = {
    "kosmos-1990": (
        "Terra Turrium (1990)",
        say(
            "The German rules: exactly three cubes a turn, at most one from each foreign territory. Captured flags "
            "come back onto single cubes in the outermost row of the own territory."
        ),
    ),
    "ludibay-fr": (
        "Terra Turrium (français)",
        say(
            "The French rules: one to three cubes a turn, at most one of them from foreign territories. Captured "
            "flags come back onto any free stack at the outside."
        ),
    ),
}
_VARIANTS: Mapping[str, tuple[Words, Words]] = {
    "team": (
        say("Teams"),
        say(
            "Two against two, neighbours together. A team wins when both its members have reached the goal at the "
            "same time. All cubes come from the other team’s territories."
        ),
    ),
    "handicap": (
        say("Handicap"),
        say(
            "The stronger player gives cubes away before play; the weaker player may build with them whenever it is "
            "their turn."
        ),
    ),
    "pro": (
        say("For experts"),
        say(
            "The goal is towers of 7, 6, 5, 4, 3 and 2, and the three tallest must hold for a whole round. Cubes may "
            "come from any territories."
        ),
    ),
    "burgenland": (
        say("Burgenland"),
        say(
            "Nobody captures until somebody has flags on towers of 5, 4, 4, 3, 2 and 1. From then on each player has "
            "two captures for the rest of the game."
        ),
    ),
}
_OPTIONS: Mapping[str, Words] = {
    "exterior": say("When is a stack at the outside?"),
    "returned_cubes": say("May a cube be put back where it came from?"),
    "two_player_territories": say("Which territories do two players own?"),
}
_VALUES: Mapping[str, tuple[Words, Words]] = {
    "path": (
        say("A way to the edge"),
        say("It stands at the edge, or an empty field beside it leads to the edge over empty fields."),
    ),
    "line": (
        say("A straight line to the edge"),
        say("A straight line from it to an edge meets only empty fields."),
    ),
    "allowed": (say("Yes"), say("A cube may be taken and put back on the same field in one turn.")),
    "forbidden": (say("No"), say("No field is both taken from and built on in one turn.")),
    "adjacent": (say("Neighbouring ones"), say("Each player owns two territories side by side.")),
    "opposite": (say("Opposite ones"), say("Each player owns two territories across the board.")),
}
_PLACES: Mapping[str, Words] = {
    "nw": say("Top left (A6 to E10)"),
    "ne": say("Top right (F6 to J10)"),
    "se": say("Bottom right (F1 to J5)"),
    "sw": say("Bottom left (A1 to E5)"),
}
_ASKS: Mapping[str, tuple[SetupQuestion, ...]] = {
    "team": (SetupQuestion("teams", "pairs", say("Who plays together?")),),
    "handicap": (
        SetupQuestion("giver", "player", say("Who gives cubes away?")),
        SetupQuestion("reserve", "count", say("Who may build with them, and how many?"), 10),
    ),
}
SIDES_OPTION = "two_player_territories"
_SEATINGS = (
    Seating(4, (("nw",), ("ne",), ("se",), ("sw",)), say("All four")),
    *(
        Seating(3, tuple((place,) for place in TERRITORIES if place != empty), words)
        for empty, words in zip(
            reversed(TERRITORIES),
            (
                say("Bottom left stays free"),
                say("Bottom right stays free"),
                say("Top right stays free"),
                say("Top left stays free"),
            ),
            strict=True,
        )
    ),
    Seating(2, (("nw", "ne"), ("se", "sw")), say("Top and bottom"), ((SIDES_OPTION, "adjacent"),)),
    Seating(2, (("sw", "nw"), ("ne", "se")), say("Left and right"), ((SIDES_OPTION, "adjacent"),)),
    Seating(2, (("nw", "se"), ("ne", "sw")), say("Opposite corners"), ((SIDES_OPTION, "opposite"),)),
)
_SEEN_FROM = say("Seen by the player who sits at row 1.")


@cache
def choices() -> Choices:
    """Return all that can be chosen for a new game."""
    return Choices(
        game=GAME_NAME,
        title=TITLE,
        places=tuple(Choice(place, _PLACES[place], _SEEN_FROM) for place in TERRITORIES),
        colours=tuple(Colour),
        editions=tuple(
            Edition(Choice(edition, verbatim(_EDITIONS[edition][0]), _EDITIONS[edition][1]), _allowed(edition))
            for edition in EDITIONS
        ),
        variants=tuple(Variant(Choice(variant, *_VARIANTS[variant]), _ASKS.get(variant, ())) for variant in VARIANTS),
        options=tuple(
            Option(option, _OPTIONS[option], tuple(Choice(value, *_VALUES[value]) for value in values))
            for option, values in OPTIONS.items()
        ),
        seatings=_SEATINGS,
    )


def citation(rules: RuleSet, rule: RuleId) -> Citation:
    """Return the edition's name and the heading of the paragraph a rule rests on."""
    sheet = _EDITIONS[rules.edition][0]
    return Citation(sheet, paragraph(rule, rules))


def _allowed(edition: str) -> tuple[tuple[int, tuple[tuple[str, ...], ...]], ...]:
    """Return the sets of variants that are defined, by the number of players."""
    found = []
    for players in (2, 3, 4):
        sets = []
        for bits in range(1 << len(VARIANTS)):
            chosen = tuple(name for n, name in enumerate(VARIANTS) if bits >> n & 1)
            try:
                rule_set(edition, players, frozenset(chosen), "path", "allowed")
            except RequestError:
                continue
            sets.append(chosen)
        found.append((players, tuple(sorted(sets, key=lambda names: (len(names), names)))))
    return tuple(found)


def new_game(choice: Mapping[str, object]) -> TerraPosition:
    """Return the position before the set-up: the stacks stand, all flags are in their owners' hands.

    With a handicap the cubes of the reserve are missing on the outermost fields of the giver's territory, one each;
    where they were taken elsewhere the set-up is corrected by hand.
    """
    choice_checked(choice, KEYS, ("edition", "seats"))
    seats = parse_seats(choice["seats"])
    _check_territories(choice, seats)
    players = tuple(dict.fromkeys(colour for colour in seats if colour is not None))
    data = {key: value for key, value in choice.items() if key != "giver"}
    first = data.setdefault("first", players[0].word)
    edition = one_of(choice["edition"], EDITIONS, "edition")
    heights = list(rule_set(edition, len(players), frozenset(), "path", "allowed").setup)
    reserve = data.get("reserve", {})
    if isinstance(reserve, Mapping):
        given = sum(count for count in reserve.values() if type(count) is int)
        _take_given(heights, seats, given, choice.get("giver"))
    data = {"game": GAME_NAME} | data | {"to_move": first, "board": _text(heights)}
    data["in_hand"] = {player.word: FLAGS_EACH for player in players}
    return parse_position(data)


def _check_territories(choice: Mapping[str, object], seats: tuple[Colour | None, ...]) -> None:
    options = choice.get("options")
    if len(set(seats)) != 2 or not isinstance(options, Mapping):
        return
    asked = options.get("two_player_territories", OPTIONS["two_player_territories"][0])
    opposite = seats[0] == seats[2]
    if asked in OPTIONS["two_player_territories"] and (asked == "opposite") != opposite:
        raise RequestError(
            "seats", f"seats: the territories are not {asked}: seat the players so, or choose the other"
        )


def _take_given(heights: list[int], seats: tuple[Colour | None, ...], given: int, giver: object) -> None:
    """Take the reserve's cubes away where the giver's territory is outermost."""
    if not given:
        return
    places = [n for n, colour in enumerate(seats) if colour is not None and colour.word == giver]
    if not places:
        words = ", ".join(dict.fromkeys(colour.word for colour in seats if colour is not None))
        raise RequestError("giver", f"giver is {show(giver)}: say who gives the reserve's cubes, one of {words}")
    own = sorted((i for i in range(COUNT) if TERRITORY[i] in places and heights[i]), key=lambda i: (RING[i], i))
    if given > len(own):
        raise RequestError("reserve", f"reserve: at most {len(own)} cubes can be given from {giver}'s territory")
    for i in own[:given]:
        heights[i] -= 1


def _text(heights: list[int]) -> str:
    rows = ["".join(map(str, heights[row * SIZE : (row + 1) * SIZE])) for row in range(len(NAMES) // SIZE)]
    return "/".join(reversed(rows))
