"""A tournament, as small as possible: pairings come from another program, results from the tables. Pure.

A file of pairings is CSV: ``round,table`` and a column for each player, in playing order; ``table`` is a table's name
or id. Whom a result belongs to is told by the names at the table, or, where players are only colours there, by their
order. Cells that a spreadsheet would take for formulas are written with an apostrophe before them, and read without.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.messages import HallError, HallState

MOST_ROWS, MOST_PLAYERS, LONGEST = 5000, 20, 80
_BETWEEN = " / "
_FORMULA = re.compile(r"'*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
"""How a cell begins that a spreadsheet would compute, wide signs included, however many apostrophes are before it."""
RESULT_HEAD = ("round", "table", "game", "winners", "players")


@dataclass(frozen=True, slots=True)
class TablePairing:
    """Who plays at a table in a round, in playing order."""

    round: int
    table: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a pairing came out. game: its id. winners: nobody for a game that nobody won."""

    pairing: TablePairing
    game: str
    winners: tuple[str, ...]

    @property
    def points(self) -> dict[str, float]:
        """Return each player's points: winners share one, where nobody wins all do."""
        share = self.winners or self.pairing.players
        return {player: (1 / len(share) if player in share else 0.0) for player in self.pairing.players}


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """How far a player has come."""

    player: str
    games: int
    points: float


def read_pairings(text: str, name: str) -> tuple[TablePairing, ...]:
    """Return the pairings of a file. Raises HallError, naming file and line."""
    rows = _rows(text, name)
    if not rows or [cell.strip().lower() for cell in rows[0][1][:2]] != ["round", "table"]:
        raise HallError(f"{name}: line 1 must be: round,table,player 1,player 2 and so on")
    if len(rows) > MOST_ROWS:
        raise HallError(f"{name}: it has {len(rows)} lines, at most {MOST_ROWS} are read")
    found: dict[tuple[int, str], TablePairing] = {}
    for line, row in rows[1:]:
        cells = [" ".join(cell.split()) for cell in row]
        if not any(cells):
            continue
        players = tuple(filter(None, cells[2:]))
        if not cells[0].isdecimal() or len(cells) < 2 or not cells[1]:
            raise HallError(f"{name}: line {line}: it needs the number of a round and a table")
        if not 2 <= len(players) <= MOST_PLAYERS or len(set(map(str.casefold, players))) < len(players):
            raise HallError(f"{name}: line {line}: it needs 2 to {MOST_PLAYERS} players, each once")
        if any(len(cell) > LONGEST or not cell.isprintable() or _BETWEEN in cell for cell in cells):
            raise HallError(f"{name}: line {line}: a name is too long, or has signs that a name can't have")
        pairing = TablePairing(int(cells[0]), cells[1], players)
        if (pairing.round, pairing.table) in found:
            raise HallError(f"{name}: line {line}: table {pairing.table} is there twice in round {pairing.round}")
        found[pairing.round, pairing.table] = pairing
    return tuple(sorted(found.values(), key=lambda one: (one.round, one.table)))


def read_results(text: str, name: str, pairings: Iterable[TablePairing]) -> tuple[TableResult, ...]:
    """Return results that ``written_results`` wrote, or somebody by hand. Raises HallError, naming file and line."""
    paired = {(str(one.round), one.table): one for one in pairings}
    found = []
    for line, row in _rows(text, name):
        if line == 1 or not row:
            continue
        pairing = paired.get((row[0], row[1])) if len(row) >= 4 else None
        winners = tuple(filter(None, row[3].split(_BETWEEN))) if pairing is not None else ()
        if pairing is None or set(winners) - set(pairing.players):
            raise HallError(f"{name}: line {line}: no pairing has this round, table and winner")
        found.append(TableResult(pairing, row[2], winners))
    return tuple(found)


def written_results(results: Iterable[TableResult]) -> str:
    """Return results as CSV."""
    rows = [
        (
            one.pairing.round,
            one.pairing.table,
            one.game,
            _BETWEEN.join(one.winners),
            _BETWEEN.join(one.pairing.players),
        )
        for one in results
    ]
    return _csv([RESULT_HEAD, *rows])


def written_standings(standings: Iterable[TournamentStanding]) -> str:
    """Return standings as CSV."""
    return _csv([("player", "games", "points"), *((one.player, one.games, f"{one.points:g}") for one in standings)])


def new_results(
    pairings: Sequence[TablePairing], results: Sequence[TableResult], hall: HeardHall, under_way: Mapping[str, str]
) -> tuple[tuple[TableResult, ...], frozenset[TablePairing]]:
    """Return the results of games that are over now and were not counted yet, and pairings whose table had others.

    under_way: by table, the game that was seen while it was played; a game that was over before is not counted.
    """
    known, done = {one.game for one in results}, {one.pairing for one in results}
    found, others = [], set[TablePairing]()
    for table in hall.tables.values():
        state = table.state
        if (
            state is None
            or state.result is None
            or state.game.id in known
            or under_way.get(table.id) != state.game.id
        ):
            continue
        here = [one for one in pairings if one not in done and sits_at(one, table)]
        fitting = next(((one, seats) for one in here if (seats := seated(one, state))), None)
        if fitting is not None:
            pairing, seats = fitting
            winners = tuple(seats[colour] for colour in state.result.winners if colour in seats)
            found.append(TableResult(pairing, state.game.id, winners))
        else:
            others |= set(here[:1])
    return tuple(found), frozenset(others)


def standings_of(pairings: Iterable[TablePairing], results: Iterable[TableResult]) -> list[TournamentStanding]:
    """Return every player, the best first; of equal ones, who played fewer games."""
    games, points = defaultdict[str, int](int), defaultdict[str, float](float)
    for result in results:
        for player, share in result.points.items():
            games[player] += 1
            points[player] += share
    everybody = {player for pairing in pairings for player in pairing.players}
    standings = [TournamentStanding(player, games[player], round(points[player], 6)) for player in everybody]
    return sorted(standings, key=lambda one: (-one.points, one.games, one.player.casefold()))


def sits_at(pairing: TablePairing, table: HeardTable) -> bool:
    """Return whether a pairing is played at a table."""
    return pairing.table in (table.id, " ".join(table.name.split()))


def seated(pairing: TablePairing, state: HallState) -> dict[str, str]:
    """Return who of a pairing plays each colour; nothing where that is not sure.

    Players whose names are at the table have the colours of these, and whoever is left the colours without a name, in
    order. Names of others, and a seat out of order with more than one player left, make it unsure.
    """
    by_name = {player.casefold(): player for player in pairing.players}
    names = {colour: " ".join(name.en.split()).casefold() for colour, name in state.players.items()}
    sure = {colour: by_name[name] for colour, name in names.items() if name in by_name}
    free = [colour for colour, name in names.items() if colour not in sure and name in ("", colour.casefold())]
    left = [player for player in pairing.players if player not in sure.values()]
    in_order = dict(zip(names, pairing.players, strict=False))
    if len(sure) + len(free) < len(names) or len(free) != len(left):
        return {}
    if len(left) > 1 and not sure.items() <= in_order.items():
        return {}
    return sure | dict(zip(free, left, strict=True))


def _rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a CSV file with their numbers. Raises HallError."""
    try:
        rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))
        return [(line, [_without_apostrophe(cell) for cell in row]) for line, row in enumerate(rows, start=1)]
    except csv.Error as error:
        raise HallError(f"{name} is no CSV file: {error}") from None


def _csv(rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _without_apostrophe(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
