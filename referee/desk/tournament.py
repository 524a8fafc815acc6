"""A tournament, as small as possible: pairings come from another program, results from the tables. Pure.

A file of pairings is CSV: ``round,table`` and a column for each player, in playing order; ``table`` is a table's name
or id. Whom a result belongs to is told by the names at the table, or, where players are only colours there, by their
order.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.desk.hall import HeardHall
from referee.desk.seen import HeardTable
from referee.hall.messages import HallError, HallState

MOST_ROWS, MOST_PLAYERS, LONGEST = 5000, 20, 80
_BETWEEN = " / "
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
        if not 2 <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
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
) -> tuple[TableResult, ...]:
    """Return the results of games that are over now and were not counted yet.

    under_way: by table, the game that was seen while it was played; a game that was over before is not counted.
    """
    known, done = {one.game for one in results}, {one.pairing for one in results}
    found = []
    for table in hall.tables.values():
        state = table.state
        if (
            state is None
            or state.result is None
            or state.game.id in known
            or under_way.get(table.id) != state.game.id
        ):
            continue
        pairing = next((one for one in pairings if one not in done and sits_at(one, table)), None)
        if pairing is not None:
            found.append(TableResult(pairing, state.game.id, _winners(pairing, state)))
    return tuple(found)


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


def _winners(pairing: TablePairing, state: HallState) -> tuple[str, ...]:
    assert state.result is not None
    by_name = {" ".join(name.en.split()): colour for colour, name in state.players.items()}
    if set(pairing.players) <= by_name.keys():
        colours = {by_name[player]: player for player in pairing.players}
    else:
        colours = dict(zip(state.players, pairing.players, strict=False))
    return tuple(colours[colour] for colour in state.result.winners if colour in colours)


def _rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a CSV file with their numbers. Raises HallError."""
    try:
        return list(enumerate(csv.reader(io.StringIO(text.lstrip("\ufeff"))), start=1))
    except csv.Error as error:
        raise HallError(f"{name} is no CSV file: {error}") from None


def _csv(rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
