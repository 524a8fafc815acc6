"""The messages of a table to the hall: frozen models, checked on both sides.

A desk takes nothing of a message for granted: what does not fit these models is no message. Keys that a later version
adds are ignored. Every text that people read is a ``Said``, in every language.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from referee.addons import AddOnError
from referee.addons.hall.topics import ID, Leaf

MOST_BYTES = 512 * 1024
"""A longer message is none; brokers are told so, too."""

MOST_EARLIER = 3
"""Games of a table before the present one of which a desk can have the events again."""
MOST_RULING_BYTES = 64 * 1024
"""A longer ruling is none: of these a desk keeps many."""


def _finite(value: JsonValue) -> JsonValue:
    """Return JSON as it is. Raises ValueError for infinite numbers, which no browser would read."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("an infinite number is no JSON")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _finite(part)
    return value


Id = Annotated[str, Field(pattern=f"^{ID}$", description="id of a table, a desk or a game")]
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256, hexadecimal")]
PublicKey = Annotated[str, Field(pattern="^[0-9A-Za-z_-]{43}$", description="Ed25519 public key, Base64 (URL)")]
Number = Annotated[int, Field(ge=0, lt=2**53)]
Unix = Annotated[int, Field(ge=0, lt=2**53, description="Unix time, ms")]
Word = Annotated[str, Field(max_length=80, description="a stable word")]
Text = Annotated[str, Field(max_length=4000)]
ShortText = Annotated[str, Field(max_length=200)]


class HallModel(BaseModel):
    """A value that a message holds."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)


class Said(HallModel):
    """A text in every language its table knows, by their codes; always in English."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Text] = Field(init=False)

    en: Text

    def text(self, language: str) -> str:
        """Return the text in a language, in English for one that is not known."""
        return self.__pydantic_extra__.get(language, self.en)


class HallMessage(HallModel):
    """A message. sent: grows with every message of a table; the older of two on one topic is out of date."""

    sent: Unix


class Availability(HallMessage):
    """Whether a table is connected. The broker says ``offline`` for a table that is gone (MQTT's last will)."""

    state: Literal["online", "offline"]


class About(HallMessage):
    """What a table is. name: given by people, and so perhaps another table's, too. run: another at each start."""

    id: Id
    name: ShortText
    key: PublicKey
    version: ShortText
    page: Annotated[str, Field(max_length=200, description="address of the table's own page; empty: only there")]
    game: Annotated[Word, Field(description="id of the game that is played here")]
    title: ShortText
    run: Word = ""


class HallGame(HallModel):
    """The game under way. id: the first 16 digits of the hash of its first event."""

    id: Id
    name: Word
    title: ShortText
    began: Annotated[str, Field(max_length=40, description="when, ISO 8601")]
    recorded: Annotated[bool, Field(description="from recorded pictures, not played now")]


class EarlierGame(HallModel):
    """A game that was played before at the table and is delivered in full. events: how many it has."""

    id: Id
    events: Number


class HallPhase(HallModel):
    """The phase of the table, as in state.md."""

    id: Word
    words: Said


class HallBanner(HallModel):
    """What the referee says now. fields: to be marked on the board."""

    tone: Word
    headline: Said
    detail: Said
    advice: Said
    rules: Annotated[tuple[Word, ...], Field(max_length=100)] = ()
    fields: Annotated[tuple[Word, ...], Field(max_length=1000)] = ()


Needed = Literal["dispute", "breach", "unsure", "blind", "question", "flag", "camera", "putting-back", "stuck"]


class Need(HallModel):
    """Something for which a table waits for people, or may want an arbiter.

    what: ``breach`` (an illegal turn is to be settled), ``unsure`` and ``blind`` (no ruling is possible),
    ``question`` (the referee asks before it rules), ``flag`` (no time is left), ``camera`` (one is lost), ``stuck``
    (nothing can be written). since: when it began. event: with which; 0 for none. entry, turn: of the record, 0 for
    none. dispute: its number, 0 for none.
    """

    what: Needed
    since: Unix
    words: Said
    event: Number = 0
    entry: Number = 0
    turn: Number = 0
    dispute: Number = 0


class HallDispute(HallModel):
    """A dispute. event: of the journal, which opened it. outcome: empty while it is open."""

    dispute: Number
    entry: Number
    turn: Number
    event: Number
    since: Unix
    by: ShortText
    words: Text
    outcome: Word = ""
    settled_by: ShortText = ""
    settled_words: Text = ""


class HallResult(HallModel):
    """How a game came out."""

    how: Word
    winners: Annotated[tuple[Word, ...], Field(max_length=20)]
    words: Said


class RoomSwitches(HallModel):
    """What the players let everybody in the room see (screens for spectators keep to it; a desk sees all)."""

    shown: bool
    names: bool
    pictures: bool
    breaches: bool


class HallState(HallMessage):
    """A table as it stands. event, head: number and hash of the journal's newest event.

    earlier: games before, the oldest first, of which events can be had again. players: by the word of their colour,
    in playing order. waits: what the next ruling waits for, as ``live.waiting`` of the page; needs: the oldest first.
    view: of the page's own view the parts that draw the table, in every language at once (``spoken`` gives one).
    """

    game: HallGame
    event: Number
    head: Hash
    phase: HallPhase
    turn: Number
    to_move: Word
    players: Annotated[dict[Word, Said], Field(max_length=20)]
    waits: Said | None
    needs: Annotated[tuple[Need, ...], Field(max_length=100)]
    banner: HallBanner
    disputes: Annotated[tuple[HallDispute, ...], Field(max_length=1000)]
    result: HallResult | None
    room: RoomSwitches
    earlier: Annotated[tuple[EarlierGame, ...], Field(max_length=MOST_EARLIER)] = ()
    actions: Annotated[tuple[Word, ...], Field(max_length=60, description="commands that are possible now")]
    view: Annotated[dict[str, JsonValue], AfterValidator(_finite)]


class HallViolation(HallModel):
    """A broken rule."""

    rule: Word
    words: Said
    fields: Annotated[tuple[Word, ...], Field(max_length=1000)]


class HallRuling(HallMessage):
    """The newest ruling of the game; before the first, ``verdict`` is ``none``.

    event: the journal's. entry: of the record. fate: what became of the entry. text: the turn, in the game's
    notation.
    """

    game: Id
    event: Number
    entry: Number
    turn: Number
    player: Word
    verdict: Literal["legal", "illegal", "unsure", "none"]
    words: Said
    fate: Word
    by_hand: bool
    text: Text
    violations: Annotated[tuple[HallViolation, ...], Field(max_length=100)]


class HallClock(HallMessage):
    """The game clock; without one, ``used`` is false and the rest empty.

    left_ms: by player, as of ``since`` (0 while the clock stands). turn_left_ms: of the turn under way, -1 without a
    limit of its own. fallen: the player whose time is over.
    """

    game: Id
    used: bool
    words: Said
    left_ms: Annotated[dict[Word, int], Field(max_length=20)]
    turn_left_ms: int
    player: Word
    running: bool
    since: Unix
    fallen: Word
    aside: bool
    stands: Said


class HallCamera(HallModel):
    """A camera.

    age_s: of its newest picture; -1: none yet. markers, sharpness: of the frame, how many are found in the picture
    that was read last, and how many px wide their edges are; -1: not known.
    """

    name: Word
    ok: bool
    words: Said
    age_s: float
    sharpness: float = -1.0
    markers: int = -1


class HallHealth(HallMessage):
    """How a table does, at least every ``every_s`` seconds.

    keeping: whether pictures are kept, as ``/health`` tells it. journal: what keeps events from being written, empty
    for nothing. problem: whether somebody ought to look. undelivered: events that wait for the broker.
    reliability: how far the table is to be believed.
    """

    every_s: Annotated[int, Field(gt=0)]
    version: ShortText
    cameras: Annotated[tuple[HallCamera, ...], Field(max_length=40)]
    disk_free_bytes: Number
    keeping: Word
    journal: Text
    problem: bool
    notices: Annotated[tuple[Said, ...], Field(max_length=40)]
    undelivered: Number = 0
    reliability: Annotated[tuple[Said, ...], Field(max_length=10)] = ()


class EventLine(HallMessage):
    """One event of a journal. The same (game, number) always is the same event, however often it comes.

    body: the event's canonical JSON text, of which ``hash`` is the SHA-256 with the hash before
    (docs/reference/formats.md); empty where it is too long for a message. replaces: number of the first event that no
    longer counts because of this one, 0 for none: whoever shows the game takes back all that they showed of it from
    there on.
    """

    game: Id
    number: Annotated[int, Field(gt=0, lt=2**53)]
    kind: Word
    at: Annotated[str, Field(max_length=40)]
    previous: Hash
    hash: Hash
    body: Annotated[str, Field(max_length=MOST_BYTES)]
    replaces: Number = 0


MESSAGES: dict[Leaf, type[HallMessage]] = {
    Leaf.AVAILABILITY: Availability,
    Leaf.ABOUT: About,
    Leaf.STATE: HallState,
    Leaf.RULING: HallRuling,
    Leaf.CLOCK: HallClock,
    Leaf.HEALTH: HallHealth,
    Leaf.EVENT: EventLine,
}
"""The model of each leaf that every table publishes."""

Read = TypeVar("Read", bound=BaseModel)


class HallError(AddOnError):
    """Bytes that are no message, or a signature that does not fit; says why, and quotes little of it."""


def parsed(model: type[Read], payload: bytes) -> Read:
    """Return the message that bytes hold. Raises HallError."""
    if len(payload) > MOST_BYTES:
        raise HallError(f"{len(payload)} bytes are no message: at most {MOST_BYTES}")
    try:
        return model.model_validate_json(payload)
    except (ValidationError, RecursionError) as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))[:60] if isinstance(error, ValidationError) else ""
        raise HallError(f"no {model.__name__}: {where or 'not JSON'}") from None


def payload_of(message: BaseModel) -> bytes:
    """Return the bytes of a message."""
    return message.model_dump_json().encode()
