"""Read and write acts in the game's notation: ``+b1b2.3`` lays a bar, ``-a1.1^`` takes one off."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.games.turris.bars import BarPlace, parse_place
from referee.values.declaring import Declared, Form, FormField
from referee.values.words import say

SIGNS = {True: "+", False: "-"}


class DeclaredAct(NamedTuple):
    """A bar laid, or taken off."""

    lay: bool
    place: BarPlace

    @property
    def text(self) -> str:
        """Return the act in the game's notation."""
        return SIGNS[self.lay] + self.place.name

    def to_json(self) -> dict[str, str]:
        """Return the act as formats write it."""
        return {"lay" if self.lay else "remove": self.place.name}


def parse_act(text: object) -> DeclaredAct:
    """Parse an act. Raises RequestError with code ``declared`` or ``bar``."""
    if not isinstance(text, str) or text[:1] not in SIGNS.values():
        raise RequestError("declared", complaints.declared_act(text))
    return DeclaredAct(text[0] == SIGNS[True], parse_place(text[1:]))


def parse_declared(data: Declared) -> tuple[DeclaredAct, ...] | None:
    """Read what was declared of a turn: nothing, or ``bars``, the whole turn, as a list or as one text.

    ``None``: nothing was declared. Raises RequestError with code ``declared`` or ``bar``.
    """
    if not data or data == {"bars": ""}:
        return None
    bars = data.get("bars")
    if set(data) != {"bars"} or not isinstance(bars, list | str):
        raise RequestError("declared", complaints.declared())
    return tuple(map(parse_act, bars.split() if isinstance(bars, str) else bars))


def form() -> Form:
    """Return what may be declared of a turn."""
    return Form(
        (FormField("bars", "text", say("Bars laid (+) and taken off (-), in order: +b1b2.3 -a1.1^"), most=200),)
    )
