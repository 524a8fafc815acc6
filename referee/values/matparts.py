"""Parts of a mat that players show the cameras once: which places mean what, and how things look (places.json)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from referee.values.words import Words

MatPartKind = Literal["area", "places", "colour", "face"]


@dataclass(frozen=True, slots=True)
class MatPart:
    """One thing to show.

    id: its key in ``places.json``, with a dot before a colour or a player: ``track``, ``cards.red``. kind: an area
    (two opposite corners), places (their middles, in order), a colour (a thing that has it is tapped), or a die's
    face (a die that has it on top is tapped). words: what it is; how: what to do.
    """

    id: str
    kind: MatPartKind
    words: Words
    how: Words
