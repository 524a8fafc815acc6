"""Convert an explanation for other rooms: into acts for the page, and the turn of formats.md."""

from __future__ import annotations

from referee.games.contract import Act
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import FIELDS, NAMES
from referee.games.terra_turrium.search.breaches import Explanation
from referee.games.terra_turrium.search.steps import Move
from referee.games.terra_turrium.text.notation import make_act


def acts_of(explanation: Explanation) -> tuple[Act, ...]:
    """Return the acts in the order in which they happened."""
    acts = [make_act("take", (FIELDS[i],)) for i in explanation.cubes.takes]
    acts += [make_act("build", (FIELDS[i],)) for i in explanation.cubes.builds]
    for move in explanation.walks:
        kind = "enter" if move.enters else "move"
        acts.append(make_act(kind, tuple(FIELDS[i] for i in move.path), tuple(FIELDS[i] for i in move.captures)))
    return tuple(acts)


def turn_json(explanation: Explanation, player: Colour) -> dict[str, object]:
    """Return the turn as formats.md writes it."""
    return {
        "player": player.word,
        "take": [NAMES[i] for i in explanation.cubes.takes],
        "build": [NAMES[i] for i in explanation.cubes.builds],
        "move": [_move_json(move) for move in explanation.walks],
        "points": explanation.points,
        "attack": bool(explanation.captured & ~explanation.side.home),
    }


def _move_json(move: Move) -> dict[str, object]:
    return {
        "enter" if move.enters else "from": NAMES[move.path[0]],
        "path": [NAMES[i] for i in move.path[1:]],
        "captures": [NAMES[i] for i in move.captures],
        "points": move.points,
    }
