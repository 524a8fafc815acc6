"""Make positions that players make rather than turns: begun, let stand, corrected, given up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import RequestError
from referee.games.jsonvalues import changes_checked, left_checked, show
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.geometry import bits
from referee.games.terra_turrium.outcome import following
from referee.games.terra_turrium.position.parsing import check_colours, parse_position
from referee.games.terra_turrium.position.position import Counts, TerraPosition, flag_masks, grids, side_of
from referee.games.terra_turrium.position.setup import differences
from referee.games.terra_turrium.ruleset import ATTACKS, FLAGS_EACH
from referee.games.terra_turrium.search.breaches import Explanation, Scene
from referee.games.terra_turrium.search.cubes import CubePlan
from referee.games.terra_turrium.search.steps import Move
from referee.values.board import Board, BoardError
from referee.values.players import Player
from referee.values.words import board_words

SETTLED = frozenset({"game", "edition", "variants", "options", "seats", "teams", "finished", "winners"})
"""Keys that hold for the whole game."""


def start_from_setup(position: TerraPosition, observed: Board) -> TerraPosition:
    """Return where the game begins: the position with the flags where they were set up."""
    wrong = differences(position, observed)
    if wrong:
        raise RequestError("board", wrong[0].words)
    hands = dict.fromkeys(position.players, 0)
    return parse_position(replace(position, board=observed, in_hand=hands).to_json())


def accepted(position: TerraPosition, observed: Board) -> TerraPosition:
    """Return what follows a turn all let stand.

    Flags that are missing are in their owner's hand; foreign flags that left fields outside the player's home count
    as an attack as long as there are attacks left; cubes beyond those before come from the player's reserve. Winners
    are found as after any turn.
    """
    player = position.to_move
    heights, flags = grids(observed)
    masks = flag_masks(flags)
    check_colours(masks, position.players, "board")
    scene = Scene(position.rules, position.grids[0], heights, position.flag_masks, masks)
    side = side_of(position, player)
    gone = 0
    for colour in position.players:
        if colour not in side.mates:
            gone |= position.flag_masks[colour] & ~masks[colour]
    taken = _captures(position, masks, gone)
    more = max(0, sum(heights) - sum(position.grids[0]))
    plan = CubePlan((), (0,) * min(more, position.reserve[player]))
    move = Move(False, (0,), tuple(bits(taken)), 0)
    after = following(position, scene, Explanation(side, plan, (move,)), observed)
    attacks = {colour: min(count, ATTACKS) for colour, count in after.attacks.items()}
    left = {colour: max(count, 0) for colour, count in after.captures_left.items()}
    after = replace(after, in_hand=_hands(after, observed), attacks=attacks, captures_left=left)
    return parse_position(after.to_json())


def _captures(position: TerraPosition, masks: tuple[int, ...], gone: int) -> int:
    """Return the fields from which flags were captured: as many of a colour as it has lost."""
    captured = 0
    for colour in position.players:
        lost = position.flag_masks[colour].bit_count() - masks[colour].bit_count()
        for i in list(bits(gone & position.flag_masks[colour]))[: max(0, lost)]:
            captured |= 1 << i
    return captured


def corrected(position: TerraPosition, changes: Mapping[str, object]) -> TerraPosition:
    """Return the position with some keys changed; hands follow the board, and the turn follows whose it is."""
    changes_checked(changes, SETTLED)
    data = position.to_json() | dict(changes)
    if "board" in changes and "in_hand" not in changes:
        try:
            board = parse_board(changes["board"])
        except BoardError as error:
            raise RequestError("board", board_words(error, "board")) from error
        data["in_hand"] = {colour.word: count for colour, count in _hands(position, board).items()}
    if "to_move" in changes and not {"turn", "first"} & set(changes):
        data["turn"] = _turn_of(position, changes["to_move"])
    return parse_position(data)


def _hands(position: TerraPosition, board: Board) -> Counts:
    """Return the flags that are in hand because they are not on the board."""
    masks = flag_masks(grids(board)[1])
    for colour in position.players:
        count = masks[colour].bit_count()
        if count > FLAGS_EACH:
            raise RequestError(
                "flags", f"{colour.word.capitalize()} has {count} flags on the board, but only {FLAGS_EACH} in all"
            )
    return {colour: FLAGS_EACH - masks[colour].bit_count() for colour in position.players}


def _turn_of(position: TerraPosition, word: object) -> int:
    """Return the first turn from now on that is this player's."""
    for ahead in range(len(position.players)):
        players = position.players
        if players[(players.index(position.to_move) + ahead) % len(players)].word == word:
            return position.turn + ahead
    raise RequestError(
        "to_move", f"to_move is {show(word)}: use one of {', '.join(p.word for p in position.players)}"
    )


def passed(position: TerraPosition) -> TerraPosition:
    """Return what follows a turn in which nothing happened."""
    return accepted(position, position.board)


def resigned(position: TerraPosition, out: frozenset[Player]) -> TerraPosition:
    """Return the position once some players have given up; the only side left has won."""
    left = [player for player in position.players if player not in out]
    left_checked(left)
    side = position.mates(left[0])
    if not set(left) <= side:
        return position
    winners = tuple(player for player in position.players if player in side)
    return replace(position, winners=winners, final_round=True, finished=True)
