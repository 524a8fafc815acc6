"""Checkpoints: what a player took away tells a journal that was cut or rewritten from an honest one."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cli import main
from referee.storage.checkpoint import Checkpoint, CheckpointError, CheckpointOf, Signer, contradiction, fingerprint
from referee.storage.journal import GENESIS, Journal, chain
from tests.storage.tampering import tamper
from web.qr import qr_rows


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.journal"
    with Journal(path) as journal:
        for number in range(6):
            journal.append("note", {"number": number})
    return path


def noted(path: Path, events: int | None = None) -> str:
    """Return a checkpoint of a journal, or of what it was when it had so many events."""
    signer = Signer.open(path.with_name("checkpoint.key"))
    with Journal(path) as journal:
        if events is None:
            return CheckpointOf(signer, lambda: journal).text()
        entry = list(journal.entries())[events - 1]
        return signer.sign(entry.number, entry.at, entry.hash).text


def verify(*words: object, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["journal", "verify", *map(str, words)], input=text)


def cut(path: Path, after: int) -> None:
    tamper(path, f"DELETE FROM events WHERE number > {after}")


def rewrite(path: Path) -> None:
    """Write the whole journal anew with another first event and a chain that is right."""
    db = sqlite3.connect(path)
    rows = db.execute("SELECT number, body FROM events ORDER BY number").fetchall()
    previous, statements = GENESIS, []
    for number, body in rows:
        changed = body.replace('"number":0}', '"number":9}')
        head = changed.rsplit('"previous":"', 1)
        changed = f'{head[0]}"previous":"{previous}"}}'
        previous = chain(previous, changed)
        statements.append(f"UPDATE events SET body = '{changed}', hash = '{previous}' WHERE number = {number}")
    db.close()
    tamper(path, *statements)


def test_an_honest_journal_keeps_its_word(game: Path) -> None:
    for note in (noted(game), noted(game, 3)):
        result = verify(
            game,
            "--checkpoint",
            "-",
            text=f"from my phone:\r\n\r\n  {note.replace(chr(10), '  ' + chr(13) + chr(10))}\n",
        )
        assert result.exit_code == 0, result.output
        assert "the journal begins with" in result.output


def test_a_tail_cut_off_is_seen_only_with_a_checkpoint(game: Path) -> None:
    note = noted(game)
    cut(game, 4)
    assert verify(game).exit_code == 0
    result = verify(game, "--checkpoint", "-", text=note)
    assert result.exit_code == 1
    assert "the last 2 events were cut off" in result.output


def test_a_journal_rewritten_as_a_whole_is_seen_only_with_a_checkpoint(game: Path) -> None:
    note = noted(game, 5)
    rewrite(game)
    assert verify(game).exit_code == 0, verify(game).output
    result = verify(game, "--checkpoint", "-", text=note)
    assert result.exit_code == 1
    assert "rewritten" in result.output


def test_an_edit_needs_none(game: Path) -> None:
    tamper(game, "UPDATE events SET body = replace(body, '\"number\":3}', '\"number\":7}') WHERE number = 4")
    result = verify(game)
    assert result.exit_code == 1
    assert "event 4 was changed" in result.output


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_sign_of_a_checkpoint_can_be_changed(data: st.DataObject) -> None:
    signer = Signer.open(_KEYS / "one.key")
    text = signer.sign(17, "2030-05-04T12:00:00.000+00:00", "ab" * 32).text
    at = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.characters(min_codepoint=33, max_codepoint=126).filter(lambda sign: sign != text[at]))
    with pytest.raises(CheckpointError):
        Checkpoint.parse(text[:at] + sign + text[at + 1 :])


@pytest.fixture(autouse=True, scope="module")
def _keys(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _KEYS
    _KEYS = tmp_path_factory.mktemp("keys")


_KEYS = Path()


def test_a_checkpoint_of_somebody_elses_key_is_told_by_its_fingerprint(game: Path, tmp_path: Path) -> None:
    note = noted(game)
    ours = fingerprint(Signer.open(game.with_name("checkpoint.key")).public)
    assert verify(game, "--checkpoint", "-", "--key", ours.upper().replace(" ", ""), text=note).exit_code == 0
    theirs = fingerprint(Signer.open(tmp_path / "other.key").public)
    result = verify(game, "--checkpoint", "-", "--key", theirs, text=note)
    assert result.exit_code == 1
    assert "another key" in result.output


@pytest.mark.parametrize("typed", ["zz", "", "0123 4567", "0" * 33, "g" * 32])
def test_a_mistyped_fingerprint_is_no_other_key(game: Path, typed: str) -> None:
    result = verify(game, "--checkpoint", "-", "--key", typed, text=noted(game))
    assert (result.exit_code, "signed with" in result.output) == (2, False), result.output
    assert f"{typed!r} is no fingerprint: give its 32 digits" in result.output


def test_files_that_are_not_there_are_named(game: Path, tmp_path: Path) -> None:
    for option in ("--checkpoint", "--note", "--authority"):
        result = verify(game, option, tmp_path / "none")
        assert (result.exit_code, "Errno" in result.output) == (2, False)
        assert f"{tmp_path / 'none'}' does not exist" in result.output


def test_certificates_are_looked_at_though_there_are_no_timestamps(game: Path, tmp_path: Path) -> None:
    (tmp_path / "shopping.pem").write_text("milk", encoding="utf-8")
    result = verify(game, "--authority", tmp_path / "shopping.pem")
    assert (result.exit_code, "holds no certificate (PEM)" in result.output) == (2, True), result.output


def test_one_event_is_one(tmp_path: Path) -> None:
    with Journal(tmp_path / "one.journal") as journal:
        journal.append("note", {})
    assert "1 event, the chain holds" in verify(tmp_path / "one.journal").output


def test_a_photographed_code_is_read(game: Path, tmp_path: Path) -> None:
    note = noted(game)
    drawn = np.array([[0 if square == "1" else 255 for square in row] for row in qr_rows(note)], np.uint8)
    drawn = cv2.copyMakeBorder(drawn, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255)
    picture = cv2.resize(drawn, None, fx=9, fy=9, interpolation=cv2.INTER_NEAREST)
    centre = (picture.shape[1] / 2, picture.shape[0] / 2)
    turned = cv2.warpAffine(picture, cv2.getRotationMatrix2D(centre, 7, 0.9), picture.shape[::-1], borderValue=(255,))
    cv2.imwrite(str(tmp_path / "code.png"), cv2.GaussianBlur(turned, (5, 5), 0))
    result = verify(game, "--checkpoint", tmp_path / "code.png")
    assert result.exit_code == 0, result.output
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((50, 50), 255, np.uint8))
    result = verify(game, "--checkpoint", tmp_path / "blank.png")
    assert result.exit_code == 2
    assert "no QR code can be read" in result.output


def test_a_checkpoint_fits_a_code_that_phones_read_at_arms_length(game: Path) -> None:
    text = noted(game)
    assert len(text.encode()) < 320
    assert len(qr_rows(text)) <= 73
    assert segno.make(text, micro=False, error="m", boost_error=False).error == "M"


def test_an_empty_journal_has_a_checkpoint_too(tmp_path: Path) -> None:
    with Journal(tmp_path / "empty.journal") as journal:
        made = Signer.open(tmp_path / "checkpoint.key").checkpoint(journal)
        assert (made.events, made.head) == (0, bytes(32))
        assert contradiction(made, list(journal.entries())) == ""


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "checkpoint.key"
    first = Signer.open(path)
    assert Signer.open(path).public == first.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["checkpoint.key"]


@pytest.mark.parametrize("held", ["", "no key", "AAAA", "ü" * 43])
def test_a_key_file_that_holds_none_is_said_and_kept(game: Path, held: str) -> None:
    path = game.with_name("checkpoint.key")
    path.write_text(held, encoding="utf-8")
    result = CliRunner().invoke(main, ["journal", "checkpoint", str(game)])
    assert result.exit_code == 2
    assert "holds no key for checkpoints" in result.output
    assert path.read_text(encoding="utf-8") == held


def test_the_command_prints_what_it_verifies(game: Path) -> None:
    made = CliRunner().invoke(main, ["journal", "checkpoint", str(game)])
    assert made.exit_code == 0
    assert verify(game, "--checkpoint", "-", text=made.output).exit_code == 0


@pytest.mark.parametrize("text", ["", "Referee checkpoint 1", "\x00" * 999])
def test_what_is_no_checkpoint_is_said(game: Path, text: str) -> None:
    result = verify(game, "--checkpoint", "-", text=text)
    assert result.exit_code == 2
    assert "this is no checkpoint" in result.output


def test_a_journal_that_is_not_there_is_said(tmp_path: Path) -> None:
    result = verify(tmp_path / "none.journal")
    assert result.exit_code == 2
    assert "there is no such journal" in result.output
