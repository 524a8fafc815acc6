"""Judge one export again, into rows of a table: the same wherever it is done, on this machine or on a cluster.

What comes out depends on the export and on this version alone: no clock, no path, no order of work.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

import calibration
import referee
import vision
from calibration.errors import CalibrationError
from referee.again.audit import AgainAudit
from referee.again.comparison import JudgedAgain, places_between, rules_of
from referee.archive.export import game_of
from referee.match.events import AnyGame
from referee.report.gamefile import opened_game
from referee.session.readers import reader_of
from referee.storage.chain import JournalError

ERROR = "error"
"""The cause of the one row of an export that can't be audited; ``problem`` says why."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One ruling of one export, then and today.

    export: the file's name below the archive's folder. event: the ruling's number in the journal. then, now: legal,
    illegal or unsure, ``now`` empty where nothing was read. then_rules, now_rules: broken rules, with a space
    between. cause: same, reading, rule, both, unread, or error. places: places read otherwise, as ``G7 2r 1r``, with
    a comma between. problem: why nothing was read. build: which version judged.
    """

    export: str
    game: str = ""
    event: int = 0
    at: str = ""
    turn: int = 0
    player: str = ""
    then: str = ""
    then_rules: str = ""
    now: str = ""
    now_rules: str = ""
    cause: str = ERROR
    places: str = ""
    problem: str = ""
    build: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the row by column."""
        return asdict(self)


COLUMNS = tuple(field.name for field in fields(AuditRow))


def audit_export(path: str, name: str) -> list[AuditRow]:
    """Judge an export again. name: as rows call it. Whatever is wrong with it is told in a row, never raised."""
    try:
        return list(_rows(Path(path), name))
    except (JournalError, CalibrationError, OSError) as error:
        return [AuditRow(name, problem=_plain(error).replace(path, name), build=build())]
    except Exception as error:  # one strange export among thousands must not end the work on the others
        return [AuditRow(name, problem=f"{type(error).__name__}: {_plain(error)}", build=build())]


def _rows(path: Path, name: str) -> Iterator[AuditRow]:
    with opened_game(path) as file:
        try:
            game = game_of(file.entries)
        except (ValueError, LookupError) as error:
            raise JournalError(f"the game can't be replayed: {error}") from error
        for one in AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries):
            yield _row(name, game, one)


def _row(name: str, game: AnyGame, one: JudgedAgain) -> AuditRow:
    now = one.now
    return AuditRow(
        name,
        game.name,
        one.past.number,
        one.past.at,
        one.past.turn,
        one.past.entry.player.word,
        one.past.then.verdict.value,
        " ".join(rules_of(one.past.then)),
        now.verdict.value if now is not None else "",
        " ".join(rules_of(now)) if now is not None else "",
        one.cause.value,
        ", ".join(" ".join(place) for place in places_between(one, game.kit)),
        " ".join(one.problem.split()),
        build(),
    )


def _plain(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(said.split())[:300]


@cache
def build() -> str:
    """Return which code and networks judge: the beginning of a hash over all of reader, rules and judge."""
    found = hashlib.sha256()
    for package in (calibration, vision, referee):
        root = Path(next(iter(package.__path__)))
        for path in sorted(root.rglob("*")):
            if path.suffix in (".py", ".onnx", ".json") and "__pycache__" not in path.parts:
                found.update(path.relative_to(root).as_posix().encode())
                found.update(path.read_bytes())
    return found.hexdigest()[:16]
