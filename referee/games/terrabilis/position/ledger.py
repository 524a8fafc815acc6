"""Hold a position: the ledger between two turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.ruleset import COUNTERS, GAME_NAME, GREEN, HAND, TARGET, YELLOW, Readings


@dataclass(frozen=True, slots=True)
class Loan:
    """A loan: the lap in which it was taken, and the one in which it was repaid."""

    lap: int
    repaid: int | None = None


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One player's line of the ledger.

    pawn: spaces from Start. money in Terras, energy in units, green and yellow in counters. hand: cards in hand.
    installed: ids of cards. poured: counters ever poured less those taken.
    """

    money: int
    energy: int
    green: int
    yellow: int
    pawn: int = 0
    hand: int = HAND
    installed: tuple[str, ...] = ()
    member: bool = False
    loans: tuple[Loan, ...] = ()
    poured: int = 0
    out: bool = False

    @property
    def open_loans(self) -> tuple[Loan, ...]:
        """Return the loans not repaid, the oldest first."""
        return tuple(loan for loan in self.loans if loan.repaid is None)

    def to_json(self) -> dict[str, object]:
        """Return the line as formats write it."""
        return {
            "pawn": self.pawn,
            "money": self.money,
            "energy": self.energy,
            "green": self.green,
            "yellow": self.yellow,
            "hand": self.hand,
            "installed": list(self.installed),
            "member": self.member,
            "loans": [{"lap": loan.lap, "repaid": loan.repaid} for loan in self.loans],
            "poured": self.poured,
            "out": self.out,
        }


@dataclass(frozen=True)
class TerrabilisPosition:
    """A state of the game between two turns.

    copy: the name of the copy played with; data: what is printed on it. embedded: whether the position's JSON form
    carries the data, so that it says everything by itself. players stand clockwise; discard: the top card last.
    """

    edition: str
    options: Mapping[str, str]
    copy: str
    players: tuple[Country, ...]
    first: Country
    to_move: Country
    ledger: Mapping[Country, LedgerLine]
    data: GameCopy
    embedded: bool = False
    turn: int = 1
    lap: int = 1
    target: int = TARGET
    zone: tuple[int, int] = (0, 0)
    lost: tuple[int, int] = (0, 0)
    discard: tuple[str, ...] = ()
    finished: bool = False
    winners: tuple[Country, ...] = ()

    @cached_property
    def readings(self) -> Readings:
        """Return what the options come to."""
        return Readings.of(self.options)

    @property
    def remaining(self) -> tuple[Country, ...]:
        """Return the players still in the game, clockwise."""
        return tuple(player for player in self.players if not self.ledger[player].out)

    def clockwise(self, start: Country) -> tuple[Country, ...]:
        """Return all players from one on, clockwise."""
        at = self.players.index(start)
        return self.players[at:] + self.players[:at]

    @property
    def observed(self) -> LedgerSeen:
        """Return what lies on the table: pawns, Zone and installed cards of those who still play."""
        left = self.remaining
        return LedgerSeen(
            dice=None,
            pawns={player: self.ledger[player].pawn for player in left},
            zone=dict(zip(COUNTERS, self.zone, strict=True)),
            installed={player: len(self.ledger[player].installed) for player in left},
            money={player: self.ledger[player].money for player in left},
        )

    @property
    def text(self) -> str:
        """Return the ledger in one line."""
        zone, lost = (f"{green}g{yellow}y" for green, yellow in (self.zone, self.lost))
        lines = (f"{player.word} {_line_text(self.ledger[player])}" for player in self.players)
        return " | ".join((f"zone {zone} lost {lost}", *lines))

    def to_json(self) -> dict[str, object]:
        """Return the position as formats write it, every key filled in."""
        return {
            "game": GAME_NAME,
            "edition": self.edition,
            "variants": [],
            "options": dict(self.options),
            "copy": copy_json(self.data) if self.embedded else self.copy,
            "players": [player.word for player in self.players],
            "first": self.first.word,
            "to_move": self.to_move.word,
            "turn": self.turn,
            "lap": self.lap,
            "target": self.target,
            "zone": _pair(self.zone),
            "lost": _pair(self.lost),
            "ledger": {player.word: self.ledger[player].to_json() for player in self.players},
            "discard": list(self.discard),
            "finished": self.finished,
            "winners": [player.word for player in self.winners],
        }


def _pair(counters: tuple[int, int]) -> dict[str, int]:
    return {GREEN: counters[0], YELLOW: counters[1]}


def _line_text(line: LedgerLine) -> str:
    if line.out:
        return "X"
    words = [f"@{line.pawn}", f"{line.money}T", f"{line.energy}e", f"{line.green}g{line.yellow}y"]
    words += [f"{mark}{n}" for mark, n in (("h", line.hand), ("i", len(line.installed))) if n]
    words += ["A"] * line.member
    words += [f"L{len(line.open_loans)}"] * bool(line.open_loans)
    return " ".join(words)
