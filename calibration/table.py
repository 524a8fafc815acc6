"""The values in ``table.json`` on one table: sizes, printed frame, calibration target, margin tracks, cameras.

Axes: origin at the board's centre on its surface, x right (column A to the last), y away (row 1 to the last), z up;
millimetres. Everything is validated on loading; an error names the file, the line and the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from calibration.errors import CalibrationError
from calibration.lines import line_of
from calibration.tablefile import FlagStyle, MisfitError, TableFile, TwiceError

UNKNOWN_KEY = "unknown key; remove it or correct its spelling"


@dataclass(frozen=True, slots=True)
class Charuco:
    """The calibration target: squares (across, down), sides of square and marker in mm, ArUco dictionary name."""

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str


PLAIN_TARGET = Charuco((10, 7), 25.0, 18.0, "DICT_5X5_100")
"""A calibration target that A4 and Letter hold with room for a ruler."""


@dataclass(frozen=True, slots=True)
class FlagShape:
    """A piece's outline: style is a hint only; height above the stack and radius in mm.

    tallest_mm: height of the highest piece that may stand on a stack, where one is higher than the others.
    """

    style: FlagStyle
    height_mm: float
    radius_mm: float
    tallest_mm: float


@dataclass(frozen=True, slots=True)
class TowerPlace:
    """The place of a tower of bars: a base of this height, on a board of this extent along x and y, mm."""

    base_mm: float
    board_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BareBoard:
    """A board without a printed frame: width and depth of its upper side, and its thickness, mm, as far as told."""

    size_mm: tuple[float, float] | None
    thickness_mm: float | None


@dataclass(frozen=True, eq=False)
class TableSetup:
    """One table, validated. Build it with ``load_table`` or ``parse_table``.

    pitch_mm: distance of neighbouring fields' centres along x and y. cube_mm: width, depth, height of one stone.
    markers: id to (4, 3) corners in mm, in the order ArUco reports them. margin_fields: track name to (n, 2) centres
    in mm on the board's surface (z = 0), place 1 first. Arrays are locked. colours: of the pieces in this box, as
    far as the file says. start_fields: names of marked fields. score_track: (n, 2) centres of a track's fields, mm.
    tower: where a tower of bars is built; cube_mm is then half a bar, and there is no flag (its sizes are 0).
    held: those of the cameras that are phones in a hand. die_mm: a die's side, where dice are rolled on a mat; the
    mat is then one field, and there is no flag either. board: where it is its own frame; there are no markers then.
    """

    game: str
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    cube_mm: tuple[float, float, float]
    flag: FlagShape
    marker_dictionary: str
    marker_size_mm: float
    markers: Mapping[int, NDArray[np.float64]]
    charuco: Charuco
    margin_fields: Mapping[str, NDArray[np.float64]]
    cameras: tuple[str, ...]
    held: tuple[str, ...] = ()
    tower: TowerPlace | None = None
    die_mm: float | None = None
    colours: tuple[str, ...] = ()
    start_fields: tuple[str, ...] = ()
    score_track: tuple[tuple[float, float], ...] = ()
    board: BareBoard | None = None

    @property
    def beside(self) -> tuple[str, ...]:
        """Return the phones in a hand where there are fixed cameras, too: they only photograph."""
        return self.held if len(self.held) < len(self.cameras) else ()

    @property
    def prepared(self) -> tuple[str, ...]:
        """Return the cameras that are set up before play."""
        return tuple(name for name in self.cameras if name not in self.beside)

    @property
    def around_mm(self) -> NDArray[np.float64]:
        """Return places (n, 3), mm, around all that is looked at: the markers' corners, or those of a bare board."""
        if self.board is None:
            return np.concatenate(list(self.markers.values()))
        half = np.array(self.half_size_mm) if self.board.size_mm is None else np.array(self.board.size_mm) / 2
        x, y = half
        return np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])

    @property
    def half_size_mm(self) -> tuple[float, float]:
        """Return half the extent of the playing fields along x and y, mm."""
        return self.columns * self.pitch_mm[0] / 2, self.rows * self.pitch_mm[1] / 2

    @property
    def base_mm(self) -> float:
        """Return how high what is built stands above the markers' plane, mm: on a tower's base."""
        return self.tower.base_mm if self.tower is not None else 0.0

    def centre_mm(self, row: int, col: int) -> tuple[float, float]:
        """Return the centre of field (row, col) on the board's surface, mm; row 0 is row "1", at -y, col 0 at -x."""
        return (col - (self.columns - 1) / 2) * self.pitch_mm[0], (row - (self.rows - 1) / 2) * self.pitch_mm[1]

    def centres_mm(self) -> NDArray[np.float64]:
        """Return the centres of all fields, (rows, columns, 2) mm."""
        return np.array([[self.centre_mm(row, col) for col in range(self.columns)] for row in range(self.rows)])


def load_table(folder: Path) -> TableSetup:
    """Load ``table.json`` from a table folder. Raises CalibrationError naming file, line and key."""
    return parse_table(read_table(folder), str(folder / "table.json"))


def load_framed(folder: Path) -> TableSetup:
    """Load the table of a printed frame. Raises CalibrationError, saying what else there is, for one without."""
    table = load_table(folder)
    if table.board is not None:
        raise CalibrationError(
            f"{place_in_table(folder, 'board')}: this needs a printed frame around the board; without one, referee "
            "read and referee audit read pictures in files: make another table with a frame by referee new"
        )
    return table


def load_playable(folder: Path) -> TableSetup:
    """Load the table of a live game. Raises CalibrationError for a bare board that fixed cameras would look at."""
    table = load_table(folder)
    if table.board is not None and set(table.cameras) != set(table.held):
        raise CalibrationError(
            f"{place_in_table(folder, 'cameras')}: without a printed frame a game is refereed by a phone's "
            'photographs: name every camera under "held" as well, or make a table with a frame by referee new'
        )
    return table


def game_without_cameras(folder: Path) -> str:
    """Return the game of a table that says it has no cameras (``"cameras": []``); empty for every other table."""
    try:
        data = json.loads(read_table(folder))
    except (ValueError, RecursionError):
        return ""  # reported when the table is loaded
    return str(data.get("game", "")) if isinstance(data, dict) and data.get("cameras") == [] else ""


def check_without_cameras(folder: Path) -> None:
    """Raise CalibrationError, naming file and line, for a key that no table has in that of one without cameras."""
    text = read_table(folder)
    for key in json.loads(text):
        if key not in TableFile.model_fields:
            raise CalibrationError(f"{place_in_table(folder, key)}: {UNKNOWN_KEY}")


def place_in_table(folder: Path, key: str) -> str:
    """Return where a key stands in a folder's ``table.json``, for messages. Raises CalibrationError."""
    return f"{folder / 'table.json'}, line {line_of(read_table(folder), [key])}: {key}"


def read_table(folder: Path) -> str:
    """Read a folder's ``table.json``. Raises CalibrationError when there is none that can be read."""
    path = folder / "table.json"
    if not folder.is_dir():
        raise CalibrationError(f"{folder}: there is no such table folder; referee new {folder} makes one")
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CalibrationError(
            f"{path}: missing; a table folder holds a table.json that gives the sizes: referee new {folder} makes one"
        ) from None
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CalibrationError(f"{path}: cannot be read: it is not UTF-8 text") from None


def parse_table(text: str, name: str = "table.json") -> TableSetup:
    """Validate the text of a ``table.json``; ``name`` stands in messages. Raises CalibrationError."""
    try:
        data = json.loads(text, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise CalibrationError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from None
    except TwiceError as error:
        lines = [text.count("\n", 0, hit.start()) + 1 for hit in re.finditer(rf"{re.escape(error.key)}\s*:", text)]
        told = " and ".join(map(str, dict.fromkeys(lines)))
        raise CalibrationError(f"{name}, lines {told}: the key {error.key} stands twice in one object") from None
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{name}: {error}") from None
    if not isinstance(data, dict):
        raise CalibrationError(f"{name}: must be a JSON object")
    if data.get("cameras") == []:
        raise CalibrationError(
            f"{name}: this table has no cameras, so there is nothing to look at: name cameras and give the sizes "
            "(referee new --replace asks for them), or play by what is declared"
        )
    try:
        return _setup(TableFile.model_validate_json(_of_one_size(text, data)))
    except ValidationError as error:
        raise CalibrationError(first_trouble(error, text, name)) from None


def _of_one_size(text: str, data: dict[str, object]) -> str:
    """Complete a table of bars or dice, which gives the bar or the die and the mat alone.

    A stone is half a bar, and without a pitch bars stand close. A mat is one field.
    """
    bar, die, mat = (data.get(key) for key in ("bar", "die", "mat"))
    if isinstance(mat, list) and isinstance(die, float | int) and "columns" not in data:
        pitch = mat if len(mat) == 2 else [1.0, 1.0]
        return json.dumps({"columns": 1, "rows": 1, "pitch": pitch, "cube": [die] * 3} | data)
    if not isinstance(bar, list) or not bar:
        return text
    return json.dumps({"pitch": [bar[0], bar[0]], "cube": [bar[0], bar[0], bar[0]]} | data)


def _setup(file: TableFile) -> TableSetup:
    corners = {} if file.markers is None else file.markers.corners
    target = file.charuco
    return TableSetup(
        game=file.game,
        columns=file.columns,
        rows=file.rows,
        pitch_mm=file.pitch,
        cube_mm=file.cube,
        flag=_shape(file),
        marker_dictionary=file.markers.dictionary if file.markers else "",
        marker_size_mm=file.markers.size if file.markers else 0.0,
        markers={number: _locked(corners) for number, corners in sorted(corners.items())},
        charuco=Charuco(target.squares, target.square, target.marker, target.dictionary) if target else PLAIN_TARGET,
        margin_fields={track: _locked(places) for track, places in file.margin_fields.items()},
        cameras=tuple(file.cameras),
        held=tuple(file.held),
        colours=tuple(file.colours) if isinstance(file.colours, list) else (),
        start_fields=tuple(file.start_fields),
        score_track=tuple(file.score_track),
        tower=_tower(file),
        die_mm=file.die,
        board=BareBoard(file.frameless.size, file.frameless.thickness) if file.frameless else None,
    )


def _shape(file: TableFile) -> FlagShape:
    """Return the outline of the pieces that stand on stacks; knights are told like pawns."""
    piece = file.flag or file.knight
    if piece is None:  # a tower of bars, dice, or nothing that stands on stones
        return FlagShape("rod", 0.0, 0.0, 0.0)
    style: FlagStyle = file.flag.style if file.flag else "pawn"
    tallest = max(piece.height, file.king.height if file.king else 0.0)
    return FlagShape(style, piece.height, piece.radius, tallest)


def _tower(file: TableFile) -> TowerPlace | None:
    """Return where a tower of bars stands; a board whose extent is not given reaches as far as its markers."""
    if file.bar is None or file.markers is None:
        return None
    places = np.array(list(file.markers.corners.values()), np.float64)
    across, deep = (float(2 * np.abs(places[..., axis]).max()) for axis in (0, 1))
    return TowerPlace(
        file.base[2] if file.base else 0.0, file.board if isinstance(file.board, tuple) else (across, deep)
    )


def _locked(points: object) -> NDArray[np.float64]:
    array = np.array(points, dtype=np.float64)
    array.setflags(write=False)
    return array


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise TwiceError(json.dumps(twice, ensure_ascii=False))
    return data


def first_trouble(error: ValidationError, text: str, name: str) -> str:
    """Return one line for the first trouble with a file's text, with the line where its value stands."""
    first = min(error.errors(include_url=False), key=lambda trouble: trouble["type"] != "extra_forbidden")
    cause = first.get("ctx", {}).get("error")
    place = [part for part in first["loc"] if not str(part).startswith("[")]
    place += cause.place if isinstance(cause, MisfitError) else []
    line = line_of(text, place)
    key = ".".join(str(part) for part in place)
    say = {"extra_forbidden": UNKNOWN_KEY, "missing": "this key is missing"}
    message = say.get(first["type"], first["msg"].removeprefix("Value error, "))
    value = first.get("input")
    told = f" (it is {value!r})" if isinstance(value, (str, int, float)) and first["type"] not in say else ""
    more = f"; {error.error_count() - 1} more after it" if error.error_count() > 1 else ""
    where = f"{name}, line {line}" if line else name
    return f"{where}: {key}: {message}{told}{more}" if key else f"{where}: {message}{told}{more}"
