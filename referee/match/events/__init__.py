"""Events at a table, as the journal keeps them: frozen values that check themselves and go to JSON and back.

Every event names what moved the table (its ``trigger``); referee/match/phases.py says where that leads. New keys of
an event are optional when it is read, so that journals of earlier versions stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.contract import AnyGame
from referee.match.events.again import RuledAgain, TurnPutRight
from referee.match.events.arbiter import ArbiterOrdered
from referee.match.events.base import Event, EventError, Trigger, Verdict, fields, names
from referee.match.events.beside import ChangedUnseen, SourceEnded, TableChecked
from referee.match.events.decided import (
    CalledOff,
    Disputed,
    End,
    FieldTold,
    GameEnded,
    Paused,
    PositionCorrected,
    PutBack,
    QuestionDenied,
    ReadingCorrected,
    Resigned,
    Resolution,
    Resolved,
    Resumed,
    RulingWithdrawn,
    SeatsTaken,
    SetupAccepted,
    TurnAccepted,
    TurnConfirmed,
    TurnPassed,
    Undone,
)
from referee.match.events.declared import AnswersDrafted, TurnDeclared
from referee.match.events.retold import TurnRetold, TurnsRetold
from referee.match.events.ruled import CERTAIN, Illegal, LeftOpen, Legal, TurnRuled, Unsure, WhyUnsure
from referee.match.events.seen import CameraNote, GameStarted, LookTaken, ReadingMade, SetupChecked
from referee.match.events.timed import ClockLaidAside, ClockMoved, TimeGiven, TimeTaken
from referee.values.gameerror import GameError

__all__ = [
    "CERTAIN",
    "AnswersDrafted",
    "AnyGame",
    "ArbiterOrdered",
    "CalledOff",
    "CameraNote",
    "ChangedUnseen",
    "ClockLaidAside",
    "ClockMoved",
    "Disputed",
    "End",
    "Event",
    "EventError",
    "FieldTold",
    "GameEnded",
    "GameStarted",
    "Illegal",
    "LeftOpen",
    "Legal",
    "LookTaken",
    "Paused",
    "PositionCorrected",
    "PutBack",
    "QuestionDenied",
    "ReadingCorrected",
    "ReadingMade",
    "Resigned",
    "Resolution",
    "Resolved",
    "Resumed",
    "RuledAgain",
    "RulingWithdrawn",
    "SeatsTaken",
    "SetupAccepted",
    "SetupChecked",
    "SourceEnded",
    "TableChecked",
    "TimeGiven",
    "TimeTaken",
    "Trigger",
    "TurnAccepted",
    "TurnConfirmed",
    "TurnDeclared",
    "TurnPassed",
    "TurnPutRight",
    "TurnRetold",
    "TurnRuled",
    "TurnsRetold",
    "Undone",
    "Unsure",
    "Verdict",
    "WhyUnsure",
    "event_from_json",
    "fields",
    "names",
]

KINDS: dict[str, Any] = {
    event.kind: event
    for event in (
        GameStarted,
        LookTaken,
        ReadingMade,
        SetupChecked,
        TurnRuled,
        TurnsRetold,
        TurnPutRight,
        SourceEnded,
        TableChecked,
        ChangedUnseen,
        SetupAccepted,
        SeatsTaken,
        CalledOff,
        PutBack,
        TurnAccepted,
        FieldTold,
        TurnConfirmed,
        TurnDeclared,
        AnswersDrafted,
        QuestionDenied,
        RulingWithdrawn,
        ReadingCorrected,
        PositionCorrected,
        Undone,
        Paused,
        Resumed,
        Disputed,
        Resolved,
        Resigned,
        TurnPassed,
        GameEnded,
        ClockMoved,
        TimeGiven,
        ClockLaidAside,
        ArbiterOrdered,
        TimeTaken,
    )
}
"""Every event by the word the journal knows it by; a word is never changed once a journal holds it."""


def event_from_json(kind: str, data: Mapping[str, object], game: AnyGame) -> Event:
    """Return the event a journal's kind and data describe. Raises EventError when they describe none."""
    if kind not in KINDS:
        raise EventError(f"{kind!r} is no event this version knows")
    try:
        event: Event = KINDS[kind].from_json(data, game)
    except KeyError as error:
        raise EventError(f"a {kind!r} event can't be read: {error} is missing") from error
    except (TypeError, AttributeError) as error:
        raise EventError(f"a {kind!r} event can't be read: a value of the wrong kind") from error
    except (ValueError, GameError) as error:
        raise EventError(f"a {kind!r} event can't be read: {error}") from error
    return event
