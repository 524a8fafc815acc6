"""The data of the API's requests and answers. Bodies with unknown members are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from web.api.shapes import AnswerModel, BodyModel, QueryModel
from web.auth.devices import NAME_LENGTH
from web.auth.pairing import DIGITS

Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, examples=["Tablet"])]


class PinBody(BodyModel):
    """A pairing code as its digits were typed."""

    pin: Annotated[str, Field(pattern=rf"^[0-9]{{{DIGITS}}}$", examples=["042917"])]
    name: Name


class SecretBody(BodyModel):
    """A pairing code as it was scanned."""

    secret: Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    name: Name


class NameBody(BodyModel):
    """A device's new name."""

    name: Name


class CommandBody(BodyModel):
    """What a command is to do; which arguments it takes is told by the command."""

    arguments: Annotated[dict[str, JsonValue], Field(default_factory=dict)]
    seen: Annotated[
        int | None, Field(ge=0, le=2**53, description="number of the newest event the sender knew of")
    ] = None


class AfterQuery(QueryModel):
    """A part of the game's events."""

    after: Annotated[int, Field(ge=0, le=2**53, description="number of the last event already known")] = 0
    limit: Annotated[int, Field(ge=1, le=500, description="most events in the answer")] = 100


class EntriesQuery(QueryModel):
    """A part of the game's record."""

    before: Annotated[int, Field(ge=1, le=2**53, description="number of an entry; older ones are wanted")] = 2**53
    limit: Annotated[int, Field(ge=1, le=200, description="most entries in the answer, the newest of them")] = 50


class StreamQuery(QueryModel):
    """Where a stream begins, for those that can't send Last-Event-ID."""

    since: Annotated[
        str, Field(max_length=80, description="id of the last event already known, as Last-Event-ID would say")
    ] = ""
    changes: Annotated[
        bool, Field(description="tell only what changed of the state, once the whole of it was told (event changed)")
    ] = False

    room: Annotated[bool, Field(description="as the screen for the room may show it")] = False


class StateQuery(QueryModel):
    """For whom a state is asked."""

    room: Annotated[bool, Field(description="as the screen for the room may show it")] = False


class AtQuery(QueryModel):
    """When something is asked for; it keeps a picture of a moment ago from being shown again."""

    at: Annotated[int, Field(ge=0, le=2**53)] = 0


class FrameQuery(QueryModel):
    """How old a picture is when it is sent, milliseconds."""

    age_ms: Annotated[int, Field(ge=0, le=10_000)] = 0


class PhotographQuery(QueryModel):
    """When a photograph was taken, as far as the device that sends it tells."""

    age_ms: Annotated[int, Field(ge=0, le=10**13, description="of its file, milliseconds")] = 0
    clock_ms: Annotated[int, Field(ge=0, le=10**14, description="the device's clock, Unix time in ms")] = 0
    ahead_min: Annotated[int, Field(ge=-1000, le=1000, description="how far that clock is ahead of UTC")] = 0


class GamesQuery(QueryModel):
    """Which games are looked for."""

    text: Annotated[
        str, Field(max_length=100, description="parts of names, colours, title, date or the game's name; every word")
    ] = ""
    disputed: Annotated[bool | None, Field(description="whether a dispute is open")] = None
    result: Annotated[
        str,
        Field(
            max_length=100,
            description="a winner's name or colour, or draw, abandoned, agreement, rules, running; empty for any",
        ),
    ] = ""


class TurnQuery(QueryModel):
    """Which turn is reported on."""

    turn: Annotated[int, Field(ge=0, le=10_000)] = 0
    pdf: Annotated[bool, Field(description="one turn as PDF")] = False


class HeadBody(BodyModel):
    """A game as it was shown."""

    head: Annotated[str, Field(max_length=64, description="hash of its newest event; empty where it can't be read")]


class GamesAnswer(AnswerModel):
    """Games, the newest first."""

    games: Annotated[
        list[dict[str, Any]],
        Field(description="name, title, players, begun_at, turns, result, disputed, losses, damaged, playing, head"),
    ]


class ReplayAnswer(AnswerModel):
    """A whole game in the words of one language."""

    title: str
    kit: dict[str, Any]
    history: Annotated[list[dict[str, Any]], Field(description="the record, as the state has it")]


class EntriesAnswer(AnswerModel):
    """A part of the record in the words of one language."""

    entries: Annotated[list[dict[str, Any]], Field(description="as ``history`` of the state has them")]


class StateAnswer(AnswerModel):
    """The table as it stands, in the words of one language; the page's whole knowledge."""

    version: Annotated[int, Field(description="grows with every change")]


class TimeAnswer(AnswerModel):
    """What time it is."""

    now_ms: Annotated[int, Field(description="Unix time, milliseconds")]


class EventAnswer(AnswerModel):
    """One event of the game's journal."""

    number: int
    kind: str
    at: Annotated[str, Field(description="when it was written down, ISO 8601 in UTC")]
    data: dict[str, Any]


class EventsAnswer(AnswerModel):
    """Some of the game's events, oldest first."""

    game: Annotated[str, Field(description="which journal this is; another one after a new game has begun")]
    last: Annotated[int, Field(description="number of the newest event there is")]
    events: list[EventAnswer]


class MessageAnswer(AnswerModel):
    """One message of the stream, as the standard of server-sent events takes it apart."""

    event: Annotated[
        str,
        Field(description="state (a StateAnswer), changed (of it), happened (an EventAnswer) or beat"),
    ]
    data: Annotated[str, Field(description="JSON")]
    id: Annotated[str, Field(description="of the newest event told so far: GAME-NUMBER")] = ""


class DeviceAnswer(AnswerModel):
    """A paired device."""

    id: int
    name: str
    paired_at: Annotated[str, Field(description="ISO 8601 in UTC")]
    seen_at: Annotated[str, Field(description="ISO 8601 in UTC, to the minute")]
    here: Annotated[bool, Field(description="whether it is the one that asks")]
    player: Annotated[str, Field(description="the one player whose own it is; empty: it acts for the table")] = ""


class DevicesAnswer(AnswerModel):
    """All paired devices."""

    devices: list[DeviceAnswer]


class SessionAnswer(AnswerModel):
    """What the asking page may do."""

    paired: bool
    may_watch: bool
    may_pair: Annotated[bool, Field(description="whether devices can pair with this table at all")]
    device: DeviceAnswer | None
    csrf: Annotated[str | None, Field(description="for the header X-CSRF-Token of every request that acts")]
    commands: Annotated[list[str], Field(description="the commands this table takes")]


class CodeQuery(QueryModel):
    """Which page the device opens."""

    page: Literal["", "camera"] = ""


class CodeAnswer(AnswerModel):
    """A new pairing code; it is told once."""

    pin: str
    link: Annotated[str, Field(description="address that pairs whoever opens it, as in the QR code")]
    seconds: Annotated[int, Field(description="for how long it is open")]
    qr: Annotated[list[str], Field(description="the QR code, row by row, 1 for a dark square; without margin")]
    words: Annotated[str, Field(description="why no other device can open the link; empty where one can")] = ""


class RoomBody(BodyModel):
    """What the screen for the room may show; what is left out stays as it is."""

    shown: Annotated[bool | None, Field(description="anything at all")] = None
    names: Annotated[bool | None, Field(description="what players are called, else their colours")] = None
    pictures: Annotated[bool | None, Field(description="pictures of the cameras")] = None
    breaches: Annotated[bool | None, Field(description="which rule was broken, and by whom")] = None


class RoomAnswer(AnswerModel):
    """What the screen for the room may show."""

    shown: bool
    names: bool
    pictures: bool
    breaches: bool


class PhotographTakenAnswer(AnswerModel):
    """A photograph was taken in."""

    id: int


class PhotographsAnswer(AnswerModel):
    """What became of the newest photographs, the oldest first."""

    photographs: Annotated[
        list[dict[str, Any]],
        Field(description="id, state (looked at, view, wrong or unneeded), words (why, and what to do)"),
    ]


class PhonesAnswer(AnswerModel):
    """The cameras that phones may be."""

    phones: Annotated[
        list[dict[str, Any]],
        Field(description="camera, phone, sending, held, size (width and height, or null), lens (what to do)"),
    ]


class SetupAnswer(AnswerModel):
    """How far a table is set up. light, grade, verdict: good, warning or bad."""

    table: str
    cameras: Annotated[
        list[dict[str, Any]],
        Field(
            description="name, light, words, picture, size, checks; lamp, where it is known: score of the light, 0 "
            "to 100, advice, checks"
        ),
    ]
    missing: Annotated[list[str], Field(description="cameras of the table that nobody has named a source for")]
    steps: Annotated[list[dict[str, Any]], Field(description="id, title, words, done, next, command; in order")]
    check: Annotated[dict[str, Any], Field(description="running, and words when the last one came to nothing")]
    certificate: dict[str, Any] | None
    rehearsal: Annotated[
        dict[str, Any] | None,
        Field(description="possible, rehearsed, task, looks, looking, sides, words, found: its figures"),
    ] = None


class OutcomeAnswer(AnswerModel):
    """A command that was done."""

    words: str
    result: dict[str, Any]


class CheckpointAnswer(AnswerModel):
    """A signed note of how far the journal had come, for players to take away."""

    text: str
    qr: Annotated[list[str], Field(description="the text as a QR code, row by row, 1 for a dark square")]


class WordsAnswer(AnswerModel):
    """What the page's scripts say."""

    language: str
    words: Annotated[dict[str, str | list[str]], Field(description="by the English sentence")]
    plurals: Annotated[list[int], Field(description="which form each number takes; beyond, the last hundred repeats")]


class RecordAnswer(AnswerModel):
    """The whole game, to take away."""

    game: str
    title: str
    position: Annotated[dict[str, Any], Field(description="the position the game stands at")]
    history: Annotated[list[dict[str, Any]], Field(description="the record, as the state has it")]
    events: Annotated[list[EventAnswer], Field(description="everything that happened, oldest first")]


class ProblemAnswer(AnswerModel):
    """Why a request gets no other answer (RFC 9457)."""

    type: str
    title: str
    status: int
    code: Annotated[str, Field(description="for programs; stable")]
    detail: Annotated[str, Field(description="for people, in the language asked for")]
