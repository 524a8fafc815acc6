"""Hold a position as the engine handles it, every key of its JSON form filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.ruleset import CASTLES, GAME_NAME, KIND_COPIES, TorresRules
from referee.values.board import Board

T = TypeVar("T")
Stack = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards: how many are held, and the kinds played so far."""

    held: int = 0
    played: tuple[str, ...] = ()


@dataclass(frozen=True)
class TorresPosition:
    """A state of the game between two turns. The mappings hold every player and are never changed.

    variants and options are kept as given, ``rules`` is what they come to. players: clockwise. play_turn: number of
    the turn as formats write it, which counts turns of stage ``play`` only. start_fields: names of the fields on
    which the castles begin. master: the open master card. sole_winner: who is left once all others gave up.
    """

    rules: TorresRules
    edition: str
    variants: tuple[str, ...]
    options: Mapping[str, str | int]
    players: tuple[KnightColour, ...]
    first: KnightColour
    to_move: KnightColour
    stage: str
    phase: int
    round: int
    play_turn: int
    board: TorresBoard
    start_fields: tuple[str, ...]
    stacks: Mapping[KnightColour, Stack]
    reserve: int
    cards: Mapping[KnightColour, Hand]
    score: Mapping[KnightColour, int]
    master: str | None = None
    sole_winner: KnightColour | None = None

    @property
    def observed(self) -> Board:
        """Return what stands on the table."""
        return self.board.shared

    @property
    def turn(self) -> int:
        """Return the number of what is about to be done, from 1: set-up steps and king's moves count.

        ``play_turn`` is the number formats write, which counts turns of stage ``play`` only.
        """
        castles = CASTLES if self.rules.master else 0
        if self.stage == "castles":
            return 1 + self.board.blocks.bit_count()
        if self.stage == "knights":
            return 1 + castles + self.place(self.to_move)
        setup = castles + len(self.players)
        if self.stage == "king" and not self.board.king:
            return setup + 1
        kings = self.phase - (2 if self.stage == "king" else 1)
        return setup + 1 + kings + self.play_turn

    @property
    def finished(self) -> bool:
        """Return whether the game is over."""
        return self.stage == "finished"

    @property
    def winners(self) -> tuple[KnightColour, ...]:
        """Return who has won: the highest score once the game is over; several only where scores are equal."""
        if not self.finished:
            return ()
        if self.sole_winner is not None:
            return (self.sole_winner,)
        best = max(self.score.values())
        return tuple(player for player in self.players if self.score[player] == best)

    def following(self, player: KnightColour) -> KnightColour:
        """Return the player clockwise next to a player."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def order(self, first: KnightColour) -> tuple[KnightColour, ...]:
        """Return the players clockwise from one of them."""
        place = self.players.index(first)
        return self.players[place:] + self.players[:place]

    def place(self, player: KnightColour) -> int:
        """Return how many players act before a player in a round, counted from ``first``."""
        return self.order(self.first).index(player)

    def ranked(self) -> tuple[KnightColour, ...]:
        """Return the players as they stand on the score track, the leader first.

        Among players on the same field, which is the start field, those earlier in turn order are ahead.
        """
        return tuple(sorted(self.order(self.first), key=lambda player: -self.score[player]))

    def played_out(self, player: KnightColour, kind: str) -> bool:
        """Return whether no card of a kind is left for a player to play."""
        if self.rules.deck_each:
            return kind in self.cards[player].played
        return sum(hand.played.count(kind) for hand in self.cards.values()) >= KIND_COPIES

    def to_json(self) -> dict[str, object]:
        """Return the position as formats.md writes it."""
        data: dict[str, object] = {
            "game": GAME_NAME,
            "edition": self.edition,
            "variants": list(self.variants),
            "options": dict(self.options),
            "players": list(self.players),
            "first": self.first,
            "to_move": self.to_move,
            "stage": self.stage,
            "phase": self.phase,
            "round": self.round,
            "turn": self.play_turn,
            "board": self.board.text,
            "start_fields": list(self.start_fields),
            "stacks": {player: list(stack) for player, stack in self.stacks.items()},
            "reserve": self.reserve,
            "cards": {p: {"held": hand.held, "played": list(hand.played)} for p, hand in self.cards.items()},
            "score": dict(self.score),
            "master": self.master,
        }
        if self.sole_winner is not None:
            data["winners"] = [self.sole_winner.word]
        return data


@dataclass(frozen=True, slots=True)
class Declared:
    """What the player said about the turn. card: the kind played. bought: cards. points: AP spent on the score track.

    stack: size of the supply stack used, ``None`` for the largest. leftover: the player's stacks after the turn.
    start: who starts the next phase.
    """

    card: str | None = None
    bought: int = 0
    points: int = 0
    stack: int | None = None
    leftover: Stack | None = field(default=None)
    start: KnightColour | None = None

    @property
    def spent(self) -> int:
        """Return the AP that are no acts."""
        return self.bought + self.points


def with_value(values: Mapping[KnightColour, T], key: KnightColour, value: T) -> dict[KnightColour, T]:
    """Return a mapping with one value replaced, in the same order."""
    return {name: value if name == key else old for name, old in values.items()}
