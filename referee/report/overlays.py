"""The pictures behind a ruling with the grid and what was read drawn on them, as the journal has it.

The board's place is found in the pictures anew; heights, pieces and how sure they were are those of the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Self

import cv2

from calibration.errors import CalibrationError
from calibration.picturefile import PictureError, decode_picture
from referee.games.contract import Position
from referee.match.events import AnyGame, ReadingMade
from referee.report.kind import report_kind
from referee.session.readers import Reader, reader_of
from vision.explain import Picture
from vision.geometry.view import View

_QUALITY = 84
"""JPEG quality of the drawn pictures; the pictures themselves are shown as they are."""


class Overlays:
    """Draws on the pictures of one table's game."""

    def __init__(self, game: AnyGame, reader: Reader) -> None:
        self._game, self._reader, self._kind = game, reader, report_kind(game.kit)

    @classmethod
    def at(cls, game: AnyGame, table: Path | None) -> Self | None:
        """Return the overlays of a table's folder; ``None`` without a folder or without a calibrated camera."""
        try:
            reader = reader_of(game, table)
        except CalibrationError:
            return None
        return None if reader is None else cls(game, reader)

    def drawn(
        self, before: Position, reading: ReadingMade, pictures: Mapping[str, bytes]
    ) -> tuple[dict[str, bytes], str]:
        """Return camera to a JPEG, and why there is none where no camera has one.

        before: the position the turn began from. pictures: camera to content. A camera whose picture can't be used,
        or does not show the frame, is left out.
        """
        draw = self._kind.drawer(self._game, before, reading, self._reader.table) if reading.belief else None
        if draw is None:
            return {}, ""
        try:
            return self._all({name: decode_picture(content) for name, content in pictures.items()}, draw), ""
        except (CalibrationError, PictureError, ValueError) as error:
            return {}, str(error)

    def _all(self, pictures: Mapping[str, Picture], draw: Callable[[View], Picture]) -> dict[str, bytes]:
        found = {}
        for view in self._reader.views(pictures)[0]:
            drawn = draw(view)
            done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            if done:
                found[view.camera] = data.tobytes()
        return found
