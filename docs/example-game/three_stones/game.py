"""The rules: one to three stones go from their fields to others; who declares it may move up to two more in all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import (
    Act,
    Citation,
    Counter,
    Progress,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    Violation,
)
from referee.values.belief import Prior
from referee.values.board import Board, Field
from referee.values.choices import Choice, Choices, Edition
from referee.values.declaring import NOTHING_DECLARED, Declared, Form, FormField
from referee.values.players import Player, PlayerName
from referee.values.words import say, say_n
from three_stones.kit import EXTRAS, KIT, LIMIT, PLAYERS
from three_stones.position import NAME, Position, parse_board, parse_player, parse_position

COUNT, LOST, EXTRA = RuleId("stones.count"), RuleId("stones.lost"), RuleId("extra.left")


class ThreeStones(Rules[Position, Board, Prior]):
    """The rules engine."""

    name = NAME
    title = "Three Stones"
    kit = KIT

    # What there is

    def player(self, word: object) -> PlayerName:
        """Return the player a word names. Raises RequestError."""
        return parse_player(word)

    def position(self, data: object) -> Position:
        """Validate a position's JSON form."""
        return parse_position(data)

    def observation(self, text: object) -> Board:
        """Return a board from its text. Raises RequestError."""
        return parse_board(text)

    def form(self, position: Position) -> Form | None:
        """Return the form that declares extra stones, while the player has some left."""
        left = position.extras[position.to_move.word]
        if not left:
            return None
        return Form((FormField("extra", "count", say("Pebbles more than three"), least=0, most=left),))

    # The turn

    def check(
        self,
        position: Position,
        observed: Board,
        frames: Sequence[Board] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        """Rule on the turn that led from the position to the observed board."""
        if position.finished:
            raise RequestError("finished", "the game is over: begin another")
        extra = declared.get("extra", 0)
        if not isinstance(extra, int) or set(declared) - {"extra"} or not 0 <= extra <= EXTRAS:
            raise RequestError("declared", f"declared: extra is a number from 0 to {EXTRAS}")
        rise = observed.heights.astype(int) - position.board.heights
        taken, put = int(-rise[rise < 0].sum()), int(rise[rise > 0].sum())
        violations = tuple(self._broken(position, rise, extra))
        acts = (*_acts(rise), *([Act("declare", (), text=f"${extra}")] if extra else []))
        turn = {"player": position.to_move.word, "taken": taken, "put": put, "extra": extra}
        if violations:
            return Ruling(False, violations, (), acts, turn, None)
        return Ruling(True, (), (), acts, turn, self._after(position, observed, extra))

    def _broken(self, position: Position, rise: NDArray[np.int64], extra: int) -> Iterator[Violation]:
        taken, put = int(-rise[rise < 0].sum()), int(rise[rise > 0].sum())
        changed = tuple(Field(int(row), int(col)) for row, col in np.argwhere(rise))
        if extra > position.extras[position.to_move.word]:
            yield Violation(EXTRA, (), say("{who} has no such extra left.", who=position.to_move))
        if taken != put:
            words = say(
                "{taken} pebbles were taken and {put} put down: none is lost and none is added.", taken=taken, put=put
            )
            yield Violation(LOST, changed, words)
        if max(taken, put) > LIMIT + extra:
            words = say_n("At most {n} pebble is moved.", "At most {n} pebbles are moved.", LIMIT + extra)
            yield Violation(COUNT, changed, words)
        elif not taken and not put:
            yield Violation(COUNT, (), say("At least one pebble is moved."))

    def _after(self, position: Position, board: Board, extra: int) -> Position:
        word = position.to_move.word
        extras = {**position.extras, word: position.extras[word] - extra}
        moved = replace(position, board=board, turn=position.turn + 1, extras=extras)
        return replace(moved, to_move=_next(moved))

    # Before and beside the turns

    def choices(self) -> Choices:
        """Return the choices: two to four players, in the order of their places."""
        places = tuple(Choice(side, say(side.capitalize()), say("A side of the table.")) for side in _SIDES)
        only = Choice("plain", say("The game"), say("One to three pebbles a turn."))
        counts = tuple((number, ((),)) for number in (2, 3, 4))
        return Choices(NAME, self.title, places, tuple(map(PlayerName, PLAYERS)), (Edition(only, counts),), (), ())

    def new_game(self, choice: Mapping[str, object]) -> Position:
        """Return the position before the first turn. Raises RequestError."""
        seats = choice.get("seats")
        if not isinstance(seats, Mapping):
            raise RequestError("seats", "seats: say who sits where")
        words = [seats[side] for side in _SIDES if seats.get(side) is not None]
        return parse_position({"players": words, "board": "/".join(["1" * KIT.columns] * KIT.rows)})

    def infer_setup(self, said: Mapping[str, object], observed: Board) -> Position:
        """Return the position a game is set up from: any board will do."""
        return parse_position({"players": list(PLAYERS), "board": observed.text})

    def setup_differences(self, position: Position, observed: Board) -> tuple[Violation, ...]:
        """Return no difference: any board will do."""
        return ()

    def start_from_setup(self, position: Position, observed: Board) -> Position:
        """Return the position in which the game begins, with the board as it stands."""
        return replace(position, board=observed)

    def accepted(self, position: Position, observed: Board, declared: Declared = NOTHING_DECLARED) -> Position:
        """Return the position after a turn that all players let stand."""
        return self._after(position, observed, 0)

    def passed(self, position: Position) -> Position:
        """Return the position after a turn in which nothing happened."""
        return self._after(position, position.board, 0)

    def corrected(self, position: Position, changes: Mapping[str, object]) -> Position:
        """Return the position with some keys changed by hand."""
        return parse_position(position.to_json() | dict(changes))

    def resigned(self, position: Position, out: frozenset[Player]) -> Position:
        """Return the position once some players have given up."""
        given_up = frozenset(PlayerName(player.word) for player in out)
        moved = replace(position, given_up=given_up)
        return replace(moved, to_move=_next(moved)) if position.to_move in given_up and not moved.finished else moved

    # For the page and the eyes

    def seats(self, position: Position) -> tuple[Seat, ...]:
        """Return the players in playing order."""
        return tuple(
            Seat(player, (side,), (_extras(position, player),))
            for player, side in zip(position.players, _SIDES, strict=False)
        )

    def prior_after(self, position: Position) -> Prior:
        """Return what to expect of the board: most fields stay as they are."""
        return Prior(frozenset(range(1, len(PLAYERS) + 1)), 100, previous=position.board)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
        """Return what to expect of an unknown board: anything may stand anywhere."""
        return Prior(frozenset(range(1, len(PLAYERS) + 1)), 100)

    def citation(self, position: Position, rule: RuleId) -> Citation:
        """Return where a rule is written: the sheet is one line."""
        return Citation("Three Stones", "The turn")

    def progress(self, position: Position, seen: Sequence[Board]) -> tuple[Progress, ...]:
        """Return how many stones have been put down by now."""
        if not seen:
            return ()
        rise = seen[-1].heights.astype(int) - position.board.heights
        return (Progress("put", say("put down"), int(rise[rise > 0].sum()), LIMIT),)


def _extras(position: Position, player: PlayerName) -> Counter:
    return Counter("extras", say("extra pebbles left"), position.extras[player.word], EXTRAS)


_SIDES = ("south", "west", "north", "east")


def _next(position: Position) -> PlayerName:
    """Return the next player who has not given up."""
    order = position.players
    at = order.index(position.to_move)
    following = [*order[at + 1 :], *order[: at + 1]]
    return next((player for player in following if player not in position.given_up), position.to_move)


def _acts(rise: NDArray[np.int64]) -> tuple[Act, ...]:
    acts: list[Act] = []
    for kind, sign, factor in (("take", "-", -1), ("build", "+", 1)):
        for row, col in np.argwhere(factor * rise > 0):
            place = Field(int(row), int(col))
            acts += [Act(kind, (place,), text=f"{sign}{place.name}")] * int(factor * rise[row, col])
    return tuple(acts)


GAME = ThreeStones()
