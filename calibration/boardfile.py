"""Reads ``calibration/board.json``: where a finger touched the corners of a board without a printed frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from calibration.errors import CalibrationError
from calibration.table import first_trouble

Corner = Literal["nw", "ne", "se", "sw"]
LEAST_CORNERS = 3
_Pixel = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]
_AGAIN = "touch the outer corners of the board's upper side in one picture"


class _TouchFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    picture: Annotated[str, Field(min_length=1, max_length=400, pattern=r"^[^\x00]*$")]
    corners: dict[Corner, tuple[_Pixel, _Pixel]]

    @field_validator("corners")
    @classmethod
    def _enough(cls, corners: dict[Corner, tuple[float, float]]) -> dict[Corner, tuple[float, float]]:
        if len(corners) < LEAST_CORNERS:
            raise ValueError(f"{LEAST_CORNERS} corners are needed, not {len(corners)}: {_AGAIN}")
        return corners


class _BoardFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    touches: Annotated[list[_TouchFile], Field(min_length=1, max_length=20)]


@dataclass(frozen=True, slots=True)
class CornerTouch:
    """A picture, and pixels of the board's corners in it as it is shown. content: of a file that is not there yet."""

    picture: Path
    corners_px: Mapping[Corner, tuple[float, float]]
    content: bytes | None = None


def touches_path(folder: Path) -> Path:
    """Return the path of the touches in a table folder."""
    return folder / "calibration" / "board.json"


def load_touches(folder: Path) -> tuple[CornerTouch, ...]:
    """Load a table folder's touches. Raises CalibrationError naming file, line and key, and what to do."""
    path = touches_path(folder)
    try:
        text = path.read_text(encoding="utf-8")
        file = _BoardFile.model_validate_json(text)
    except FileNotFoundError:
        raise CalibrationError(f"{path}: missing; it says where the board lies: {_AGAIN}") from None
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise CalibrationError(first_trouble(error, text, str(path))) from None
    except UnicodeDecodeError:
        raise CalibrationError(f"{path}: cannot be read: it is not UTF-8 text") from None
    for number, touch in enumerate(file.touches):
        if not (folder / touch.picture).is_file():
            where = f"{path}: touches.{number}.picture"
            raise CalibrationError(f"{where}: there is no picture {touch.picture!r} in the table folder: {_AGAIN}")
    return tuple(CornerTouch(folder / touch.picture, touch.corners) for touch in file.touches)
