"""The view for a screen that the whole room sees: it shows what the players have allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from referee.values.words import say
from referee.view.banner import Banner, ViewState


@dataclass(frozen=True, slots=True)
class Room:
    """The switches of what the room sees.

    shown: anything at all. names: what players are called, else their colours. pictures: of the cameras. breaches:
    which rule was broken and by whom, else only that something is being settled.
    """

    shown: bool = True
    names: bool = True
    pictures: bool = False
    breaches: bool = True

    def to_json(self) -> dict[str, object]:
        """Return every switch by its name."""
        return {"shown": self.shown, "names": self.names, "pictures": self.pictures, "breaches": self.breaches}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Read what ``to_json`` wrote; what is missing or no switch is as it usually is."""
        usual = cls().to_json()
        return cls(**{name: data[name] is True if name in data else bool(usual[name]) for name in usual})


_KEPT = (
    *("language", "game", "title", "recorded", "phase", "turn", "to_move", "banner", "board", "kit", "players"),
    *("palette", "acts", "legend", "acts_by", "seats", "winners", "finished", "result", "violation", "account"),
    *("cameras", "clock"),
)
"""Keys of the table's view that the room sees: nothing to act with, no record, no notices."""
_SETTLED = Banner("busy", say("Something is being settled at the table"))
_HIDDEN = Banner("paused", say("Nothing is shown here now"))
_ACCUSING = frozenset({"illegal", "unsure"})


def room_view(view: ViewState, room: Room, language: str = "en") -> ViewState:
    """Return the table's view as the room may see it, from one made with or without names."""
    told: ViewState = {"room": room.to_json(), "language": view.get("language", language)}
    if not room.shown:
        return told | {"title": view.get("title", ""), "banner": _HIDDEN.to_json(language)}
    told |= {key: view[key] for key in _KEPT if key in view}
    if not room.pictures:
        told["cameras"] = []
    broken = told.get("violation")
    banner = told.get("banner")
    if not room.breaches:
        told["violation"] = None
        if isinstance(banner, Mapping) and banner.get("tone") in _ACCUSING:
            told |= {"banner": _SETTLED.to_json(language), "acts": [], "acts_by": None}
    elif isinstance(broken, Mapping):
        kept = {key: broken[key] for key in ("entry", "player", "rules", "before", "after", "acts")}
        told["violation"] = kept | {"pictures": broken["pictures"] if room.pictures else {}}
    return told
