"""What a turn is taken away as."""

from __future__ import annotations

from enum import StrEnum


class TurnForm(StrEnum):
    """The report as a page or on paper; a page and a moving picture fit to be shown to others."""

    PAGE = "html"
    PAPER = "pdf"
    SHARED = "share"
    FILM = "gif"
