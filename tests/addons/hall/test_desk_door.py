"""Whoever asks to rule at a table gets a notice and no further: somebody there shows the code, or says no."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.addons.hall.door import ASKS_S, DeskDoor
from referee.addons.hall.orders import trust_asked
from referee.addons.hall.signing import id_of, public_of, read_code, secret_of_code
from referee.addons.hall.trusting import MOST_TRIES, DeskTrust
from tests.match.looking import Clock

TABLE = public_of(Ed25519PrivateKey.from_private_bytes(b"t" * 32))
DESK, OTHER = (Ed25519PrivateKey.from_private_bytes(letter * 32) for letter in (b"d", b"o"))


def said(door: DeskDoor) -> list[str]:
    return [notice.words.text("en") for notice in door.notices()]


def test_a_desk_that_asks_is_shown_once_and_let_in_by_the_code_alone(tmp_path: Path) -> None:
    clock, trust = Clock(), DeskTrust(tmp_path, TABLE)
    door = DeskDoor(clock)
    assert (door.view()["joined"], door.code().code) == (False, "no-hall")
    door.join(trust)
    door.asked("Ana", id_of(public_of(DESK)))
    door.asked("Mallory", id_of(public_of(OTHER)))
    told = f"The arbiter’s desk “Ana” ({id_of(public_of(DESK))}) asks to be trusted by this table."
    assert said(door) == [told], "one at a time"
    shown = str(door.code().result["code"])
    assert said(door) == []
    assert not trust.desks(), "to show a code lets nobody in"
    secret = secret_of_code(read_code(shown), TABLE)
    for _ in range(2 * MOST_TRIES):
        assert not trust.admit(trust_asked(OTHER, "Ana", secret, TABLE)), "whoever else has heard the code"
    assert trust.admit(trust_asked(DESK, "Ana", secret_of_code(read_code(shown), TABLE), TABLE))
    (desk,) = trust.desks()
    assert door.forget(desk).accepted
    assert door.forget(desk).code == "no-desk"


def test_after_a_no_nobody_is_told_of_for_a_while(tmp_path: Path) -> None:
    clock = Clock()
    door = DeskDoor(clock)
    door.join(DeskTrust(tmp_path, TABLE))
    door.asked("Mallory", "f" * 16)
    door.decline()
    door.asked("Mallory", "e" * 16)
    assert said(door) == []
    clock.now_s += ASKS_S
    door.asked("Ana", "d" * 16)
    assert len(said(door)) == 1
    clock.now_s += ASKS_S
    assert said(door) == [], "who waits for nothing any more is forgotten"
