"""The table collects devices' notes: one for each head, of its own game only, and the proofs it gives hold."""

from __future__ import annotations

import base64
import hashlib

import pytest

from referee.archive.measures import witnesses_file
from referee.storage.checkpoint import Signer
from referee.storage.journal import Journal
from referee.storage.signednote import WitnessNote, signed_by_table
from referee.storage.witnesses import read_witnessed
from tests.archive.witnessing import Phone
from tests.auth.house import House
from tests.storage.tampering import tamper

PHONE = Phone(b"p" * 32)


def test_each_head_is_kept_once_with_the_devices_name(house: House) -> None:
    phone, tablet = house.pair("Anna’s phone"), house.pair("Tablet")
    assert phone.client.get("/api/witness").status_code == 404, "nothing has happened yet"
    for _ in range(2):
        note = PHONE.cosign(house.head(), 1_800_000_000)
        for _ in range(2):
            assert phone.post("/api/witness", {"note": note}).status_code == 200
        house.journal.append("note", {})
    assert tablet.post("/api/witness", {"note": Phone(b"t" * 32).cosign(house.head(), 5)}).status_code == 200
    kept = read_witnessed(witnesses_file(house.journal.path))
    assert [(one.device, WitnessNote.parse(one.note).head.events) for one in kept] == [
        ("Anna’s phone", 1),
        ("Anna’s phone", 2),
        ("Tablet", 3),
    ]
    house.app = house.new_app()  # the referee is started again
    assert phone.post("/api/witness", {"note": note}).status_code == 200
    assert len(read_witnessed(witnesses_file(house.journal.path))) == 3


def test_a_head_comes_with_the_proof_that_it_goes_on(house: House) -> None:
    for number in range(7):
        house.journal.append("note", {"number": number})
    leaves = [hashlib.sha256(b"\0" + bytes.fromhex(one.hash)).digest() for one in house.journal.entries()]
    told = house.pair().client.get("/api/witness?since=6").json
    assert (told["events"], told["game"]) == (7, next(house.journal.entries()).hash[:16])

    def both(left: bytes, right: bytes) -> bytes:
        return hashlib.sha256(b"\1" + left + right).digest()

    pairs = [both(leaves[at], leaves[at + 1]) for at in (0, 2, 4)]
    four = both(pairs[0], pairs[1])
    assert [base64.b64decode(one) for one in told["proof"]] == [pairs[2], leaves[6], four]
    assert WitnessNote.parse(told["note"]).head.root == both(four, both(pairs[2], leaves[6]))
    assert house.pair().client.get("/api/witness?since=8").json["proof"] == []


def test_what_is_not_of_this_game_is_not_kept(house: House) -> None:
    device, head = house.pair(), house.head()
    game = head.split("\n")[0].rsplit("/", 1)[1]
    ours, other = Signer.open(house.folder / "checkpoint.key"), Signer.open(house.folder / "other.key")
    root = WitnessNote.parse(head).head.root
    notes = {
        "the table alone": head,
        "two devices": Phone(b"q" * 32).cosign(PHONE.cosign(head, 5), 5),
        "another table": PHONE.cosign(signed_by_table(other, game, 1, root), 5),
        "another game": PHONE.cosign(signed_by_table(ours, "0" * 16, 1, root), 5),
        "another root": PHONE.cosign(signed_by_table(ours, game, 1, b"r" * 32), 5),
        "events to come": PHONE.cosign(signed_by_table(ours, game, 2, root), 5),
        "a wrong signature": PHONE.cosign(head, 5)[:-10] + "AAAAAAAA=\n",
        "no note": "a shopping list",
    }
    assert {what: device.post("/api/witness", {"note": note}).status_code for what, note in notes.items()} == (
        dict.fromkeys(notes, 409)
    )
    assert not witnesses_file(house.journal.path).exists()


def test_another_game_has_its_own_notes(house: House) -> None:
    device, first = house.pair(), PHONE.cosign(house.head(), 5)
    assert device.post("/api/witness", {"note": first}).status_code == 200
    with Journal(house.folder / "another.journal") as another:
        house.journal = another
        assert device.post("/api/witness", {"note": PHONE.cosign(house.head(), 5)}).status_code == 200
        assert device.post("/api/witness", {"note": first}).status_code == 409
        assert len(read_witnessed(witnesses_file(another.path))) == 1


def test_a_journal_that_was_changed_meanwhile_is_witnessed_by_nobody(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    device, note = house.pair(), PHONE.cosign(house.head(), 5)
    house.journal.append("note", {})
    tamper(house.journal.path, "UPDATE events SET body = replace(body, 'note', 'vote') WHERE number = 2")
    for _ in range(2):
        assert device.client.get("/api/witness").status_code == 404
        assert device.post("/api/witness", {"note": note}).status_code == 503
    assert [one.name for one in caplog.records if "can be witnessed" in one.message] == [
        "referee.addons.witnesses.witnessing"
    ]
