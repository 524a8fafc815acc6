"""Make positions that players make rather than turns: begun, let stand, corrected, given up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.games.contract import RequestError, Violation
from referee.games.jsonvalues import changes_checked, left_checked
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import FIELDS, NAMES, bits
from referee.games.torres.outcome.following import following
from referee.games.torres.position.parsing import check_pieces, parse_board, parse_position
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.position.stages import judge_stage
from referee.games.torres.ruleset import AP, CASTLES, SETUP_CASTLES, SETUP_KING, SETUP_KNIGHT
from referee.games.torres.text import setup_words
from referee.values.players import Player

SETTLED = frozenset({"game", "edition", "variants", "options", "players"})
"""Keys that hold for the whole game."""
NOTHING_SAID = Declared()


def differences(position: TorresPosition, observed: TorresBoard) -> tuple[Violation, ...]:
    """Return what must be put right before the game begins.

    Either just the castles stand, or each player's first knight and the king as well. Any eight single blocks are a
    set-up: which fields they lie on is learnt from it. In the master game the board may be empty.
    """
    if position.rules.master and not observed.blocks and not observed.masks:
        return ()
    return (*_castles(observed), *_pieces(position, observed))


def _castles(observed: TorresBoard) -> Iterator[Violation]:
    for i in bits(observed.blocks):
        if observed.heights[i] > 1:
            yield Violation(SETUP_CASTLES, (FIELDS[i],), setup_words.too_high(i, observed.heights[i]))
    count = observed.blocks.bit_count()
    if count != CASTLES:
        fields = tuple(FIELDS[i] for i in bits(observed.blocks))
        yield Violation(SETUP_CASTLES, fields, setup_words.castle_count(count))


def _pieces(position: TorresPosition, observed: TorresBoard) -> Iterator[Violation]:
    for colour in KnightColour:
        knights = observed.knights(colour)
        fields = tuple(FIELDS[i] for i in bits(knights))
        if colour not in position.players:
            if knights:
                yield Violation(SETUP_KNIGHT, fields, setup_words.idle(colour, fields))
        elif knights.bit_count() != 1 and observed.masks:
            yield Violation(SETUP_KNIGHT, fields, setup_words.knight_count(colour, knights.bit_count()))
        elif knights & ~observed.blocks:
            yield Violation(SETUP_KNIGHT, fields, setup_words.on_ground(fields))
    if observed.masks and observed.king.bit_count() != 1:
        fields = tuple(FIELDS[i] for i in bits(observed.king))
        yield Violation(SETUP_KING, fields, setup_words.king_count(observed.king.bit_count()))
    elif observed.king & ~observed.blocks:
        fields = tuple(FIELDS[i] for i in bits(observed.king))
        yield Violation(SETUP_KING, fields, setup_words.on_ground(fields))


def start_from_setup(position: TorresPosition, observed: TorresBoard) -> TorresPosition:
    """Return where the game begins: with the knights to be placed, or, where they and the king stand, the first turn.

    Raises RequestError when no game can begin so.
    """
    wrong = differences(position, observed)
    if wrong:
        raise RequestError("board", wrong[0].words)
    if position.rules.master and not observed.blocks:
        return replace(position, board=observed, stage="castles", start_fields=(), to_move=position.first)
    fields = tuple(NAMES[i] for i in bits(observed.blocks))
    known = position.start_fields if set(position.start_fields) == set(fields) else fields
    stage = "play" if observed.masks else "knights"
    after = replace(position, board=observed, stage=stage, start_fields=known, to_move=position.first)
    return parse_position(after.to_json())


def accepted(position: TorresPosition, observed: TorresBoard, declared: Declared = NOTHING_SAID) -> TorresPosition:
    """Return what follows a turn all let stand: as after a legal one with what was declared, as far as that can be.

    Raises RequestError for a board no position can have.
    """
    check_pieces(observed, position.players, "board")
    if position.stage == "play":
        try:
            after = following(position, declared, observed, AP).position
        except RequestError:  # stacks that can't be left after such a turn: they are as they are by default
            after = following(position, replace(declared, leftover=None), observed, AP).position
    else:
        after = _stage_accepted(position, observed)
    return parse_position(after.to_json())


def _stage_accepted(position: TorresPosition, observed: TorresBoard) -> TorresPosition:
    """Return what follows a step of the set-up, or the king's move, as it was done."""
    result = judge_stage(position, observed)
    if result.next is not None:
        return result.next
    moves_on = {"castles": position.following(position.to_move), "knights": position.following(position.to_move)}
    after = replace(position, board=observed, to_move=moves_on.get(position.stage, position.first))
    if position.stage == "castles" and observed.blocks.bit_count() >= CASTLES:
        return replace(after, stage="knights", to_move=position.first)
    if position.stage == "knights" and after.to_move == position.first:
        return replace(after, stage="king", to_move=position.to_move)
    return replace(after, stage="play") if position.stage == "king" else after


def corrected(position: TorresPosition, changes: Mapping[str, object]) -> TorresPosition:
    """Return the position with some keys changed by hand; the turn's number follows whose turn it is."""
    changes_checked(changes, SETTLED)
    data = position.to_json() | dict(changes)
    if "board" in changes:
        parse_board(changes["board"], "board")
    if {"to_move", "first", "phase", "round", "stage"} & set(changes) and "turn" not in changes:
        data["turn"] = _turn_of(position, data)
    return parse_position(data)


def _turn_of(position: TorresPosition, data: Mapping[str, object]) -> int:
    """Return the number of the turn that phase, round and players then say, as far as they can be read."""
    words = [player.word for player in position.players]
    first, to_move, phase, round_ = (data[key] for key in ("first", "to_move", "phase", "round"))
    if first not in words or to_move not in words or type(phase) is not int or type(round_) is not int:
        return position.play_turn
    if not 1 <= phase <= len(position.rules.rounds):
        return position.play_turn
    place = (words.index(str(to_move)) - words.index(str(first))) % len(words)
    return position.rules.turn_number(phase, round_, place)


def passed(position: TorresPosition) -> TorresPosition:
    """Return what follows a turn in which nothing happened."""
    return accepted(position, position.board)


def resigned(position: TorresPosition, out: frozenset[Player]) -> TorresPosition:
    """Return the position once some players have given up; the only one left has won."""
    left = [player for player in position.players if player not in out]
    left_checked(left)
    if len(left) > 1:
        return position
    return replace(position, stage="finished", sole_winner=left[0])
