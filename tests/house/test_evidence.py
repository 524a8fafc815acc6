"""Pictures behind rulings: named by content, on the disk before their event, and never in a game's way."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.storage.diskspace import Reserve, free_bytes
from referee.storage.evidence import EvidenceStore, Keeping, content_id, pictures_folder
from referee.storage.journal import Journal, JournalError
from tests.house.tmpfs import small_disk

JPEG = b"\xff\xd8\xff\xe0 a picture"
PNG = b"\x89PNG\r\n a picture"


def store_in(folder: Path) -> EvidenceStore:
    return EvidenceStore(folder / "game.pictures", spare_bytes=0)


def test_a_picture_is_found_by_its_content(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    kept = store.keep({"cam0": JPEG, "cam1": PNG, "cam2": b"raw"})
    assert kept == {"cam0": content_id(JPEG), "cam1": content_id(PNG), "cam2": content_id(b"raw")}
    assert sorted(path.suffix for path in store.folder.iterdir()) == [".bin", ".jpg", ".png"]
    assert [store.picture(content) for content in kept.values()] == [JPEG, PNG, b"raw"]
    assert store.has(kept["cam0"])
    assert store.keep({"again": JPEG}) == {"again": kept["cam0"]}
    assert {picture.content for picture in store.pictures()} == set(kept.values())
    assert pictures_folder(tmp_path / "game.journal") == store.folder


@pytest.mark.parametrize("name", ["", "..", "../../etc/passwd", "0" * 63, "A" * 64, "0" * 64, "0" * 64 + "\n"])
def test_names_from_elsewhere_lead_nowhere(tmp_path: Path, name: str) -> None:
    assert store_in(tmp_path).picture(name) is None


def test_a_picture_that_was_changed_is_none(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    content = store.keep({"cam0": JPEG})["cam0"]
    (store.folder / f"{content}.jpg").write_bytes(JPEG + b"!")
    assert store.picture(content) is None
    assert store.has(content)
    # Of another size it is written anew when it comes again.
    store.keep({"cam0": JPEG})
    assert store.picture(content) == JPEG


def test_what_a_kill_left_half_written_goes_when_somebody_writes(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.keep({"cam0": JPEG})
    half = store.folder / f"{'0' * 64}.part"
    half.write_bytes(b"half")
    assert [picture.content for picture in EvidenceStore(store.folder).pictures()] == [content_id(JPEG)]
    assert half.exists()
    EvidenceStore(store.folder, spare_bytes=0).keep({"cam0": PNG})
    assert not half.exists()


def test_a_folder_that_cannot_be_written_stops_evidence_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = EvidenceStore(tmp_path / "file" / "pictures", spare_bytes=0)
    assert store.keep({"cam0": JPEG}) == {}
    assert store.state.keeping is Keeping.FAILED
    assert store.state.detail


def test_on_a_full_disk_evidence_stops_and_the_game_goes_on(tmp_path: Path) -> None:
    """A real disk of a megabyte, filled by somebody else: pictures stop first, the journal goes on."""
    picture = JPEG + bytes(50_000)
    with small_disk(tmp_path / "disk", 1024) as disk:
        reserve = Reserve(disk / "reserve", 256 * 1024)
        assert reserve.lay()
        store = EvidenceStore(disk / "game.pictures", spare_bytes=200 * 1024)
        with Journal(disk / "game.journal", make_room=reserve.give_up) as journal:
            look, kept = 0, {}
            while store.state.keeping is Keeping.ON:
                look += 1
                kept = store.keep({"cam0": picture + bytes([look])})
                journal.append("reading", {"look": look, "pictures": kept})
            assert look > 3
            assert kept == {}
            assert store.state.keeping is Keeping.FULL
            assert free_bytes(disk) > 100 * 1024
            with pytest.raises(OSError, match="No space"):
                (disk / "somebody else's").write_bytes(bytes(2 * 1024 * 1024))
            assert free_bytes(disk) == 0
            while look < 120:  # play goes on, into the reserve
                look += 1
                journal.append("reading", {"look": look, "text": "x" * 1000})
            assert not reserve.path.exists()
            assert [entry.data["look"] for entry in journal.entries()] == list(range(1, look + 1))
            (disk / "somebody else's").unlink()
            assert store.keep({"cam0": picture})
            assert store.state.keeping is Keeping.ON
            assert reserve.lay()


def test_a_journal_without_any_room_says_so_and_carries_on_later(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 512) as disk, Journal(disk / "game.journal") as journal:
        journal.append("note", {"n": 1})
        with pytest.raises(OSError, match="No space"):
            (disk / "big").write_bytes(bytes(1024 * 1024))
        with pytest.raises(JournalError, match=r"event \d+ could not be written: .*full"):
            fill(journal)
        stopped_at = journal.last
        (disk / "big").unlink()
        assert journal.append("note", {"n": stopped_at + 1}).number == stopped_at + 1
        assert [entry.data["n"] for entry in journal.entries()] == list(range(1, stopped_at + 2))


def fill(journal: Journal) -> None:
    while True:
        journal.append("note", {"n": journal.last + 1, "text": "x" * 2000})


def test_evidence_alone_can_fill_no_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 512) as disk:
        store = EvidenceStore(disk / "pictures", spare_bytes=0)
        for index in range(20):
            store.keep({"cam0": JPEG + bytes(100_000) + bytes([index])})
        assert store.state.keeping is Keeping.FULL
        assert not list(store.folder.glob("*.part"))
        assert all(store.picture(picture.content) for picture in store.pictures())


def test_a_reserve_is_laid_once_and_given_up_once(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / "deep" / "reserve", 100_000)
    assert not reserve.give_up()
    assert reserve.lay()
    assert reserve.lay()
    assert reserve.path.stat().st_blocks * 512 >= 100_000
    assert reserve.give_up()
    assert not reserve.path.exists()
    (tmp_path / "file").write_text("")
    assert not Reserve(tmp_path / "file" / "reserve").lay()


def test_a_picture_is_synced_before_it_has_its_name_and_its_folder_before_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill leaves what the system has in memory, a power cut does not: so the order of the syncs is looked at."""
    happened: list[str] = []
    fsync, rename = os.fsync, Path.rename

    def synced(handle: int) -> None:
        fsync(handle)
        happened.append(f"sync {Path(f'/proc/self/fd/{handle}').readlink().suffix}")

    def renamed(path: Path, to: Path) -> Path:
        happened.append(f"name {to.suffix}")
        return rename(path, to)

    store = store_in(tmp_path)
    store.keep({"cam0": JPEG})
    with Journal(tmp_path / "game.journal") as journal:
        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(Path, "rename", renamed)
        journal.append("reading", {"pictures": store.keep({"cam0": PNG, "cam1": JPEG + b"1"})})
    assert happened == ["sync .part", "name .png", "sync .part", "name .jpg", "sync .pictures"]


WRITER = """
import sys
from pathlib import Path
from referee.storage.evidence import EvidenceStore
from referee.storage.journal import Journal

store = EvidenceStore(Path(sys.argv[1]) / "game.pictures", spare_bytes=0)
with Journal(Path(sys.argv[1]) / "game.journal") as journal:
    while True:
        look = journal.last + 1
        pictures = {f"cam{n}": b"\\xff\\xd8\\xff" + f"{look} {n}".encode() * 5000 for n in (0, 1)}
        journal.append("reading", {"look": look, "pictures": store.keep(pictures)})
        print("written", flush=True)
"""


def test_killed_at_any_moment_every_picture_an_event_names_is_there(tmp_path: Path) -> None:
    chance = random.Random(6)
    for _ in range(int(os.environ.get("REFEREE_KILLS", "12"))):
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        with child.stdout:
            assert child.stdout.readline() == b"written\n"
            time.sleep(chance.uniform(0.0, 0.1))
            child.send_signal(signal.SIGKILL)
        child.wait()
    store = store_in(tmp_path)
    with Journal(tmp_path / "game.journal") as journal:
        entries = list(journal.entries())
    assert len(entries) >= 12
    for entry in entries:
        pictures = entry.data["pictures"]
        assert isinstance(pictures, dict)
        assert set(pictures) == {"cam0", "cam1"}
        for name, content in pictures.items():
            found = store.picture(content)
            assert found is not None
            assert found.startswith(b"\xff\xd8\xff" + f"{entry.number} {name[-1]}".encode())
