"""What goes into the API and comes out of it. Bodies with unknown members are refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from web.auth.devices import NAME_LENGTH
from web.auth.pairing import DIGITS


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Query(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH, examples=["Tablet"])]


class PinBody(_Body):
    """A pairing code as its digits were typed."""

    pin: Annotated[str, Field(pattern=rf"^[0-9]{{{DIGITS}}}$", examples=["042917"])]
    name: Name


class SecretBody(_Body):
    """A pairing code as it was scanned."""

    secret: Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    name: Name


class NameBody(_Body):
    """A device's new name."""

    name: Name


class CommandBody(_Body):
    """What a command is to do; which arguments it takes is told by the command."""

    arguments: dict[str, JsonValue] = {}
    seen: Annotated[
        int | None, Field(ge=0, le=2**53, description="number of the newest event the sender knew of")
    ] = None


class AfterQuery(_Query):
    """A part of the game's events."""

    after: Annotated[int, Field(ge=0, le=2**53, description="number of the last event already known")] = 0
    limit: Annotated[int, Field(ge=1, le=500, description="most events in the answer")] = 100


class StreamQuery(_Query):
    """Where a stream begins, for those that can't send Last-Event-ID."""

    since: Annotated[
        str, Field(max_length=80, description="id of the last event already known, as Last-Event-ID would say")
    ] = ""
    changes: Annotated[
        bool, Field(description="tell only what changed of the state, once the whole of it was told (event changed)")
    ] = False

    room: Annotated[bool, Field(description="as the screen for the room may show it")] = False


class StateQuery(_Query):
    """For whom a state is asked."""

    room: Annotated[bool, Field(description="as the screen for the room may show it")] = False


class AtQuery(_Query):
    """When something is asked for; it keeps a picture of a moment ago from being shown again."""

    at: Annotated[int, Field(ge=0, le=2**53)] = 0


class FrameQuery(_Query):
    """How old a picture is when it is sent, milliseconds."""

    age_ms: Annotated[int, Field(ge=0, le=10_000)] = 0


class GamesQuery(_Query):
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


class TurnQuery(_Query):
    """Which turn is reported on."""

    turn: Annotated[int, Field(ge=0, le=10_000)] = 0
    pdf: Annotated[bool, Field(description="one turn as PDF")] = False


class HeadBody(_Body):
    """A game as it was shown."""

    head: Annotated[str, Field(max_length=64, description="hash of its newest event; empty where it can't be read")]


class GamesAnswer(_Answer):
    """Games, the newest first."""

    games: Annotated[
        list[dict[str, Any]],
        Field(description="name, title, players, begun_at, turns, result, disputed, losses, damaged, playing, head"),
    ]


class PlayerBody(_Body):
    """A player who wants statistics."""

    name: Name


class PlayersAnswer(_Answer):
    """The players who want statistics."""

    players: Annotated[list[dict[str, Any]], Field(description="id, name, since")]
    offered: Annotated[list[str], Field(description="names given in games here, of players who have none")]


class PlayerAnswer(_Answer):
    """A player's statistics."""

    id: int
    name: str
    since: Annotated[str, Field(description="date")]
    games: Annotated[list[dict[str, Any]], Field(description="by kind of game: title, and lines of name and value")]
    unread: Annotated[int, Field(description="games that could not be read, and are not counted")]


class ReplayAnswer(_Answer):
    """A whole game in the words of one language."""

    title: str
    kit: dict[str, Any]
    history: Annotated[list[dict[str, Any]], Field(description="the record, as the state has it")]


class StateAnswer(_Answer):
    """The table as it stands, in the words of one language; the page's whole knowledge."""

    version: Annotated[int, Field(description="grows with every change")]


class TimeAnswer(_Answer):
    """What time it is."""

    now_ms: Annotated[int, Field(description="Unix time, milliseconds")]


class EventAnswer(_Answer):
    """One event of the game's journal."""

    number: int
    kind: str
    at: Annotated[str, Field(description="when it was written down, ISO 8601 in UTC")]
    data: dict[str, Any]


class EventsAnswer(_Answer):
    """Some of the game's events, oldest first."""

    game: Annotated[str, Field(description="which journal this is; another one after a new game has begun")]
    last: Annotated[int, Field(description="number of the newest event there is")]
    events: list[EventAnswer]


class MessageAnswer(_Answer):
    """One message of the stream, as the standard of server-sent events takes it apart."""

    event: Annotated[
        str,
        Field(description="state (a StateAnswer), changed (of it), happened (an EventAnswer) or beat"),
    ]
    data: Annotated[str, Field(description="JSON")]
    id: Annotated[str, Field(description="of the newest event told so far: GAME-NUMBER")] = ""


class DeviceAnswer(_Answer):
    """A paired device."""

    id: int
    name: str
    paired_at: Annotated[str, Field(description="ISO 8601 in UTC")]
    seen_at: Annotated[str, Field(description="ISO 8601 in UTC, to the minute")]
    here: Annotated[bool, Field(description="whether it is the one that asks")]
    player: Annotated[str, Field(description="the one player whose own it is; empty: it acts for the table")] = ""


class DevicesAnswer(_Answer):
    """All paired devices."""

    devices: list[DeviceAnswer]


class SessionAnswer(_Answer):
    """What the asking page may do."""

    paired: bool
    may_watch: bool
    may_pair: Annotated[bool, Field(description="whether devices can pair with this table at all")]
    device: DeviceAnswer | None
    csrf: Annotated[str | None, Field(description="for the header X-CSRF-Token of every request that acts")]
    commands: Annotated[list[str], Field(description="the commands this table takes")]


class CodeAnswer(_Answer):
    """A new pairing code; it is told once."""

    pin: str
    link: Annotated[str, Field(description="address that pairs whoever opens it, as in the QR code")]
    seconds: Annotated[int, Field(description="for how long it is open")]
    qr: Annotated[list[str], Field(description="the QR code, row by row, 1 for a dark square; without margin")]
    words: Annotated[str, Field(description="why no other device can open the link; empty where one can")] = ""


class RoomBody(_Body):
    """What the screen for the room may show; what is left out stays as it is."""

    shown: Annotated[bool | None, Field(description="anything at all")] = None
    names: Annotated[bool | None, Field(description="what players are called, else their colours")] = None
    pictures: Annotated[bool | None, Field(description="pictures of the cameras")] = None
    breaches: Annotated[bool | None, Field(description="which rule was broken, and by whom")] = None


class RoomAnswer(_Answer):
    """What the screen for the room may show."""

    shown: bool
    names: bool
    pictures: bool
    breaches: bool


class PhonesAnswer(_Answer):
    """The cameras that phones may be."""

    phones: Annotated[
        list[dict[str, Any]],
        Field(description="camera, phone, sending, size (width and height, or null), lens (what to do)"),
    ]


class SetupAnswer(_Answer):
    """How far a table is set up. light, grade, verdict: good, warning or bad."""

    table: str
    cameras: Annotated[list[dict[str, Any]], Field(description="name, light, words, picture, size, checks")]
    missing: Annotated[list[str], Field(description="cameras of the table that nobody has named a source for")]
    steps: Annotated[list[dict[str, Any]], Field(description="id, title, words, done, next, command; in order")]
    check: Annotated[dict[str, Any], Field(description="running, and words when the last one came to nothing")]
    certificate: dict[str, Any] | None


class MatAnswer(_Answer):
    """What the cameras were shown of the mat."""

    cameras: Annotated[list[dict[str, Any]], Field(description="name, sees: whether the frame is seen")]
    parts: Annotated[list[dict[str, Any]], Field(description="id, kind, words, how, taught; marks: by camera")]
    sizes: Annotated[list[dict[str, Any]], Field(description="of pieces: id, words, mm")]
    empty: Annotated[bool, Field(description="whether the empty mat was pictured")]


class CameraBody(_Body):
    """Which camera."""

    camera: Annotated[str, Field(min_length=1, max_length=40)]


_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class SizesBody(_Body):
    """Sizes of pieces in mm."""

    sizes: dict[str, Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]]


class TapsBody(CameraBody):
    """Taps in a camera's picture: how far right and down, as shares of its width and height."""

    taps: Annotated[list[Annotated[list[_Share], Field(min_length=2, max_length=2)]], Field(max_length=200)]


class CopyNameBody(_Body):
    """What a copy of a game is called."""

    name: Annotated[str, Field(min_length=1, max_length=60, examples=["Club 1"])]


class CopyFileBody(_Body):
    """A copy's file as somebody else entered it."""

    data: dict[str, JsonValue]


class RowBody(_Body):
    """The values of one row of a copy's form, by the ids of its fields; null takes the row out."""

    values: dict[str, JsonValue] | None


class PictureBody(_Body):
    """A JPEG picture in Base64."""

    picture: Annotated[str, Field(min_length=8, max_length=880_000)]


class CopiesAnswer(_Answer):
    """The copies entered here."""

    copies: Annotated[list[dict[str, Any]], Field(description="id of each one's file, and its name")]


class CopyAnswer(_Answer):
    """A copy's form."""

    id: str
    name: str
    parts: Annotated[list[dict[str, Any]], Field(description="id, name, explains, grows, fields, rows, lacks")]
    gaps: Annotated[int, Field(description="values not entered yet")]
    doubts: Annotated[list[str], Field(description="values that are hardly right, in words")]
    pictures: Annotated[list[str], Field(description="what is pictured, PART-ROW")]


class OutcomeAnswer(_Answer):
    """A command that was done."""

    words: str
    result: dict[str, Any]


class CheckpointAnswer(_Answer):
    """A signed note of how far the journal had come, for players to take away."""

    text: str
    qr: Annotated[list[str], Field(description="the text as a QR code, row by row, 1 for a dark square")]


class WordsAnswer(_Answer):
    """What the page's scripts say."""

    language: str
    words: Annotated[dict[str, str | list[str]], Field(description="by the English sentence")]


class RecordAnswer(_Answer):
    """The whole game, to take away."""

    game: str
    title: str
    position: Annotated[dict[str, Any], Field(description="the position the game stands at")]
    history: Annotated[list[dict[str, Any]], Field(description="the record, as the state has it")]
    events: Annotated[list[EventAnswer], Field(description="everything that happened, oldest first")]


class ProblemAnswer(_Answer):
    """Why a request gets no other answer (RFC 9457)."""

    type: str
    title: str
    status: int
    code: Annotated[str, Field(description="for programs; stable")]
    detail: Annotated[str, Field(description="for people, in the language asked for")]


class AfterVersionQuery(_Query):
    """A virtual table that is known already."""

    after: Annotated[int, Field(ge=0, le=2**53, description="version that is known, 0: none")] = 0
    wait_s: Annotated[float, Field(ge=0, le=5, description="how long to wait for another")] = 0.0


class VirtualAnswer(_Answer):
    """What lies on a virtual table."""

    version: int
    lying: Annotated[str, Field(description="the game's observation text")]


class HandBody(_Body):
    """What a hand does: take, put, piece, lift, move at a field; lay or remove a bar; play a whole turn."""

    do: Annotated[str, Field(pattern="^(take|put|piece|lift|move|lay|remove|turn)$")]
    field: Annotated[str | None, Field(max_length=8)] = None
    to: Annotated[str | None, Field(max_length=8)] = None
    piece: Annotated[str | None, Field(max_length=1)] = None
    bar: Annotated[str | None, Field(max_length=12)] = None
    colour: Annotated[str | None, Field(max_length=12)] = None


class FaultBody(_Body):
    """What befalls a virtual table."""

    name: Annotated[str, Field(pattern="^[a-z]{2,12}$", examples=["bump"])]
    camera: Annotated[str, Field(max_length=24)] = ""
    field: Annotated[str, Field(max_length=8)] = ""
    light: Annotated[float, Field(ge=0.1, le=1.2)] = 0.5
