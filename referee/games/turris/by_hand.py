"""Make positions that players make rather than turns: begun, let stand, corrected, given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import Observation, RequestError, Violation
from referee.games.jsonvalues import changes_checked, left_checked
from referee.games.turris import complaints
from referee.games.turris.bars import BARS_EACH, COLOURS, BarColour
from referee.games.turris.cells import field_of
from referee.games.turris.completions import reading_of
from referee.games.turris.following import settled
from referee.games.turris.messages import setup_words
from referee.games.turris.parsing import parse_position
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import SETUP_EMPTY
from referee.games.turris.scene import changes_between
from referee.games.turris.tower import Tower, parse_tower, tower_in
from referee.values.players import Player

_SETTLED = ("game", "edition", "variants", "options", "seats", "finished", "scores", "winners")


def differences(observed: Observation) -> tuple[Violation, ...]:
    """Return what stands on the base, which is empty when the game is set up."""
    cells = tuple(reading_of(observed).letters)
    if not cells:
        return ()
    return (Violation(SETUP_EMPTY, tuple(map(field_of, cells)), setup_words(cells)),)


def start_from_setup(position: TurrisPosition, observed: Observation) -> TurrisPosition:
    """Return where the game begins: the position, once the base is empty."""
    wrong = differences(observed)
    if wrong:
        raise RequestError("tower", wrong[0].words)
    return position


def accepted(position: TurrisPosition, observed: Observation) -> TurrisPosition:
    """Return what follows a turn all let stand: bars that are not in the tower lie beside the board."""
    tower = known(observed)
    player = position.to_move
    laid = tuple(
        change.bar.place
        for change in changes_between(position.tower, tower)
        if change.new and change.bar.colour is player
    )
    after = replace(
        position,
        tower=tower,
        left=_beside(tower),
        last=dict(position.last) | {player: laid},
        barred=(),
    )
    return parse_position(settled(after, player).to_json())


def known(observed: Observation) -> Tower:
    """Return the tower of a reading in which every cell is known. Raises RequestError for another."""
    reading = reading_of(observed)
    if reading.partly:
        raise RequestError("tower", complaints.not_known())
    return tower_in(reading.letters)


def corrected(position: TurrisPosition, changes: Mapping[str, object]) -> TurrisPosition:
    """Return the position with some keys changed; the bars beside the board follow the tower."""
    changes_checked(changes, _SETTLED)
    data = position.to_json() | dict(changes)
    if "tower" in changes and "left" not in changes:
        data["left"] = {colour.word: n for colour, n in _beside(parse_tower(changes["tower"])).items()}
    return parse_position(data)


def _beside(tower: Tower) -> dict[BarColour, int]:
    """Return how many bars lie beside the board. Raises RequestError for a tower of more than there are."""
    for colour in COLOURS:
        if tower.count(colour) > BARS_EACH:
            raise RequestError("left", complaints.too_many(colour, tower.count(colour), BARS_EACH))
    return {colour: BARS_EACH - tower.count(colour) for colour in COLOURS}


def passed(position: TurrisPosition) -> TurrisPosition:
    """Return what follows a turn in which nothing happened."""
    return accepted(position, position.tower)


def resigned(position: TurrisPosition, out: frozenset[Player]) -> TurrisPosition:
    """Return the position once some players have given up: the one who is left has won."""
    words = {player.word for player in out}
    left = tuple(colour for colour in COLOURS if colour.word not in words)
    left_checked(left)
    return position if len(left) == len(COLOURS) else replace(position, winners=left, finished=True)
