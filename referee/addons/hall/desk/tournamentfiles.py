"""The files of a tournament: pairings are read, results and standings written beside them."""

from __future__ import annotations

import logging
from pathlib import Path

from calibration.files import write_atomic
from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.tournament import (
    TablePairing,
    TableResult,
    new_results,
    read_pairings,
    read_results,
    standings_of,
    written_results,
    written_standings,
)
from referee.addons.hall.messages import HallError

_LOG = logging.getLogger(__name__)


class TournamentFiles:
    """A tournament that follows the hall. file: of the pairings. Raises HallError."""

    def __init__(self, file: Path) -> None:
        self._results_file = file.with_name(f"{file.stem}-results.csv")
        self._standings_file = file.with_name(f"{file.stem}-standings.csv")
        self._pairings = read_pairings(_text(file), str(file))
        self._results: tuple[TableResult, ...] = ()
        self._read_at, self._refused_at = self._written_at, 0
        if self._read_at:
            self._results = self._read_results()
        self._under_way: dict[str, str] = {}
        self._others = frozenset[TablePairing]()
        """Pairings at whose table a game was over that had other names: somebody must look."""

    def follow(self, hall: HeardHall) -> None:
        """Take in what is over meanwhile, and write it down.

        What somebody wrote into the file of results counts; while that can't be read, nothing is written there.
        """
        written_at = self._written_at
        put_right = written_at not in (0, self._read_at)
        if put_right:
            try:
                self._results, self._read_at = self._read_results(), written_at
            except HallError as error:
                if written_at != self._refused_at:
                    _LOG.error("results wait until their file is put right: %s", error)
                self._refused_at = written_at
                return
        found, others = new_results(self._pairings, self._results, hall, self._under_way)
        self._others |= others
        for table in hall.tables.values():
            if table.state is not None and table.state.result is None:
                self._under_way[table.id] = table.state.game.id
        if not found and not put_right:
            return
        self._results += found
        standings = standings_of(self._pairings, self._results)
        try:
            write_atomic(self._results_file, written_results(self._results).encode())
            write_atomic(self._standings_file, written_standings(standings).encode())
        except OSError as error:
            _LOG.error("results can't be written: %s", error)
        self._read_at = self._written_at

    def view(self) -> dict[str, object]:
        """Return the tournament as the desk's page shows it."""
        done = {result.pairing: result for result in self._results}
        return {
            "games": [
                {
                    "round": one.round,
                    "table": one.table,
                    "players": list(one.players),
                    "over": one in done,
                    "others": one in self._others,
                    "winners": list(done[one].winners) if one in done else [],
                }
                for one in self._pairings
            ],
            "standings": [
                {"player": one.player, "games": one.games, "points": f"{one.points:g}"}
                for one in standings_of(self._pairings, self._results)
            ],
        }

    def _read_results(self) -> tuple[TableResult, ...]:
        return read_results(_text(self._results_file), str(self._results_file), self._pairings)

    @property
    def _written_at(self) -> int:
        """Return when the file of results was written last, ns; 0 where there is none."""
        try:
            return self._results_file.stat().st_mtime_ns
        except OSError:
            return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise HallError(f"{path} can't be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise HallError(f"{path} is not UTF-8: save it as CSV in UTF-8") from None
