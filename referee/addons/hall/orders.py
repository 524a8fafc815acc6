"""What an arbiter's desk sends to a table, and what the table answers.

An *order* is signed by the desk's key, names the table, the game and the event up to which the arbiter saw it, and
has a number that grows, so that a copy of it does nothing. A table trusts a desk once somebody has typed the code at
the desk that the table shows.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from referee.addons.hall.messages import (
    MOST_BYTES,
    HallError,
    HallMessage,
    HallModel,
    Hash,
    Id,
    Number,
    PublicKey,
    Said,
)
from referee.addons.hall.signing import (
    base64_of,
    bytes_of,
    id_of,
    order_is_signed,
    proof_of_code,
    public_of,
    sign_order,
    sign_wish,
)

Checked = TypeVar("Checked")

MOST_ORDER_BYTES = 64 * 1024
PART_BYTES = 96 * 1024
"""Bytes of a report in one message."""
MOST_PARTS = 256
"""A report is at most so many parts, 24 MiB."""

PLAIN = "^[^\\x00-\\x1f\\x7f]*$"
"""Texts that the journal keeps have no control characters."""

Reason = Annotated[str, Field(max_length=500, pattern=PLAIN, description="why, as the players shall read it")]
OrderId = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="chosen at random by the desk")]
Signature = Annotated[str, Field(pattern="^[0-9A-Za-z_-]{86}$")]
Colour = Annotated[str, Field(min_length=1, max_length=40, description="word of a player's colour")]


class OrderModel(HallModel):
    """A part of an order: what is not known is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Uphold(OrderModel):
    """Settle a dispute: the ruling stands."""

    act: Literal["uphold"] = "uphold"
    dispute: Number
    words: Reason = ""


class SetAside(OrderModel):
    """Take back an entry of the record and all after it. dispute: that is settled by it, 0 for none."""

    act: Literal["set_aside"] = "set_aside"
    entry: Annotated[int, Field(gt=0)]
    dispute: Number = 0
    words: Reason = ""


class SayBoard(OrderModel):
    """Say how the board stands at the end of the turn under way: it is ruled on. board: text, as in formats.md."""

    act: Literal["say_board"] = "say_board"
    board: Annotated[str, Field(min_length=1, max_length=4000)]
    dispute: Number = 0
    words: Reason = ""


class ChangePosition(OrderModel):
    """Correct the position. changes: keys of a position, as the command ``correct`` takes them."""

    act: Literal["change_position"] = "change_position"
    changes: Annotated[dict[str, JsonValue], Field(min_length=1, max_length=40)]
    dispute: Number = 0
    words: Reason = ""


class TimePenalty(OrderModel):
    """Take time from a player's clock."""

    act: Literal["time_penalty"] = "time_penalty"
    player: Colour
    seconds: Annotated[int, Field(gt=0, le=24 * 3600)]
    words: Reason = ""


class PauseGame(OrderModel):
    """Have play rest, so that nobody is faster than the arbiter."""

    act: Literal["pause"] = "pause"
    words: Reason = ""


class ResumeGame(OrderModel):
    """Let play go on."""

    act: Literal["resume"] = "resume"
    words: Reason = ""


class MakeNote(OrderModel):
    """Write something down in the game's journal. entry: of the record that it is about, 0 for none."""

    act: Literal["note"] = "note"
    words: Annotated[str, Field(min_length=1, max_length=500, pattern=PLAIN)]
    entry: Number = 0


class AskReport(OrderModel):
    """Send the report on a turn: a page that needs nothing else. It changes nothing."""

    act: Literal["report"] = "report"
    turn: Number
    language: Annotated[
        str, Field(pattern="^[A-Za-z0-9-]{2,20}$", description="English where the table lacks it")
    ] = "en"


class AskEvents(OrderModel):
    """Publish the events of the order's game again, after the one with a number, for a desk that missed some.

    The game is the one that is played now, or one of ``earlier`` in the state.
    """

    act: Literal["events"] = "events"
    after: Number


Act = Annotated[
    Uphold
    | SetAside
    | SayBoard
    | ChangePosition
    | TimePenalty
    | PauseGame
    | ResumeGame
    | MakeNote
    | AskReport
    | AskEvents,
    Field(discriminator="act"),
]


class Order(OrderModel):
    """What an arbiter orders. by: the arbiter, as the journal names them.

    number: larger than that of every earlier order of this desk to this table; the Unix time in ms does. event, head:
    number and hash of the journal's newest event when the arbiter decided. An order is refused where the table has
    another game, where its event with that number has another hash, or where the game was decided on meanwhile.
    """

    order: OrderId
    number: Annotated[int, Field(gt=0, lt=2**53)]
    table: Id
    desk: Id
    game: Id
    event: Number
    head: Hash
    by: Annotated[str, Field(min_length=1, max_length=40, pattern=PLAIN)]
    does: Act


class SignedOrder(HallModel):
    """An order as it travels. body: its canonical JSON text, which ``signature`` is for."""

    kind: Literal["order"] = "order"
    desk: Id
    body: Annotated[str, Field(max_length=MOST_ORDER_BYTES)]
    signature: Signature


class TrustAsked(HallModel):
    """A desk that asks to be trusted. proof: that the code was typed there (``proof_of_code``, who ``desk``)."""

    kind: Literal["trust"] = "trust"
    key: PublicKey
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=PLAIN)]
    proof: Hash


class CodeWanted(HallModel):
    """A desk that would be trusted: the table's page asks whether to show the code, then for this desk alone.

    signature: of name and table, by the desk (``sign_wish``).
    """

    kind: Literal["code"] = "code"
    key: PublicKey
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=PLAIN)]
    signature: Signature


Asked = SignedOrder | TrustAsked | CodeWanted
_ASKED: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="kind")])


class HallAnswer(HallMessage):
    """An answer of a table. desk: for whom it is; other desks hear it, too."""

    desk: Id


class Trusted(HallAnswer):
    """The desk is trusted from now on. proof: that this is the table that showed the code (who ``table``)."""

    kind: Literal["trusted"] = "trusted"
    key: Annotated[PublicKey, Field(description="the table's public key")]
    proof: Hash


class NotTrusted(HallAnswer):
    """The desk is not trusted: no code is shown, or it was another one."""

    kind: Literal["not_trusted"] = "not_trusted"
    words: Said


class OrderDone(HallAnswer):
    """An order was carried out. events: numbers of the events that were written for it; the first names the desk."""

    kind: Literal["done"] = "done"
    order: OrderId
    events: Annotated[tuple[Number, ...], Field(max_length=20)]


class OrderRefused(HallAnswer):
    """An order was not carried out. code: a stable word (docs/reference/hall-topics.md)."""

    kind: Literal["refused"] = "refused"
    order: OrderId
    code: Annotated[str, Field(max_length=40)]
    words: Said


class ReportPart(HallAnswer):
    """A part of a report, which is complete once parts 1 to ``parts`` are there and together have this hash.

    data: Base64 (URL) of at most ``PART_BYTES``. sha256, bytes: of the whole page (HTML, UTF-8).
    """

    kind: Literal["report"] = "report"
    order: OrderId
    part: Annotated[int, Field(gt=0, le=MOST_PARTS)]
    parts: Annotated[int, Field(gt=0, le=MOST_PARTS)]
    sha256: Hash
    bytes: Annotated[int, Field(gt=0, le=MOST_PARTS * PART_BYTES)]
    data: Annotated[str, Field(max_length=PART_BYTES * 4 // 3 + 4)]


Answered = Trusted | NotTrusted | OrderDone | OrderRefused | ReportPart
_ANSWERED: TypeAdapter[Answered] = TypeAdapter(Annotated[Answered, Field(discriminator="kind")])


def asked_of(payload: bytes) -> Asked:
    """Return what a message on a command topic asks. Raises HallError."""
    return _validated(_ASKED, payload, 2 * MOST_ORDER_BYTES)


def answered_of(payload: bytes) -> Answered:
    """Return what a message on an answer topic says. Raises HallError."""
    return _validated(_ANSWERED, payload, MOST_BYTES)


def signed(order: Order, secret: Ed25519PrivateKey) -> SignedOrder:
    """Return an order with the signature of the desk that gives it. Raises HallError for another desk's order."""
    if order.desk != id_of(public_of(secret)):
        raise HallError("the order names another desk than the one that signs it")
    body = canonical_order(order)
    return SignedOrder(desk=order.desk, body=body, signature=sign_order(secret, body))


def canonical_order(order: Order) -> str:
    """Return an order's canonical JSON text: sorted keys, no spaces, ASCII."""
    return json.dumps(order.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), allow_nan=False)


def order_of(sent: SignedOrder, key: bytes) -> Order:
    """Return the order that the desk with this public key has signed. Raises HallError for anything else."""
    if sent.desk != id_of(key) or not order_is_signed(key, sent.body, sent.signature):
        raise HallError("the signature is not that of the desk")
    try:
        order = Order.model_validate_json(sent.body)
    except (ValidationError, RecursionError, ValueError):
        raise HallError("what was signed is no order") from None
    if order.desk != sent.desk:
        raise HallError("the order names another desk than the one that signed it")
    return order


def trust_asked(secret: Ed25519PrivateKey, name: str, code: bytes, table: bytes) -> TrustAsked:
    """Return a desk's request to be trusted. code: ``secret_of_code``; table: the table's public key."""
    desk = public_of(secret)
    return TrustAsked(key=base64_of(desk), name=name, proof=proof_of_code(code, "desk", desk, table))


def code_wanted(secret: Ed25519PrivateKey, name: str, table: bytes) -> CodeWanted:
    """Return a desk's request for a table's code. table: the table's public key."""
    return CodeWanted(key=base64_of(public_of(secret)), name=name, signature=sign_wish(secret, name, table))


def report_parts(page: bytes, sha256: str, desk: str, order: str, sent: int) -> list[ReportPart]:
    """Return a report in parts, ready to send to a desk. sha256: of the page.

    Raises HallError where it is too long.
    """
    pieces = [page[at : at + PART_BYTES] for at in range(0, len(page), PART_BYTES)]
    if not 0 < len(pieces) <= MOST_PARTS:
        raise HallError(f"a report of {len(page)} bytes can't be sent")
    return [
        ReportPart(
            sent=sent + at, desk=desk, order=order, part=at + 1, parts=len(pieces), sha256=sha256, bytes=len(page),
            data=base64_of(piece),
        )
        for at, piece in enumerate(pieces)
    ]  # fmt: skip


def part_bytes(part: ReportPart) -> bytes:
    """Return the bytes of a part. Raises HallError."""
    try:
        data = bytes_of(part.data)
    except ValueError:
        raise HallError("a part of a report is no Base64") from None
    if len(data) > PART_BYTES:
        raise HallError("a part of a report is too long")
    return data


def _validated(kind: TypeAdapter[Checked], payload: bytes, most: int) -> Checked:
    if len(payload) > most:
        raise HallError(f"{len(payload)} bytes are no message: at most {most}")
    try:
        return kind.validate_json(payload)
    except (ValidationError, RecursionError):
        raise HallError("this is no message of a hall") from None
