"""Play Torres: a beam over the acts of a turn; the strong player also looks at the answer to each.

The weak player follows its nose, one act after the other, and misjudges boards; the middle one looks at its own
points, several acts on; the strong one at everybody's, and at what the next player could make of the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from referee.games.answers import Strength
from referee.games.contract import Plays
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING
from referee.games.torres.geometry import COUNT, NAMES, bits, distance
from referee.games.torres.outcome.scoring import phase_scores
from referee.games.torres.playing.acting import ActedBoard, Acting, Beam
from referee.games.torres.playing.worth import Valuer
from referee.games.torres.position.position import TorresPosition, with_value
from referee.games.torres.ruleset import START_DISTANCE
from referee.games.torres.text.notation import act_text
from referee.values.board import Board

_ANSWER_WIDTH = 3
_ANSWER = 0.6
"""How much of what the next player could gain is held against a turn."""
_TOLD = 8
"""Turns proposed at most."""


@dataclass(frozen=True, slots=True)
class TorresSkill:
    """What a strength looks at.

    width: of the beam; slips: how far boards are misjudged; watchful, outlook: as a Valuer has them; answered: on how
    many turns the next player's answer is looked for.
    """

    width: int
    slips: float
    watchful: bool
    outlook: bool
    answered: int


SKILLS: Mapping[Strength, TorresSkill] = {
    Strength.WEAK: TorresSkill(1, 6.0, False, False, 0),
    Strength.MIDDLE: TorresSkill(4, 0.0, False, True, 0),
    Strength.STRONG: TorresSkill(24, 0.0, True, True, 6),
}


class TorresPlays(Plays[TorresPosition, Board]):
    """Chooses turns of Torres."""

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """Return the choice as it is: nothing is needed besides what people choose."""
        return choice

    def set_up(self, position: TorresPosition, chance: Random) -> Board:
        """Return the table as it stands: the set-up's own steps are turns."""
        return position.observed

    def turns(self, position: TorresPosition, strength: Strength, chance: Random) -> Iterator[str]:
        """Yield turns for the player to move, or the step the stage asks for, best first."""
        skill = SKILLS[strength]
        if position.stage == "castles":
            yield from (f"*{NAMES[i]}" for i in _shuffled(_castle_sites(position), chance))
        elif position.stage == "knights":
            yield from (f"@{NAMES[i]}" for i in _knight_sites(position, skill, chance))
        elif position.stage == "king":
            yield from _king_moves(position, skill, chance)
        else:
            yield from (_text(position, one) for one in _played(position, skill, chance))


def _played(position: TorresPosition, skill: TorresSkill, chance: Random) -> list[ActedBoard]:
    valuer = Valuer(position, skill.watchful, skill.outlook)
    found = Beam(Acting(position), valuer, skill.width, max(_TOLD, skill.answered), skill.slips, chance).turns()
    first = found[: skill.answered]
    ranked = sorted(
        (
            (valuer.worth(one.heights, one.own, one.left) - _ANSWER * _answer(position, one), -n)
            for n, one in enumerate(first)
        ),
        reverse=True,
    )
    return [*(first[-n] for _, n in ranked), *found[skill.answered :]]


def _answer(position: TorresPosition, standing: ActedBoard) -> float:
    """Return what the next player could make of a board, above what it is worth to them as it stands."""
    letter = position.to_move.letter
    pieces = tuple(
        letter if standing.own >> i & 1 else "" if piece == letter else piece
        for i, piece in enumerate(position.board.pieces)
    )
    following = replace(
        position,
        board=TorresBoard(standing.heights, pieces),
        to_move=position.following(position.to_move),
        stacks=with_value(position.stacks, position.to_move, ()),
    )
    valuer, acting = Valuer(following, True, True), Acting(following)
    best = Beam(acting, valuer, _ANSWER_WIDTH, 1, 0.0, Random(0)).turns()[0]
    return valuer.worth(best.heights, best.own, best.left)


def _text(position: TorresPosition, standing: ActedBoard) -> str:
    words = [act_text(act) for act in standing.acts]
    if standing.left and position.rules.spare_ap == "lost":
        words.append(f"#{standing.left}")
    return " ".join(words)


def _shuffled(fields: list[int], chance: Random) -> list[int]:
    chance.shuffle(fields)
    return fields


def _castle_sites(position: TorresPosition) -> list[int]:
    laid = list(bits(position.board.blocks))
    return [i for i in range(COUNT) if all(distance(i, j) >= START_DISTANCE for j in laid)]


def _free_castles(position: TorresPosition) -> list[int]:
    return [i for i in bits(position.board.blocks) if not position.board.pieces[i]]


def _knight_sites(position: TorresPosition, skill: TorresSkill, chance: Random) -> list[int]:
    """List free castles: with others near, and other knights far where the player looks at others."""
    found = _shuffled(_free_castles(position), chance)
    if not skill.watchful:
        return found
    taken = [i for i, piece in enumerate(position.board.pieces) if piece]
    return sorted(found, key=lambda i: -min((distance(i, j) for j in taken), default=0))


def _king_moves(position: TorresPosition, skill: TorresSkill, chance: Random) -> Iterator[str]:
    """Yield where the king may go, by what the next scoring would bring with him there."""
    fields = _shuffled(_free_castles(position), chance)
    if position.board.king:
        fields.append(-1)  # he stays
    ranked = sorted(fields, key=lambda field: -_with_king(position, field)) if skill.outlook else fields
    yield from ("" if field < 0 else f"k{NAMES[field]}" for field in ranked)


def _with_king(position: TorresPosition, field: int) -> float:
    """Return what the next scoring would bring the player with the king on a field, less what the others get."""
    me, board = position.to_move, position.board
    if field >= 0:
        pieces = ["" if piece == KING else piece for piece in board.pieces]
        pieces[field] = KING
        board = TorresBoard(board.heights, tuple(pieces))
    scores = phase_scores(position, board)
    others = [scores[player].king for player in position.players if player != me]
    own = [distance(i, field) for i in bits(board.knights(me))] if field >= 0 else []
    return scores[me].king - sum(others) / max(1, len(others)) - 0.2 * min(own, default=4)


PLAYS = TorresPlays()
"""The player, which has no state."""
