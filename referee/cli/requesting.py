"""What ``referee read`` and ``referee audit`` ask of a kind: the keys of its requests, and how a look is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds import has_platform, platform
from referee.session.capture import Pictures

Explain = Callable[[NDArray[np.uint8]], None]
"""A function that gets the picture that explains a reading."""


class Requests(Protocol):
    """Requests of one kind. All raise RequestError for what can't be answered, saying what to do."""

    READ_KEYS: tuple[str, ...]
    PICTURES: str
    """The key of a request that holds its pictures."""

    def read(
        self, game: AnyGame, reader: Any, request: Mapping[str, object], base: Path, explain: Explain | None
    ) -> dict[str, object]:
        """Read what one request shows; return the answer without its id.

        explain: gets the picture that shows what was read.
        """

    def views(self, reader: Any, pictures: object, base: Path) -> tuple[Pictures, ...]:
        """Return the views of one look, from the value under ``PICTURES``; it and the reader may be ``None``."""

    def more(self, reader: Any, views: tuple[Pictures, ...], pictures: object, base: Path) -> tuple[Pictures, ...]:
        """Return the views of a look to which further pictures of the same table are added."""

    def known(self, game: AnyGame, reader: Any, said: object) -> dict[str, str]:
        """Return what somebody says stands in some places, checked."""

    def fitting(self, reader: Any, position: Position) -> None:
        """Check that a position can stand on the reader's table."""


def requests_of(game: AnyGame) -> Requests:
    """Return the requests of a game's kind. Raises RequestError for a kind that can't be read by request."""
    if not has_platform(game.kit.kind, "requests"):
        raise RequestError("kind", f"{game.title}: pictures of its kind are read at the table only (referee run)")
    found: Any = platform(game.kit.kind, "requests")
    made: Requests = found
    return made
