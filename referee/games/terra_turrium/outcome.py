"""Derive what follows a legal turn: counts, captures opened, goals reached and held, winners, the end of the game."""

from __future__ import annotations

from dataclasses import replace

from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import bits
from referee.games.terra_turrium.position.position import Counts, Holding, TerraPosition
from referee.games.terra_turrium.search.breaches import Explanation, Scene
from referee.values.board import Board


def towers(heights: tuple[int, ...], flags: int) -> tuple[int, ...]:
    """Return the heights a player's flags stand on, the highest first."""
    return tuple(sorted((heights[i] for i in bits(flags)), reverse=True))


def following(position: TerraPosition, scene: Scene, explanation: Explanation, observed: Board) -> TerraPosition:
    """Return the position after a legal turn."""
    player = position.to_move
    rules = position.rules
    captured = explanation.captured
    attacked = bool(captured & ~explanation.side.home)
    entries = sum(move.enters for move in explanation.walks)
    reserve_used = len(explanation.cubes.builds) - len(explanation.cubes.takes)
    in_hand = {c: n + (scene.flags[c] & captured).bit_count() for c, n in position.in_hand.items()}
    in_hand[player] -= entries
    captures_left = position.captures_left
    if rules.opening is not None and position.captures_open:
        captures_left = _changed(captures_left, player, -captured.bit_count())
    opened = rules.opening is not None and any(
        towers(scene.after, scene.flags_after[c]) == rules.opening for c in position.players
    )
    after = replace(
        position,
        board=observed,
        turn=position.turn + 1,
        to_move=position.following(player),
        in_hand=in_hand,
        attacks=_changed(position.attacks, player, int(attacked)),
        reserve=_changed(position.reserve, player, -reserve_used),
        captures_left=captures_left,
        captures_open=position.captures_open or opened,
    )
    return _judged(after, player, scene)


def _changed(counts: Counts, player: Colour, change: int) -> Counts:
    return {**counts, player: counts[player] + change} if change else counts


def _judged(after: TerraPosition, player: Colour, scene: Scene) -> TerraPosition:
    """Fill in winners, towers to hold and the end of the game, now that a player's turn is over."""
    hold_from = after.rules.hold_from
    if hold_from is None:
        holding: Holding = {}
        won = _winners_at_once(after, player, scene)
    else:
        holding = _noted(after, player, scene, hold_from)
        won = _has_held(after.to_move, holding, scene)
        holding = {c: fields for c, fields in holding.items() if c != after.to_move}
    winners = tuple(dict.fromkeys([*after.winners, *won]))
    return replace(
        after,
        holding=holding,
        winners=winners,
        final_round=after.final_round or bool(winners),
        finished=bool(winners) and after.to_move == after.first,
    )


def _at_goal(after: TerraPosition, player: Colour, scene: Scene) -> bool:
    return towers(scene.after, scene.flags_after[player]) == after.rules.goal


def _winners_at_once(after: TerraPosition, player: Colour, scene: Scene) -> tuple[Colour, ...]:
    """Return who wins by the turn: the player, or the team as soon as all its members are at the goal."""
    mates = tuple(c for c in after.players if c in after.mates(player))
    return mates if all(_at_goal(after, mate, scene) for mate in mates) else ()


def _noted(after: TerraPosition, player: Colour, scene: Scene, hold_from: int) -> Holding:
    holding = {c: fields for c, fields in after.holding.items() if c != player}
    if _at_goal(after, player, scene):
        holding[player] = tuple(i for i in bits(scene.flags_after[player]) if scene.after[i] >= hold_from)
    return holding


def _has_held(player: Colour, holding: Holding, scene: Scene) -> tuple[Colour, ...]:
    """Return the player whose turn begins if the towers noted a round ago still carry the player's flags."""
    fields = holding.get(player)
    held = fields is not None and all(scene.flags_after[player] >> i & 1 for i in fields)
    return (player,) if held else ()
