"""Derive the position after a legal turn."""

from __future__ import annotations

from dataclasses import replace

from referee.games.turris.bars import BarColour
from referee.games.turris.declaring import DeclaredAct
from referee.games.turris.position import TurrisPosition
from referee.games.turris.scene import TowerTurn
from referee.games.turris.scoring import scores_of, winners_of
from referee.games.turris.search import State


def acts_of(scene: TowerTurn, state: State) -> tuple[DeclaredAct, ...]:
    """Return the acts of an explained turn in their order; what was done by hand is none."""
    return tuple(
        DeclaredAct(change.new, change.bar.place)
        for step in state.steps
        if not step.by_hand
        for change in (scene.changes[step.changes.bit_length() - 1],)
    )


def following(position: TurrisPosition, acts: tuple[DeclaredAct, ...], scene: TowerTurn) -> TurrisPosition:
    """Return the position after a turn of the player to move. position: as drawn in the scene."""
    player = position.to_move
    left = dict(position.left)
    for act in acts:
        if act.lay:
            left[player] -= 1
        else:
            left[player.other] += 1
    return settled(
        replace(
            position,
            tower=scene.goal,
            left=left,
            last=dict(position.last) | {player: tuple(act.place for act in acts if act.lay)},
            barred=tuple(cell for act in acts if not act.lay for cell in act.place.cells),
        ),
        player,
    )


def settled(position: TurrisPosition, player: BarColour) -> TurrisPosition:
    """Return the position with its turn counted on after a player's: who is to move, and whether the game is over."""
    position = replace(position, turn=position.turn + 1, to_move=next_to_move(position, player))
    if any(position.left.values()):
        return position
    return replace(position, finished=True, winners=winners_of(scores_of(position.tower, position.rules.recessed)))


def next_to_move(position: TurrisPosition, player: BarColour) -> BarColour:
    """Return who plays after a player: the other, unless only this one has bars left."""
    return player.other if position.left[player.other] else player
