"""Begin a new game: say what can be chosen, and return the position that follows from a choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from referee.games.jsonvalues import choice_checked
from referee.games.turris.bars import COLOURS
from referee.games.turris.paragraphs import SHEET
from referee.games.turris.parsing import SIDES, parse_position
from referee.games.turris.position import GAME_NAME, TurrisPosition
from referee.games.turris.ruleset import EDITION, OPTIONS
from referee.values.choices import Choice, Choices, Edition, Option, Seating
from referee.values.words import Words, say, verbatim

TITLE = "Turris"
KEYS = ("game", "edition", "variants", "options", "seats", "first")
"""What a choice may say."""

_SIDES: Mapping[str, tuple[Words, Words]] = {
    "south": (say("Front"), say("The side of the board’s printed mark.")),
    "east": (say("Right"), say("Right of the board’s printed mark.")),
    "north": (say("Back"), say("Across from the board’s printed mark.")),
    "west": (say("Left"), say("Left of the board’s printed mark.")),
}
_QUESTIONS: Mapping[str, Words] = {
    "frame": say("Where may the tower stand?"),
    "pass": say("May a player pass the turn?"),
    "first_bars": say("Which first bars may lie apart?"),
    "centre_levels": say("On which levels is a standing bar in the centre tested?"),
    "centre_edge": say("What must be filled before the centre of a level?"),
    "bonus_chain": say("Does a bonus bar in the centre earn a further bonus?"),
    "last_bars": say("Which bars of the opponent may a bonus not take off?"),
    "refill": say("What may be laid where a bonus set squares free?"),
    "recessed": say("Do recessed squares count at the end?"),
}
_ANSWERS: Mapping[tuple[str, str], tuple[Words, Words]] = {
    ("frame", "fixed"): (say("On the base"), say("The base shows its 3 x 3 squares.")),
    ("frame", "floating"): (
        say("Anywhere on the felt"),
        say(
            "All bars stay within 3 x 3 squares; the centre is known once the tower is three squares wide both ways."
        ),
    ),
    ("pass", "forced"): (say("Only if no bar can be laid"), say("Whoever can lay a bar by the rules must lay one.")),
    ("pass", "never"): (say("Never"), say("Every turn lays a bar.")),
    ("pass", "free"): (say("Whenever they like"), say("A turn may lay no bar.")),
    ("first_bars", "each"): (
        say("Each player’s first"),
        say("The first bar of each player need not touch another; only the very first may stand apart."),
    ),
    ("first_bars", "first"): (say("Only the very first"), say("Every bar but the first touches one already there.")),
    ("centre_levels", "each"): (say("On both its levels"), say("Each level needs an outer square filled.")),
    ("centre_levels", "base"): (say("On its lower level"), say("The upper level needs none.")),
    ("centre_edge", "outer"): (say("Any outer square"), say("One of the eight squares around the centre.")),
    ("centre_edge", "corner"): (say("A corner"), say("One of the four squares at the corners.")),
    ("bonus_chain", "yes"): (say("Yes"), say("Any bar laid in the centre earns a bonus.")),
    ("bonus_chain", "no"): (say("No"), say("A turn has one bonus at most.")),
    ("last_bars", "one"): (say("The very last one"), say("Only the bar laid last must stay.")),
    ("last_bars", "turn"): (say("All of the last turn"), say("Bonus bars of that turn must stay too.")),
    ("refill", "any"): (say("Nothing"), say("No bar on any of these squares in the next turn.")),
    ("refill", "same"): (
        say("No bar on two of them"),
        say("Two bars may fill one square each in the next turn."),
    ),
    ("recessed", "count"): (say("Yes"), say("All squares seen straight from a side count, however deep they lie.")),
    ("recessed", "ignore"): (say("No"), say("Only squares of the outer row count on the sides.")),
}


@cache
def choices() -> Choices:
    """Return all that can be chosen for a new game."""
    edition = Choice(
        EDITION,
        verbatim(SHEET),
        say("The French rules: build a tower of light and dark bars, and show most of your colour on every side."),
    )
    return Choices(
        game=GAME_NAME,
        title=TITLE,
        places=tuple(Choice(side, *_SIDES[side]) for side in SIDES),
        colours=COLOURS,
        editions=(Edition(edition, ((len(COLOURS), ((),)),)),),
        variants=(),
        options=tuple(
            Option(key, _QUESTIONS[key], tuple(Choice(value, *_ANSWERS[key, value]) for value in values))
            for key, values in OPTIONS.items()
        ),
        seatings=(
            Seating(2, (("south",), ("north",)), say("Front and back")),
            Seating(2, (("west",), ("east",)), say("Left and right")),
        ),
    )


def new_game(choice: Mapping[str, object]) -> TurrisPosition:
    """Return the position before the first turn: an empty base, all bars beside the board."""
    choice_checked(choice, KEYS)
    data: dict[str, object] = {"game": GAME_NAME} | dict(choice)
    data.setdefault("first", COLOURS[0].word)
    return parse_position(data | {"to_move": data["first"]})


def infer_setup(said: Mapping[str, object]) -> TurrisPosition:
    """Return the position a game is set up from, by what is said of it; else the players sit front and back."""
    seats = dict(zip(("south", "north"), (colour.word for colour in COLOURS), strict=True))
    data = {"edition": EDITION, "seats": seats} | {key: said[key] for key in KEYS if said.get(key) is not None}
    return new_game(data)
