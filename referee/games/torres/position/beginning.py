"""Begin a new game: say what can be chosen, and return the position before the set-up that follows from a choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from referee.games.contract import Citation, RequestError, RuleId
from referee.games.jsonvalues import choice_checked
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import COUNT, INDEX
from referee.games.torres.position.parsing import MASTER_MIN, parse_options, parse_players, parse_position
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import EDITIONS, GAME_NAME, MASTERS, OPTIONS, START_FIELDS, VARIANTS
from referee.games.torres.text.names import MASTER_CARD
from referee.games.torres.text.paragraphs import paragraph
from referee.values.choices import Choice, Choices, Edition, Option, Seating, Variant
from referee.values.words import Words, say, verbatim

TITLE = "Torres"
KEYS = ("game", "edition", "variants", "options", "players", "seats", "first", "start_fields", "master")
PLACES = ("one", "two", "three", "four")
"""Places at the table, clockwise."""
MASTER_CARD_OPTION = "master_card"
"""The open master card, as a page chooses it; in a position it is ``master``."""
_LEAST = ("1", "2", "3", "4", "5", "6")

_SHEET = "Torres (1999)"
_EDITION = say("The rules of 1999, as the French rule sheet gives them.")
_VARIANTS: Mapping[str, tuple[Words, Words]] = {
    "own-deck": (
        say("Own cards"),
        say(
            "Each player has the ten cards of the own colour. Who buys one looks at three and keeps one. Each kind "
            "is played once by each player."
        ),
    ),
    "master": (
        say("Master game"),
        say(
            "The players lay the castles themselves, all hold their ten cards from the start, and one master card "
            "gives points at scorings. After the first round the leader starts each round."
        ),
    ),
}
_OPTIONS: Mapping[str, Words] = {
    "leftover": say("How high may unused blocks make a supply stack?"),
    "phase_leftover": say("What becomes of blocks left at the end of a phase?"),
    "spare_ap": say("What becomes of unused action points?"),
    "doors": say("Where does a walk through doors lead?"),
    "card_cost": say("What does the act on a card cost?"),
    "jump_over": say("Which pieces may the card “Jump over a knight” pass?"),
    "score_order": say("Who moves the marker first at a scoring?"),
    "phase_start": say("Who starts the next phase?"),
    "square": say("Which square counts for the master card?"),
}
_VALUES: Mapping[str, tuple[Words, Words]] = {
    "leftover.three": (say("Three"), say("What does not fit on stacks of three goes to the reserve.")),
    "leftover.free": (say("Any number"), say("With three or four players all unused blocks go onto other stacks.")),
    "phase_leftover.returned": (say("Returned"), say("All blocks left go back to the reserve.")),
    "phase_leftover.kept": (say("Kept"), say("Blocks of the last stack go onto the stacks of the next phase.")),
    "spare_ap.lost": (say("Lost"), say("Points on the score track are declared.")),
    "spare_ap.points": (say("Points"), say("Every action point not used is a step on the score track.")),
    "doors.any": (
        say("Any door"),
        say("Any door of the castle on the same level or below, however the way inside goes."),
    ),
    "doors.path": (say("A way that never rises"), say("The way inside the castle stays on its level or goes down.")),
    "doors.closed": (
        say("Occupied stacks are closed"),
        say("The way never rises, and no stack with a knight or the king on it is passed."),
    ),
    "card_cost.free": (say("Nothing"), say("The act on a card is free.")),
    "card_cost.act": (say("As the act does"), say("1 action point, 2 for placing a knight anew.")),
    "jump_over.foreign": (say("Knights of others"), say("The king and own knights are not jumped over.")),
    "jump_over.any": (say("All"), say("The king and own knights, too.")),
    "score_order.table": (say("Clockwise"), say("From the start player of the phase.")),
    "score_order.track": (say("The leader first"), say("In phases 2 and 3 by the score before the scoring.")),
    "phase_start.leader": (say("The leader"), say("Who is ahead on the score track.")),
    "phase_start.chosen": (say("Chosen"), say("The last player says who starts.")),
    "phase_start.same": (say("The same"), say("Who started the first phase.")),
    "square.any": (say("Any size"), say("Four knights on the corners of a square with sides along the rows.")),
    "square.block": (say("Two by two"), say("Four knights on four fields that touch.")),
}
_PLACE_NAMES: Mapping[str, Words] = {
    "one": say("First place"),
    "two": say("Second place"),
    "three": say("Third place"),
    "four": say("Fourth place"),
}
_AROUND = say("Places go clockwise round the table.")


@cache
def choices() -> Choices:
    """Return all that can be chosen for a new game."""
    sets = ((), *((variant,) for variant in VARIANTS))
    options = [
        Option(name, _OPTIONS[name], tuple(Choice(value, *_VALUES[f"{name}.{value}"]) for value in values))
        for name, values in OPTIONS.items()
    ]
    least = tuple(Choice(n, verbatim(n), say("So many knights at least, where the card counts.")) for n in _LEAST)
    cards = (
        Choice("none", say("None yet"), say("The card is not known.")),
        *(Choice(card, *MASTER_CARD[card]) for card in MASTERS),
    )
    return Choices(
        game=GAME_NAME,
        title=TITLE,
        places=tuple(Choice(place, _PLACE_NAMES[place], _AROUND) for place in PLACES),
        colours=tuple(KnightColour),
        editions=tuple(
            Edition(Choice(edition, verbatim(_SHEET), _EDITION), tuple((n, sets) for n in (2, 3, 4)))
            for edition in EDITIONS
        ),
        variants=tuple(Variant(Choice(variant, *_VARIANTS[variant])) for variant in VARIANTS),
        options=(
            *options,
            Option(MASTER_MIN, say("How many knights does a master card need after phase 3?"), least),
            Option(MASTER_CARD_OPTION, say("Which master card is open?"), cards),
        ),
        seatings=tuple(
            Seating(n, tuple((place,) for place in PLACES[:n]), say("Clockwise")) for n in range(2, len(PLACES) + 1)
        ),
    )


def citation(rule: RuleId) -> Citation:
    """Return the edition's name and the heading of the paragraph a rule rests on."""
    return Citation(_SHEET, paragraph(rule))


def new_game(choice: Mapping[str, object]) -> TorresPosition:
    """Return the position before the set-up: the start castles stand, in the master game none.

    choice: ``edition`` and ``players``, or ``seats`` by PLACES, and what else a position says of a game.
    Raises RequestError with what to do.
    """
    choice_checked(choice, KEYS, ("edition",))
    players = parse_players(choice["players"]) if "players" in choice else _seated(choice.get("seats"))
    data = {key: value for key, value in choice.items() if key not in ("seats", "players")}
    _take_options(data)
    first = data.setdefault("first", players[0].word)
    master = "master" in str(data.get("variants", ""))
    data.setdefault("start_fields", [] if master else list(START_FIELDS))
    data = {"game": GAME_NAME, "players": list(players)} | data
    empty = TorresBoard((0,) * COUNT, ("",) * COUNT)
    stage = "castles" if master and not data["start_fields"] else "knights"
    position = parse_position(data | {"to_move": first, "stage": stage, "board": empty.text})
    heights = tuple(int(i in {INDEX[name] for name in position.start_fields}) for i in range(COUNT))
    return parse_position(position.to_json() | {"board": TorresBoard(heights, empty.pieces).text})


def _seated(value: object) -> tuple[KnightColour, ...]:
    if not isinstance(value, dict) or not set(value) <= set(PLACES):
        raise RequestError(
            "seats", f"seats is an object with some of the keys {', '.join(PLACES)}: say who sits where"
        )
    return parse_players([value[place] for place in PLACES if value.get(place) is not None])


def _take_options(data: dict[str, object]) -> None:
    """Put the open master card, and the number a page gives as a word, where positions have them."""
    options = data.get("options")
    if not isinstance(options, dict):
        return
    options = dict(options)
    card = options.pop(MASTER_CARD_OPTION, None)
    if card in MASTERS and "master" in str(data.get("variants", "")):
        data["master"] = card
    if options.get(MASTER_MIN) in _LEAST:
        options[MASTER_MIN] = int(str(options[MASTER_MIN]))
    data["options"] = parse_options(options)


def infer_setup(said: Mapping[str, object], observed: TorresBoard) -> TorresPosition:
    """Return the position a game is set up from: players that are not said are those whose knights are seen.

    Raises RequestError with what to do.
    """
    choice = {key: value for key, value in said.items() if value is not None}
    if "players" not in choice and "seats" not in choice:
        seen = [colour.word for colour in KnightColour if observed.knights(colour)]
        if not 2 <= len(seen) <= len(PLACES):
            told = ", ".join(seen) or "none"
            raise RequestError("players", f"the knights do not show who plays ({told}): set them up, or give players")
        choice["players"] = seen
    choice.setdefault("edition", EDITIONS[0])
    return new_game(choice)
