"""Towers of bars on a board that is turned: what ``referee read`` and ``referee audit`` do where a table has one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from referee.cli.jsonlines import check_keys
from referee.cli.pictures import load_pictures
from referee.cli.unsure import unsure
from referee.games.contract import Game, Position, RequestError
from referee.judging.towers import rule_on
from referee.values.tower import TowerTold
from referee.values.words import say
from vision.tower.grid import cell_number
from vision.tower.reader import Pictures, TowerLook, TowerReader
from vision.tower.text import told_of

READ_KEYS = ("id", "views", "seats", "players", "edition", "previous")
Explain = Callable[[NDArray[np.uint8]], None]
"""What is done with the picture that explains a reading."""
AUDIT_KEYS = ("id", "views", "position", "declared", "known")
MOST_VIEWS = 24
"""Pictures of one tower that are worth reading; more only take time."""


def read_tower(
    reader: TowerReader, request: Mapping[str, object], base: Path, explain: Explain | None = None
) -> dict[str, object]:
    """Read the tower of one request and return the answer without its id; ``explain`` gets the picture that shows it.

    Picture paths are relative to ``base``. Raises RequestError for what cannot be read, saying what to do.
    """
    check_keys(request, READ_KEYS)
    previous = request.get("previous")
    if previous is not None and not isinstance(previous, str):
        raise RequestError("tower", "previous must be a tower text")
    views = _views(request.get("views"), base, reader)
    look = _look(reader, views, previous)
    if explain is not None and look.reading is not None:
        explain(reader.explain(views, look.reading))
    return to_json(look)


def to_json(look: TowerLook) -> dict[str, object]:
    """A tower's reading as formats write it, without its id."""
    assert look.reading is not None, "a look without a reading is refused"
    answer: dict[str, object] = {"tower": look.reading.tower, "confidence": dict(look.reading.confidence)}
    if look.reading.show is not None:
        answer["show"] = look.reading.show
    cameras = [
        {name: {"markers": seen.markers, "reprojection_px": seen.reprojection_px} for name, seen in view.items()}
        for view in look.cameras
    ]
    return answer | {"views": cameras, "spoilt": list(look.reading.spoilt), "ms": round(look.duration_ms, 1)}


class TowerAuditor:
    """Audits one table's games one after the other, carrying on from its own last ruling."""

    def __init__(self, game: Game[Any], reader: TowerReader, language: str = "en") -> None:
        self._game = game
        self._language = language
        self._reader = reader
        self._position: Position | None = None
        self._last: tuple[Position, TowerLook, dict[int, str]] | None = None

    def answer(self, request: Mapping[str, object], base: Path) -> dict[str, object]:
        """Rule on one request and return the answer without its id.

        Raises RequestError for what cannot be audited, saying what to do; the chain then stays where it was.
        """
        check_keys(request, AUDIT_KEYS)
        if request.get("known") is not None and request.get("views") is None:
            return self._again(request)
        position = self._from(request.get("position"))
        views = _views(request.get("views"), base, self._reader)
        look = _look(self._reader, views, position.observed.text)
        return self._rule(position, look, _known(request.get("known")), request.get("declared"))

    def _from(self, data: object) -> Position:
        if data is not None:
            position: Position = self._game.position(data)
        elif self._position is not None:
            position = self._position
        else:
            raise RequestError("position", "the first request must have a position: the one before the first turn")
        if position.finished:
            raise RequestError("finished", "the game is over: give the position of a game under way")
        return position

    def _again(self, request: Mapping[str, object]) -> dict[str, object]:
        if self._last is None:
            raise RequestError("known", "there are no last pictures to which this could be added")
        position, look, known = self._last
        return self._rule(position, look, known | _known(request["known"]), request.get("declared"))

    def _rule(
        self, position: Position, look: TowerLook, known: dict[int, str], declared: object
    ) -> dict[str, object]:
        """Rule on what was read: illegal only where what is surest of it is illegal too."""
        said = declared if isinstance(declared, Mapping) else {}
        told = _told(look, known)
        word = rule_on(self._game, position, told, said)
        self._last, self._position = (position, look, known), position
        if word.ruling is None:
            reason = word.words or say("the pictures leave too much open")
            return unsure(position, told.plain, word.doubts, reason, self._language)
        self._position = word.ruling.next if word.kind == "legal" and word.ruling.next is not None else position
        return word.ruling.to_json(self._language) | {"observed": told.plain, "ruling": word.kind}


def _told(look: TowerLook, known: Mapping[int, str]) -> TowerTold:
    assert look.reading is not None, "a look without a reading is refused"
    return told_of(look.reading.belief, look.reading.sides, known)


def _known(value: object) -> dict[int, str]:
    """What somebody says stands in some cells: cell to sign. Raises RequestError naming the cell."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RequestError("known", 'known must give cells: {"b2.4": "X"}')
    found = {}
    for name, sign in value.items():
        try:
            cell = cell_number(str(name))
        except (ValueError, IndexError):
            raise RequestError("known", f"known: {str(name)[:20]!r} is no cell: b2.4 is one") from None
        if not isinstance(sign, str) or len(sign) != 1 or sign not in ".xXeEnNsSwWuUdD":
            raise RequestError("known", f"known: {name} must be . x X or one of the letters n e s w u d")
        found[cell] = sign
    return found


def _views(value: object, base: Path, reader: TowerReader) -> list[Pictures]:
    if not isinstance(value, list) or not value:
        raise RequestError("views", 'views must hold at least one view: [{"cam0": "path"}, ...]')
    if len(value) > MOST_VIEWS:
        raise RequestError("views", f"views: at most {MOST_VIEWS} views are read, not {len(value)}")
    return [load_pictures(view, base, reader.table) for view in value]


def _look(reader: TowerReader, views: Sequence[Pictures], previous: str | None) -> TowerLook:
    try:
        look = reader.read(views, previous)
    except CalibrationError as error:
        raise RequestError("calibration", str(error)) from error
    except ValueError as error:
        raise RequestError("tower", f"previous: {error}") from error
    if look.reading is None:
        problems = [seen.problem for view in look.cameras for seen in view.values() if seen.problem]
        raise RequestError(
            "frame-not-seen", "; ".join(dict.fromkeys(problems)) or "no picture shows the tower's place"
        )
    return look
