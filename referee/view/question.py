"""The one question a ruling hangs on, what a ruling takes for granted, and what came out late."""

from __future__ import annotations

from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.kit import Kit
from referee.values.words import Words, say
from referee.view.banner import ViewState


def ask_view(state: TableState, kit: Kit, language: str) -> ViewState | None:
    """The field to tell of, with the answers to tap, the likeliest first; ``None`` while nothing is asked."""
    turn = state.open_turn
    if state.phase is not Phase.UNSURE or turn is None or turn.ruled is None or turn.ruled.ask is None:
        return None
    ask = turn.ruled.ask
    answers = [
        {"stands": _text(height, piece, kit), "words": _words(height, piece, kit).text(language)}
        for height, piece in ask.answers
    ]
    return {"field": ask.field.name, "why": ask.why.text(language), "answers": answers}


def assumed_view(state: TableState, language: str) -> list[str]:
    """What the newest turn that counts takes for granted, while play goes on from it."""
    last = state.last_counting
    if state.phase is not Phase.PLAYING or last is None or last.ruled is None:
        return []
    return [one.words.text(language) for one in last.ruled.assumed]


def late_words(state: TableState) -> Words | None:
    """What the newest look says of an earlier turn: the players decide what follows from it."""
    last = state.last
    return None if last is None or last.ruled is None or last.ruled.late is None else last.ruled.late.words


def _text(height: int, piece: int, kit: Kit) -> str:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return digits[height] + (kit.letters[piece - 1] if piece else "")


def _words(height: int, piece: int, kit: Kit) -> Words:
    if not height and not piece:
        return say("Nothing")
    if not piece:
        return say("{n} high, no piece", n=height)
    return say("{n} high, {piece}", n=height, piece=kit.pieces[piece - 1].name)
