"""Whole games that engines play against each other, as records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.games.answers import Strength
from referee.games.contract import Position
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry
from referee.opponents.opponent import Opponent, OpponentError
from referee.values.words import say

MOST_TURNS = 400
"""A game that nobody has won by then ends without a winner."""


@dataclass(frozen=True, slots=True)
class PlayedGameRecord:
    """A game that was played. record: with its headers; end: the position it led to."""

    record: Record
    end: Position

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the words of the players who have won."""
        return tuple(player.word for player in self.end.winners)


def new_position(package: GamePackage, players: int, edition: str | None = None) -> Position:
    """Return the position before the set-up of a new game, of the first edition unless another is named.

    Raises OpponentError for a number of players or an edition that the game does not have.
    """
    if package.plays is None:
        raise OpponentError(say("{game} brings no opponents: all seats are people’s.", game=package.game.title))
    choices = package.game.choices()
    known = [one.choice.id for one in choices.editions]
    if edition is not None and edition not in known:
        raise OpponentError(
            say("{edition} is no edition: use one of {known}.", edition=edition, known=", ".join(known))
        )
    chosen = next(one for one in choices.editions if edition in (None, one.choice.id))
    counts = [count for count, _ in chosen.variants]
    if players not in counts:
        told = ", ".join(map(str, sorted(counts)))
        raise OpponentError(say("{n} players can’t play: use one of {known}.", n=players, known=told))
    seating = next((one for one in choices.seatings if one.players == players), None)
    groups = seating.groups if seating else tuple((place.id,) for place in choices.places[:players])
    seats: dict[str, str | None] = dict.fromkeys((place.id for place in choices.places), None)
    for colour, group in zip(choices.colours, groups, strict=False):
        seats |= dict.fromkeys(group, colour.word)
    choice: dict[str, object] = {"edition": chosen.choice.id, "seats": seats}
    if seating and seating.options:
        choice["options"] = dict(seating.options)
    position: Position = package.game.new_game(package.plays.prepared(choice))
    return position


def play_game(
    package: GamePackage,
    position: Position,
    strengths: Mapping[str, Strength],
    seed: int,
    headers: Sequence[tuple[str, str]] = (),
    most_turns: int = MOST_TURNS,
) -> PlayedGameRecord:
    """Play a game from the position before its set-up.

    strengths: by the players' words. headers: put behind those that the position needs. Raises OpponentError.
    """
    seats = {word: Opponent(package, strength, seed) for word, strength in strengths.items()}
    first = seats[position.to_move.word]
    start = position = package.game.start_from_setup(position, first.set_up(position))
    entries: list[RecordEntry] = []
    while not position.finished and len(entries) < most_turns:
        try:
            turn = seats[position.to_move.word].turn(position)
        except OpponentError:
            break  # no player can go on: people would agree to end the game
        entries.append(turn.entry)
        assert turn.ruling.next is not None, "a turn that was chosen is legal"
        position = turn.ruling.next
    named = {**package.records.headers(start), **dict(headers)}
    return PlayedGameRecord(Record(named, tuple(entries)), position)
