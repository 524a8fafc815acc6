"""Trees over events and the signed notes of C2SP: what RFC 6962 and C2SP's own examples say, and what is refused."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.archive.verify import parsed
from referee.storage.checkpoint import Signer
from referee.storage.diskspace import RESERVE_BYTES
from referee.storage.eventtree import EventTree
from referee.storage.signednote import (
    NoteError,
    WitnessNote,
    cosignature_line,
    cosigned_message,
    device_name,
    key_id,
    signed_by_table,
)
from referee.storage.witnesses import Witnessed, keep_witnessed, read_witnessed, spans
from tests.archive.witnessing import Phone
from tests.house.tmpfs import small_disk

LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
TABLE, PHONE = Signer(Ed25519PrivateKey.from_private_bytes(b"t" * 32)), Phone(b"p" * 32)
NOTE = PHONE.cosign(signed_by_table(TABLE, "0123456789abcdef", 17, b"r" * 32), 1_800_000_000)


def test_roots_and_proofs_are_those_of_certificate_transparency() -> None:
    """The known answers that logs are tested with (RFC 6962; certificate-transparency's merkle_tree_test)."""
    tree = EventTree()
    for leaf in LEAVES:
        tree.add(leaf)
    roots = {
        0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    }
    assert {size: tree.root(size).hex() for size in roots} == roots
    assert [one.hex()[:8] for one in tree.proof(6, 8)] == ["0ebc5d34", "ca854ea1", "d37ee418"]
    assert tree.proof(8, 8) == tree.proof(0, 8) == []
    with pytest.raises(IndexError):
        tree.proof(3, 9)


def test_c2sps_own_example_of_a_signed_note_holds() -> None:
    """The example at the end of https://c2sp.org/signed-note: key id and signature are made as it says."""
    key = base64.b64decode("AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
    blob = base64.b64decode(
        "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
    )
    assert key_id("example.com/foo", 1, key[1:]).hex() == "530d903a" == blob[:4].hex()
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(blob[4:], b"This is an example message.\n")
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    assert cosigned_message(text, 1679315147) == b"cosignature/v1\ntime 1679315147\n" + text.encode()


def test_a_note_says_what_was_signed_however_it_was_sent_around() -> None:
    sent = "\r\n " + NOTE.replace("\n", " \r\n") + "\n\n"
    found = WitnessNote.parse(sent)
    assert (found.head.key, found.head.game, found.head.events) == (TABLE.public, "0123456789abcdef", 17)
    assert [(one.key, one.at_s) for one in found.cosignatures] == [(PHONE.public, 1_800_000_000)]
    strange = "— somebody.example/else AAAAAAAA\n"
    assert WitnessNote.parse(NOTE + strange).cosignatures == found.cosignatures, "unknown names are passed over"
    assert WitnessNote.parse(sent.rstrip() + "\r\n" + strange).text == NOTE, "and nothing but what was signed is kept"
    again = Phone(b"q" * 32).cosign(NOTE, 1_800_000_001)
    assert len(WitnessNote.parse(again).cosignatures) == 2


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_sign_of_a_note_can_be_changed(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(NOTE.rstrip()) - 1))
    sign = data.draw(st.characters(min_codepoint=33, max_codepoint=126).filter(lambda sign: sign != NOTE[at]))
    changed = NOTE[:at] + sign + NOTE[at + 1 :]
    name = re.search(rf"{re.escape(device_name(PHONE.public))}", NOTE)
    assert name is not None
    try:
        found = WitnessNote.parse(changed)
    except NoteError:
        return
    # A name that is no device's any more is one that nobody knows: the table's word is left.
    assert at >= name.start()
    assert found.cosignatures == ()


@pytest.mark.parametrize("text", ["", "Referee checkpoint 1", "\x00" * 999, NOTE.replace("\n\n", "\n"), NOTE[:200]])
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        WitnessNote.parse(text)


def test_a_cosignature_under_a_strange_key_id_is_refused() -> None:
    line = cosignature_line(PHONE.public, 5, bytes(64))
    with pytest.raises(NoteError):
        WitnessNote.parse(signed_by_table(TABLE, "0" * 16, 1, b"r" * 32) + line)


def test_a_line_broken_off_by_the_power_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "game.table" / "witnesses.jsonl"
    keep_witnessed(path, Witnessed("Anna’s phone", NOTE))
    with path.open("ab") as file:
        file.write(b'{"device":"Bern')
    keep_witnessed(path, Witnessed("Tablet", NOTE))
    assert [one.device for one in read_witnessed(path)] == ["Anna’s phone", "Tablet"]


def test_numbers_are_told_in_spans() -> None:
    assert spans([1, 2, 3, 5, 7, 8]) == "1–3, 5, 7–8"
    assert spans([]) == ""


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x1e", "\r"])
def test_only_line_feeds_end_lines(sign: str, tmp_path: Path) -> None:
    body, below = NOTE.split("\n\n")
    for changed in (NOTE.replace("\n", sign), f"{body}\n\n" + below.rstrip("\n").replace("\n", sign) + "\n"):
        with pytest.raises(NoteError):
            WitnessNote.parse(changed)
        with pytest.raises(ValueError, match="was changed"):
            parsed(changed)
    named = Witnessed(f"Anna’s{sign}phone", NOTE)
    keep_witnessed(tmp_path / "witnesses.jsonl", named)
    assert read_witnessed(tmp_path / "witnesses.jsonl") == [named]


def test_the_last_of_a_disk_is_left_to_the_journal(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", RESERVE_BYTES // 1024 - 100) as disk:
        with pytest.raises(OSError, match="No space left"):
            keep_witnessed(disk / "game.table" / "witnesses.jsonl", Witnessed("Anna’s phone", NOTE))
        assert not list(disk.rglob("*.jsonl"))
