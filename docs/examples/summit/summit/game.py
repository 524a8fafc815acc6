"""The rules: a pawn steps, up by one stone at most, then a stone comes to a free field beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.answers import Explained
from referee.games.contract import (
    Act,
    Citation,
    Counter,
    Explains,
    Progress,
    Prompts,
    RequestError,
    RuleId,
    Rules,
    Ruling,
    Seat,
    TellsWhy,
    Violation,
)
from referee.values.belief import Habits, Prior
from referee.values.board import Board, Field
from referee.values.choices import Choice, Choices, Edition
from referee.values.declaring import NOTHING_DECLARED, Declared, Form
from referee.values.players import Player, PlayerName
from referee.values.words import Words, say

from .kit import KIT, PLAYERS, START, SUMMIT, TALLEST
from .position import (
    NAME,
    Position,
    beside,
    checked,
    level,
    parse_board,
    parse_player,
    parse_position,
    pawn,
    start_board,
)

FOREIGN, ONE = RuleId("pawn.foreign"), RuleId("pawn.one")
NEAR, CLIMB = RuleId("step.near"), RuleId("step.climb")
LAID, BESIDE, UNDER = RuleId("stone.laid"), RuleId("stone.near"), RuleId("stone.under")
HIGH, KEPT = RuleId("stone.high"), RuleId("stone.kept")
PARAGRAPH = {"pawn": "The step", "step": "The step", "stone": "The stone", "setup": "Set-up"}
PLACES = ("south", "north")


@dataclass(frozen=True, slots=True)
class Turn:
    """What differs between two boards, for the player to move."""

    before: Board
    after: Board
    me: PlayerName

    def came_and_gone(self, player: PlayerName) -> tuple[list[Field], list[Field]]:
        """Return the fields that pawns of a player left, and those that they came to."""
        code = PLAYERS.index(player.word) + 1
        stood, stands = self.before.flags == code, self.after.flags == code
        return _fields(stood & ~stands), _fields(stands & ~stood)

    @property
    def raised(self) -> dict[Field, int]:
        """Return by how many stones each field has risen; those that did not are left out."""
        rise = self.after.heights.astype(int) - self.before.heights
        return {at: int(rise[at]) for at in _fields(rise != 0)}

    def broken(self) -> Iterator[Violation]:
        """Yield every rule that is broken, with where and a sentence."""
        others = [self.came_and_gone(PlayerName(word)) for word in PLAYERS if word != self.me.word]
        if moved := tuple(sorted({at for fields in others for at in (*fields[0], *fields[1])})):
            yield Violation(FOREIGN, moved, say("The pawns of others stay where they are: {at}.", at=moved))
        gone, came = self.came_and_gone(self.me)
        if len(gone) == len(came) == 1:
            yield from self._stepped(gone[0], came[0])
        else:
            at = tuple(sorted({*gone, *came} or set(_fields(self.before.flags == PLAYERS.index(self.me.word) + 1))))
            yield Violation(ONE, at, say("{who} steps with one pawn to another field.", who=self.me))
        yield from self._laid()

    def _laid(self) -> Iterator[Violation]:
        raised, stands = self.raised, pawn(self.after, self.me)
        if taken := tuple(at for at in raised if raised[at] < 0):
            yield Violation(KEPT, taken, say("No stone is taken: {at}.", at=taken))
        laid = tuple(at for at in raised if raised[at] > 0)
        if len(laid) != 1 or raised[laid[0]] != 1:
            at = laid or ((stands,) if stands is not None else ())
            yield Violation(LAID, at, say("One stone is laid, no more and no less."))
        if high := tuple(at for at in laid if self.after.heights[at] > TALLEST):
            yield Violation(HIGH, high, say("No stack has more than {n} stones: {at}.", n=TALLEST, at=high))
        if under := tuple(at for at in laid if self.after.flags[at]):
            yield Violation(UNDER, under, say("No stone is laid under a pawn: {at}.", at=under))
        if stands is not None and (far := tuple(at for at in laid if at != stands and at not in beside(stands))):
            yield Violation(
                BESIDE, far, say("The stone comes to a field beside the pawn that stepped: {at}.", at=far)
            )

    def _stepped(self, start: Field, to: Field) -> Iterator[Violation]:
        if to not in beside(start):
            yield Violation(NEAR, (start, to), say("A pawn steps to a neighbouring field: {at}.", at=(start, to)))
        if self.before.heights[to] > self.before.heights[start] + 1:
            words = say("A pawn steps up by one stone at most: {b} is too high for {a}.", a=start, b=to)
            yield Violation(CLIMB, (start, to), words)

    @property
    def acts(self) -> Iterator[Act]:
        """Yield the acts in the notation of records (see laying.py)."""
        for player in (self.me, *(PlayerName(word) for word in PLAYERS if word != self.me.word)):
            gone, came = self.came_and_gone(player)
            for start, to in zip(gone, came, strict=False):
                yield Act("move", (start, to), text=f"{start.name}-{to.name}")
            for at in gone[len(came) :]:
                yield Act("take", (at,), text=f"x{at.name}")
            for at in came[len(gone) :]:
                yield Act("enter", (at,), text=f"@{at.name}")
        for at, rise in self.raised.items():
            kind, sign = ("build", "+") if rise > 0 else ("take", "-")
            yield from [Act(kind, (at,), text=f"{sign}{at.name}")] * abs(rise)


class Engine(Rules[Position, Board, Prior], Prompts[Position], Explains[Position], TellsWhy[Position]):
    """The rules engine."""

    name = NAME
    title = "Summit"
    kit = KIT

    def player(self, word: object) -> PlayerName:
        """Return the player a word names. Raises RequestError."""
        return parse_player(word)

    def position(self, data: object) -> Position:
        """Validate a position's JSON form. Raises RequestError."""
        return parse_position(data)

    def observation(self, text: object) -> Board:
        """Return a board from its text. Raises RequestError."""
        return parse_board(text)

    def form(self, position: Position) -> Form | None:
        """Return nothing: everything is seen."""
        return None

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
        if declared:
            raise RequestError("declared", "nothing is declared in this game")
        seen = Turn(position.board, observed, position.to_move)
        broken, acts = tuple(seen.broken()), tuple(seen.acts)
        turn = {"player": position.to_move.word, "acts": [act.text for act in acts]}
        if broken:
            return Ruling(False, broken, (), acts, turn, None)
        after = replace(position, board=observed, turn=position.turn + 1, to_move=position.other)
        return Ruling(True, (), (), acts, turn, after, after.winners, after.finished)

    def accepted(self, position: Position, observed: Board, declared: Declared = NOTHING_DECLARED) -> Position:
        """Return the position after a turn that all players let stand. Raises RequestError."""
        return replace(position, board=checked(observed), turn=position.turn + 1, to_move=position.other)

    def passed(self, position: Position) -> Position:
        """Return the position after a turn in which nothing happened."""
        return replace(position, turn=position.turn + 1, to_move=position.other)

    def corrected(self, position: Position, changes: Mapping[str, object]) -> Position:
        """Return the position with some keys changed by hand. Raises RequestError."""
        return parse_position(position.to_json() | dict(changes))

    def resigned(self, position: Position, out: frozenset[Player]) -> Position:
        """Return the position once some players have given up."""
        return replace(position, given_up=frozenset(PlayerName(player.word) for player in out))

    # Before the first turn

    def choices(self) -> Choices:
        """Return what can be chosen: who sits where."""
        places = (
            Choice(PLACES[0], say("South"), say("Begins.")),
            Choice(PLACES[1], say("North"), say("Plays second.")),
        )
        edition = Edition(Choice("basic", say("The game"), say("As it is written down.")), ((2, ((),)),))
        return Choices(NAME, self.title, places, tuple(map(PlayerName, PLAYERS)), (edition,), (), ())

    def new_game(self, choice: Mapping[str, object]) -> Position:
        """Return the position before the set-up. Raises RequestError."""
        seats = choice.get("seats")
        if not isinstance(seats, Mapping):
            raise RequestError("seats", "seats: say who sits where")
        words = [seats[place] for place in PLACES if seats.get(place) is not None]
        return parse_position({"players": words, "board": START})

    def infer_setup(self, said: Mapping[str, object], observed: Board) -> Position:
        """Return the position that a game is set up from. Raises RequestError."""
        return self.new_game({"seats": said.get("seats") or dict(zip(PLACES, PLAYERS, strict=True))})

    def setup_differences(self, position: Position, observed: Board) -> tuple[Violation, ...]:
        """Return where the board does not stand as a game begins."""
        wanted = start_board(position.players)
        odd = (observed.heights != wanted.heights) | (observed.flags != wanted.flags)
        words = say("The board does not stand as a game begins: see how it is played.")
        return tuple(Violation(RuleId("setup.start"), (at,), words) for at in _fields(odd))

    def start_from_setup(self, position: Position, observed: Board) -> Position:
        """Return the position with which the game begins. Raises RequestError."""
        return replace(position, board=checked(observed))

    # For the page and the reader

    def seats(self, position: Position) -> tuple[Seat, ...]:
        """Return the players in playing order, each with the stones under the pawn."""
        found = []
        for player, place in zip(position.players, PLACES, strict=True):
            stands = level(position.board, player)
            found.append(Seat(player, (place,), (Counter("level", say("stones under the pawn"), stands, SUMMIT),)))
        return tuple(found)

    def prior_after(self, position: Position) -> Prior:
        """Return what to expect of the board: a stone more, and no stack lower."""
        stones = int(position.board.heights.sum())
        habits = Habits((0.95, 0.04), 0.01)  # a stone that is taken breaks a rule, and should be seen
        return Prior(_PIECES, 1, previous=position.board, cubes=frozenset({stones, stones + 1}), habits=habits)

    def initial_prior(self, said: Mapping[str, object], shape: tuple[int, int]) -> Prior:
        """Return what to expect of an unknown board: anything may stand anywhere."""
        return Prior(_PIECES, 1)

    def citation(self, position: Position, rule: RuleId) -> Citation:
        """Return where a rule is written."""
        return Citation(self.title, PARAGRAPH.get(rule.partition(".")[0], ""))

    def progress(self, position: Position, seen: Sequence[Board]) -> tuple[Progress, ...]:
        """Return how many stones have been laid by now."""
        turn = Turn(position.board, seen[-1] if seen else position.board, position.to_move)
        laid = sum(max(0, rise) for rise in turn.raised.values())
        return (Progress("laid", say("stones laid"), laid, 1),)

    def prompt(self, position: Position) -> Words | None:
        """Return what the player to move is to do."""
        return None if position.finished else say("Step with your pawn, then lay a stone on a free field beside it.")

    def explained(self, position: Position) -> Explained:
        """Return how it is played, and the signs of its turns."""
        how = (
            say("At first no stone lies there. The pawns stand on B2 and D4."),
            say("Your pawn steps to a free neighbouring field, up by one stone at most, down as far as you like."),
            say("Then you lay a stone on a free field beside it, up to {n} on one another.", n=TALLEST),
            say("Who stands on {n} stones has won; who can’t step has lost.", n=SUMMIT),
        )
        return Explained(how, (("A1-B1", say("a pawn steps")), ("+A1", say("a stone is laid"))))

    def why_over(self, position: Position) -> Words | None:
        """Return what decided the game; None where the rules did not."""
        if position.given_up or not position.winners:
            return None
        winner = position.winners[0]
        if level(position.board, winner) >= SUMMIT:
            return say("{who} stands on {n} stones.", who=winner, n=SUMMIT)
        return say("{who} can’t step any more.", who=position.to_move)


def _fields(mask: np.ndarray) -> list[Field]:
    return [Field(int(row), int(col)) for row, col in np.argwhere(mask)]


_PIECES = frozenset(range(1, len(PLAYERS) + 1))
GAME = Engine()
