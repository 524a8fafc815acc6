"""Define tables to start from: sizes of pieces as they are often found, to be replaced by measured ones."""

from __future__ import annotations

from typing import Protocol

from referee.values.words import Words


class Preset(Protocol):
    """A table to start measuring from; its sizes are those that the game's kind of observation has."""

    @property
    def name(self) -> str:
        """Return a word for it."""

    @property
    def about(self) -> str | Words:
        """Return what it is in a few words."""
