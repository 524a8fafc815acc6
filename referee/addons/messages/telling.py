"""Say what happened between two views of a table, as messages. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.values.words import say


@dataclass(frozen=True, slots=True)
class TableMessage:
    """One message. about: a word of KINDS. title, text: in the table's language. picture: a JPEG, or empty."""

    about: str
    title: str
    text: str
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class TableMoment:
    """What messages are told of.

    turn: its number and the word of its player, None while nobody is to play. breach: number of the entry that is to
    be settled. disputes: numbers of all there were. lost: fixed cameras whose pictures are not used.
    """

    turn: tuple[int, str] | None
    breach: int | None
    disputes: frozenset[int]
    over: bool
    lost: frozenset[str]

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> TableMoment:
        """Return what a view (docs/reference/state.md) has of it."""
        violation = view["violation"]
        # While something is asked before a turn is called illegal, nobody is accused of anything.
        asks = view["asked"] is not None or view["doubt"] is not None
        return cls(
            (view["turn"], view["to_move"]) if view["phase"]["id"] == "playing" else None,
            None if violation is None or asks else violation["entry"],
            frozenset(dispute["dispute"] for dispute in view["disputes"]),
            view["result"] is not None,
            frozenset(camera["name"] for camera in view["cameras"] if not camera["ok"] and not camera["held"]),
        )


def told(
    before: TableMoment, turn: tuple[int, str] | None, view: Mapping[str, Any], language: str
) -> Iterator[TableMessage]:
    """Yield what happened since a moment. turn: the last that was told of; a turn that goes on is no new one."""
    now, title = TableMoment.of(view), str(view["title"])

    def message(about: str, text: str) -> TableMessage:
        return TableMessage(about, title, text)

    for camera in view["cameras"]:
        if camera["name"] in now.lost - before.lost:
            yield message("camera", camera["words"])
    if now.breach is not None and now.breach != before.breach:
        violation = view["violation"]
        who = view["players"][violation["player"]]["name"]
        why = " ".join(rule["words"] for rule in violation["rules"])
        yield message("breach", say("{who} broke a rule: {why}", who=who, why=why).text(language))
    for dispute in view["disputes"]:
        if dispute["dispute"] in now.disputes - before.disputes:
            words = say("A dispute was opened.").text(language)
            yield message("dispute", f"{words} {dispute['words']}".strip())
    if now.over and not before.over:
        yield message("end", view["result"]["words"])
    elif now.turn is not None and now.turn != turn:
        who = view["players"][view["to_move"]]["name"]
        yield message("turn", say("{who} is to play: turn {n}.", who=who, n=view["turn"]).text(language))
