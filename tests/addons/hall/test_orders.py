"""An order counts only from the desk that signed it, and a desk is trusted only by the code the table shows."""

from __future__ import annotations

import hashlib
from typing import get_args

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.messages import HallError, payload_of
from referee.addons.hall.orders import (
    MOST_PARTS,
    PART_BYTES,
    Act,
    Order,
    SignedOrder,
    TimePenalty,
    TrustAsked,
    Uphold,
    answered_of,
    asked_of,
    order_of,
    part_bytes,
    report_parts,
    signed,
    trust_asked,
)
from referee.addons.hall.signing import (
    id_of,
    message_is_signed,
    proof_of_code,
    proves,
    public_of,
    read_code,
    secret_of_code,
    sign_message,
    sign_order,
)
from referee.match.clocksteps import TIME_PENALTY
from referee.view import arbiter

DESK, STRANGER, TABLE = (Ed25519PrivateKey.from_private_bytes(bytes([at]) * 32) for at in (1, 2, 3))


def order(**other: object) -> Order:
    given: dict[str, object] = {
        "order": "0" * 32,
        "number": 7,
        "table": id_of(public_of(TABLE)),
        "desk": id_of(public_of(DESK)),
        "game": "0" * 16,
        "event": 12,
        "head": "a" * 64,
        "by": "Ana",
        "does": Uphold(dispute=1, words="It was seen – klar"),
    }
    return Order.model_validate(given | other)


def test_an_order_travels_and_is_checked() -> None:
    sent = asked_of(payload_of(signed(order(), DESK)))
    assert isinstance(sent, SignedOrder)
    assert order_of(sent, public_of(DESK)) == order()


def test_the_bytes_that_are_signed_stay_as_they_are() -> None:
    """Desks and tables of different versions must sign and check the same bytes."""
    assert signed(order(), DESK).body == (
        '{"by":"Ana","desk":"34750f98bd59fcfc","does":{"act":"uphold","dispute":1,'
        '"words":"It was seen \\u2013 klar"},"event":12,"game":"0000000000000000","head":"'
        + "a" * 64
        + '","number":7,"order":"'
        + "0" * 32
        + '",'
        '"table":"' + id_of(public_of(TABLE)) + '"}'
    )


def test_nothing_of_an_order_can_be_changed() -> None:
    sent = signed(order(), DESK)
    changed = sent.model_copy(update={"body": sent.body.replace('"event":12', '"event":13')})
    with pytest.raises(HallError, match="signature"):
        order_of(changed, public_of(DESK))


def test_a_stranger_can_sign_for_nobody_else() -> None:
    with pytest.raises(HallError, match="another desk"):
        signed(order(), STRANGER)
    body = signed(order(), DESK).body
    forged = SignedOrder(desk=id_of(public_of(DESK)), body=body, signature=sign_order(STRANGER, body))
    with pytest.raises(HallError, match="signature"):
        order_of(forged, public_of(DESK))
    own = SignedOrder(desk=id_of(public_of(STRANGER)), body=body, signature=sign_order(STRANGER, body))
    with pytest.raises(HallError, match="another desk"):
        order_of(own, public_of(STRANGER))


@pytest.mark.parametrize("body", ["", "{}", "[" * 5000, '{"does":{"act":"explode"}}', "\ud800", "null"])
def test_what_is_signed_and_no_order_is_refused(body: str) -> None:
    try:
        signature = sign_order(DESK, body)
    except UnicodeEncodeError:
        signature = "A" * 86
    sent = SignedOrder.model_construct(desk=id_of(public_of(DESK)), body=body, signature=signature)
    with pytest.raises(HallError):
        order_of(sent, public_of(DESK))


def test_an_order_that_says_too_much_is_refused() -> None:
    """A table of an older version must not carry out half of what a newer desk means."""
    body = signed(order(), DESK).body.replace('"words":', '"unless":"it rains","words":')
    sent = SignedOrder(desk=id_of(public_of(DESK)), body=body, signature=sign_order(DESK, body))
    with pytest.raises(HallError):
        order_of(sent, public_of(DESK))


def test_time_is_taken_never_given() -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        TimePenalty(player="red", seconds=-60)


def test_a_tables_message_is_bound_to_its_topic() -> None:
    signature = sign_message(TABLE, "a/state", b"{}")
    assert message_is_signed(public_of(TABLE), "a/state", b"{}", signature)
    assert not message_is_signed(public_of(TABLE), "b/state", b"{}", signature)
    assert not message_is_signed(public_of(TABLE), "a/state", b"{ }", signature)
    assert not message_is_signed(public_of(STRANGER), "a/state", b"{}", signature)
    assert not message_is_signed(public_of(TABLE), "a/state", b"{}", "no signature")


def test_a_code_makes_desk_and_table_known_to_each_other() -> None:
    desk, table, stranger = public_of(DESK), public_of(TABLE), public_of(STRANGER)
    secret = secret_of_code(read_code("abcde-fgh1o"), table)
    asked = asked_of(payload_of(trust_asked(DESK, "Desk 1", secret, table)))
    assert isinstance(asked, TrustAsked)
    assert proves(asked.proof, secret, "desk", desk, table)
    assert not proves(asked.proof, secret, "desk", stranger, table), "nobody can put in a key of their own"
    assert not proves(asked.proof, secret, "table", desk, table), "a request is no answer"
    assert not proves(asked.proof, secret_of_code("ABCDEFGH12", table), "desk", desk, table)
    assert proof_of_code(secret, "table", desk, table) != asked.proof


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("abcde-fgh1o", "ABCDEFGH10"), (" ABCDE FGHIL ", "ABCDEFGH11"), ("ABCDEFGH1", ""), ("ABCDEFGHU1", ""), ("", "")],
)
def test_a_code_is_read_however_it_is_typed(typed: str, meant: str) -> None:
    assert read_code(typed) == meant


def test_a_report_comes_in_parts() -> None:
    page = bytes(range(256)) * (PART_BYTES // 100)
    parts = report_parts(page, hashlib.sha256(page).hexdigest(), "0" * 16, "0" * 32, 5)
    assert len(parts) == 3
    assert [answered_of(payload_of(part)) for part in parts] == parts
    assert b"".join(map(part_bytes, parts)) == page
    with pytest.raises(HallError):
        report_parts(bytes(MOST_PARTS * PART_BYTES + 1), "0" * 64, "0" * 16, "0" * 32, 5)


def test_every_order_that_rules_is_told_at_the_table_in_words_of_its_own() -> None:
    ruling = {kind.model_fields["act"].default for kind in get_args(get_args(Act)[0])} - {"report", "events"}
    assert set(arbiter._ACTS) == ruling
    assert TIME_PENALTY in ruling
