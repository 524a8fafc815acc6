"""A recorded tower judged again: the pictures of a turn's looks are put to today's eyes one after the other."""

from __future__ import annotations

from collections.abc import Callable

from referee.again.past import PastRuling
from referee.daemon.framesource import Pictures
from referee.daemon.towers import TowerEyes, TowerOnlooker
from referee.match.events import AnyGame, ReadingMade, TurnRuled


class TowersAgain:
    """Reads one game's towers again. eyes: today's; pictures: of a reading of then, those that are kept.

    A tower is known from all looks since its turn ended, so rulings must be put to it in their order. A look that
    added nothing then was not kept: where its pictures would tell more today, they are missed.
    """

    def __init__(self, game: AnyGame, eyes: TowerEyes, pictures: Callable[[ReadingMade], Pictures]) -> None:
        self._game, self._eyes, self._pictures = game, eyes, pictures
        self._onlooker: TowerOnlooker | None = None

    def judged(self, past: PastRuling, reading: ReadingMade) -> tuple[ReadingMade, TurnRuled | None]:
        """Today's reading, and today's word on it; no word where it can't be ruled on.

        reading: of then. Raises CalibrationError, PictureError, RequestError where no turn leads to what is read.
        """
        if self._onlooker is None or not past.untouched:
            self._onlooker = TowerOnlooker(self._game, self._eyes, past.state)
        seen = self._onlooker.read(past.state, self._pictures(reading))
        made = self._onlooker.reading(seen, dict(reading.pictures))
        return made, self._onlooker.ruled(past.state, made) if made.belief else None
