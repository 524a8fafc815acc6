"""Add up what became of the rulings of many games; games laid by a computer, recorded and real ones apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from referee.addons.trackrecord.bounds import ERROR, highest_rate, one_in
from referee.addons.trackrecord.fates import WRONG, Fate, fates
from referee.addons.trackrecord.nameless import table_code
from referee.match.state import TableState
from referee.values.words import Words, say, say_n
from referee.virtual.folder import VIRTUAL_TABLE

SURE = round(100 * (1 - ERROR))
LEAST_BOUND = 10
"""A rate is bounded in words from one in so many on."""


class PictureOrigin(StrEnum):
    """Where the pictures of a game come from: cameras at a board, a recording, or a drawing by the computer."""

    REAL = "real"
    RECORDED = "recorded"
    DRAWN = "drawn"


TITLES = {
    PictureOrigin.REAL: say("Real boards"),
    PictureOrigin.RECORDED: say("Recorded games"),
    PictureOrigin.DRAWN: say("Boards drawn by the computer"),
}
"""What each origin is called."""
MEANINGS = {
    PictureOrigin.REAL: say(
        "Cameras saw a real board. The figures hold for the tables and players counted here; another table may do "
        "better or worse."
    ),
    PictureOrigin.RECORDED: say(
        "Recorded games were refereed again. The figures hold for these recordings, not for a table that plays now."
    ),
    PictureOrigin.DRAWN: say(
        "The computer drew the boards, as it drew those that the referee learnt from. What fails here fails on real "
        "boards, too; what holds here proves little of them."
    ),
}
"""What the figures of each origin prove, and what they don't."""


def sentence(rulings: int, wrong: int) -> Words:
    """Say in one line how many rulings were put right, and what that proves where it proves anything worth saying."""
    bound = one_in(highest_rate(wrong, rulings))
    if bound < LEAST_BOUND:
        return say_n(
            "Of {all} rulings {n} was put right by people or by a later look.",
            "Of {all} rulings {n} were put right by people or by a later look.",
            wrong,
            all=rulings,
        )
    return say_n(
        "Of {all} rulings {n} was put right by people or by a later look; with {sure} % certainty fewer than 1 in "
        "{bound} is wrong.",
        "Of {all} rulings {n} were put right by people or by a later look; with {sure} % certainty fewer than 1 in "
        "{bound} is wrong.",
        wrong,
        all=rulings,
        sure=SURE,
        bound=bound,
    )


@dataclass(frozen=True, slots=True)
class GameCount:
    """What became of the rulings of one game. table: what its game says it was played at."""

    origin: PictureOrigin
    table: str
    found: Counter[Fate]

    @classmethod
    def of(cls, state: TableState, measures: Path | None = None) -> GameCount:
        """Count a game. measures: the folder of its table's, by which tables of one name are told apart."""
        drawn = PictureOrigin.DRAWN if state.begun.source == VIRTUAL_TABLE else PictureOrigin.REAL
        origin = PictureOrigin.RECORDED if state.begun.recorded or state.begun.source == "Recorded game" else drawn
        table = state.begun.source if measures is None else table_code(measures)
        return cls(origin, table, Counter(fate for _, fate in fates(state)))


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What became of the rulings of many games of one origin.

    rulings: how many were given or had to be given by people. bad_games, bad_tables: with at least one wrong ruling.
    """

    origin: PictureOrigin
    tables: int
    games: int
    rulings: int
    found: Counter[Fate]
    bad_games: int
    bad_tables: int

    @property
    def wrong(self) -> int:
        """Return how many rulings were put right."""
        return sum(self.found[fate] for fate in WRONG)

    @property
    def line(self) -> Words:
        """Return the one line by which reports, certificates and halls know the record."""
        return say("{title}: {line}", title=TITLES[self.origin], line=sentence(self.rulings, self.wrong))

    def highest(self, *wanted: Fate) -> float:
        """Return the rate below which rulings that came out so lie, with 95 % certainty."""
        return highest_rate(sum(self.found[fate] for fate in wanted), self.rulings)

    @property
    def lines(self) -> tuple[Words, ...]:
        """Say what was counted, and what that proves."""
        if not self.rulings:
            return (say("No turn was ruled on from pictures yet."),)
        return (
            sentence(self.rulings, self.wrong),
            self._bounded(say("Legal turns called illegal: {n}.", n=self.found[Fate.ACCUSED]), Fate.ACCUSED),
            self._bounded(say("Breaches not seen: {n}.", n=self.found[Fate.MISSED]), Fate.MISSED),
            say("Boards or rules told wrongly: {n}.", n=self.found[Fate.MISREAD]),
            say("Left to people, as the pictures did not tell: {n}.", n=self.found[Fate.UNSURE]),
            say(
                "Turns of a game are alike: {bad} of {games} games had a wrong one, {bad_tables} of {tables} tables.",
                bad=self.bad_games, games=self.games, bad_tables=self.bad_tables, tables=self.tables,
            ),
        )  # fmt: skip

    def _bounded(self, counted: Words, fate: Fate) -> Words:
        """Say with a count what it proves; nothing where it is too small to prove anything worth saying."""
        bound = one_in(self.highest(fate))
        if bound < LEAST_BOUND:
            return counted
        return say(
            "{counted} With {sure} % certainty fewer than 1 in {bound}.", counted=counted, sure=SURE, bound=bound
        )

    def to_json(self) -> dict[str, object]:
        """Return the counts and bounds for programs."""
        bounds = {"wrong": WRONG, **{fate.value: (fate,) for fate in WRONG}}
        return {
            "origin": self.origin.value,
            "tables": self.tables,
            "games": self.games,
            "rulings": self.rulings,
            **{fate.value: self.found[fate] for fate in Fate},
            "bad_games": self.bad_games,
            "bad_tables": self.bad_tables,
            "highest_rate": {name: round(self.highest(*of), 6) for name, of in bounds.items()},
            "highest_rate_of_games": round(highest_rate(self.bad_games, self.games), 6),
        }


def added_up(games: Iterable[GameCount]) -> tuple[TrackRecord, ...]:
    """Return a record for each origin that has games: they are never added together."""
    known = list(games)
    return tuple(
        _record(origin, [one for one in known if one.origin is origin])
        for origin in PictureOrigin
        if any(one.origin is origin for one in known)
    )


def _record(origin: PictureOrigin, games: list[GameCount]) -> TrackRecord:
    found: Counter[Fate] = Counter()
    for one in games:
        found.update(one.found)
    bad = [one for one in games if any(one.found[fate] for fate in WRONG)]
    return TrackRecord(
        origin,
        len({one.table for one in games}),
        len(games),
        found.total(),
        found,
        len(bad),
        len({one.table for one in bad}),
    )
