"""Who may come in at a front, and who goes where too many are there. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

EACH_MOST = 40
"""Connections of one address: some tabs, their streams, and two cameras."""
ALL_MOST = 200
"""Each takes a third of a megabyte for its encryption."""


class Doors:
    """Who holds a connection, and who of them has asked nothing yet. each, most: of one address, and of all."""

    def __init__(self, each: int = EACH_MOST, most: int = ALL_MOST) -> None:
        self._each, self._most = each, most
        self._open: dict[Hashable, str] = {}
        self._silent: dict[Hashable, str] = {}

    def come(self, who: Hashable, address: str) -> tuple[bool, Hashable | None]:
        """Whether somebody may come in, and who is to go for it."""
        held, goes = Counter(self._open.values()), None
        if held[address] >= self._each or len(self._open) >= self._most:
            goes = self._least(held, address)
            if goes is None:
                return False, None
            self.go(goes)
        self._open[who] = self._silent[who] = address
        return True, goes

    def ask(self, who: Hashable) -> None:
        """Somebody has asked for something."""
        self._silent.pop(who, None)

    def go(self, who: Hashable) -> None:
        """Somebody has gone; saying so twice does nothing."""
        self._open.pop(who, None)
        self._silent.pop(who, None)

    def _least(self, held: Counter[str], address: str) -> Hashable | None:
        """Who has waited longest without a word, of the newcomer's address or of the one that holds more."""
        greedy = max(self._silent.values(), key=lambda one: held[one], default=address)
        if held[address] >= self._each or held[greedy] <= held[address]:
            greedy = address
        return next((who for who, one in self._silent.items() if one == greedy), None)
