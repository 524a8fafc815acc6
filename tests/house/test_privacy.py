"""Whatever door a picture comes through, nothing on the disk says where or by whom it was taken."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from calibration.picturefile import decode_picture
from referee.archive.backup import FORMAT, MANIFEST, BackupWishes, backup
from referee.archive.export import export
from referee.archive.packed import PackedGame
from referee.archive.restore import restore
from referee.archive.taking import take_in
from referee.cli import main
from referee.daemon.copyeditor import CopyEditor
from referee.daemon.copyfolder import CopyFolder
from referee.daemon.photographs import found_photographs, load_photograph
from referee.demo.recording import BUNDLED, Recording
from referee.games.terrabilis.engine import GAME
from referee.kinds.ledger.desk import MatDesk
from referee.session.capture import Capture, Pictures
from referee.session.pictures import encoded, only_boards
from referee.storage.evidence import EvidenceStore, pictures_folder
from tests.archive.game import write_journal
from tests.calibration.exif import noted
from tests.vision.sources.patience import eventually
from vision.ledger.places import NOWHERE
from vision.ledger.reader import MatReader
from vision.reader import TableReader
from vision.sources.address import parse_source
from vision.sources.camera import Camera

OAK = Path(__file__).parents[1] / "data" / "mats" / "oak"
CLUB = Path(__file__).parents[1] / "data" / "tables" / "club"
OWNER, PLACE = "Erika Mustermann's phone", "Musterstrasse 7"
TELLING = (b"Mustermann", b"Musterstrasse", b"GPSLatitude", b"\x25\x88\x04\x00\x01", b"2026:03:14")
"""Owner, place, an XMP name, the entry of an EXIF block that leads to GPS, the time."""
Door = Callable[[bytes, Path], None]


def telling(jpeg: bytes) -> bytes:
    """Return a picture as a phone would send it: EXIF with owner, time and place, and XMP with the place again."""
    told = noted(jpeg, taken="2026:03:14 20:15:00", model=OWNER, place=PLACE)
    xmp = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta exif:GPSLatitude='52,31.2N'/>"
    return told[:2] + b"\xff\xe1" + (len(xmp) + 2).to_bytes(2, "big") + xmp + told[2:]


def keep(pictures: Pictures, disk: Path) -> None:
    """Keep a look's pictures of the bundled table as a session does."""
    _, cameras = TableReader.open(BUNDLED).views(pictures)
    shown = encoded(only_boards(Capture.of(pictures, 0.0), cameras).newest)
    assert EvidenceStore(disk / "game.pictures", spare_bytes=0).keep(shown).keys() == pictures.keys()


def phone(jpeg: bytes, disk: Path) -> None:
    with Camera("cam0", parse_source("phone:left")) as camera:
        eventually(lambda: camera.offer(jpeg, 0.0))
        eventually(lambda: camera.newest() is not None)
        newest = camera.newest()
        picture = None if newest is None else newest.load()
    assert picture is not None
    keep({"cam0": picture}, disk)


def photographs(jpeg: bytes, disk: Path) -> None:
    folder = disk.parent / "photographs"
    folder.mkdir()
    (folder / "IMG_1.jpg").write_bytes(jpeg)
    (found,) = found_photographs(folder)
    assert found.note.taken_at is not None
    keep({"cam0": load_photograph(found)}, disk)


def taken_up(jpeg: bytes, disk: Path) -> Path:
    """Lay out a game whose pictures an earlier version took in as they were; return its journal."""
    journal = write_journal(disk.parent / "earlier" / "games" / "one.journal", lambda number, camera: jpeg)
    assert len(list(EvidenceStore(pictures_folder(journal)).pictures())) == 1
    return journal


def packed(jpeg: bytes, disk: Path) -> None:
    export(taken_up(jpeg, disk), disk / "one.zip")


def foreign_export(jpeg: bytes, disk: Path) -> None:
    journal, out = taken_up(jpeg, disk), disk.parent / "foreign.zip"
    with pytest.MonkeyPatch.context() as patch:  # another program packs what it finds
        patch.setattr("referee.archive.export.says_more", lambda content: False)
        export(journal, out)
    assert any(sign in content for content in inside(out.read_bytes()) for sign in TELLING)
    with PackedGame(out) as game:
        told = take_in(game, disk / "one.journal", spare_bytes=0)
    assert any("by whom it was taken" in words.text() for words in told.lacking)


def backed_up(jpeg: bytes, disk: Path) -> None:
    journal = taken_up(jpeg, disk)
    told = backup(journal.parents[1], disk / "backup.zip", BackupWishes((table(jpeg, disk),)))
    assert (len(told.telling), len(told.targetless)) == (1, 2)


def foreign_backup(jpeg: bytes, disk: Path) -> None:
    journal, out = taken_up(jpeg, disk), disk.parent / "foreign.zip"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.archive.backup.says_more", lambda content: False)
        patch.setattr("referee.archive.backup.target_only", lambda picture, finder: jpeg)
        backup(journal.parents[1], out, BackupWishes((table(jpeg, disk),)))
    told = restore(out, disk)
    assert (told.games, told.tables, len(told.left_out)) == (["one"], ["table"], 1)
    assert list((disk / "tables").rglob("*.jpg"))


def table(jpeg: bytes, disk: Path) -> Path:
    """Return a table's folder with a picture for a lens that somebody put there by hand."""
    folder = disk.parent / "table"
    (folder / "calibration" / "cam0").mkdir(parents=True)
    shutil.copy(BUNDLED / "table.json", folder)
    (folder / "calibration" / "cam0" / "1.jpg").write_bytes(jpeg)
    (folder / "calibration" / "cam0" / "1.tif").write_bytes(tif())
    return folder


def tif() -> bytes:
    """Return a picture of a kind that no referee writes, with its owner's name."""
    made = BytesIO()
    Image.new("RGB", (64, 48)).save(made, "TIFF", tiffinfo={315: OWNER, 270: PLACE})
    return made.getvalue()


def foreign_kinds(jpeg: bytes, disk: Path) -> None:
    """Restore a backup that another program made, with pictures of a kind that no referee writes."""
    journal, out = taken_up(jpeg, disk), disk.parent / "foreign.zip"
    content = hashlib.sha256(tif()).hexdigest()
    names = ("one.pictures/{}.tif", "one.pictures/{}.journal")
    games = {f"games/{name.format(content)}": tif() for name in names}
    lens = {"tables/oak/calibration/cam0/1.tif": tif(), "tables/oak/calibration/cam0/2": tif()}
    files = {"games/one.journal": journal.read_bytes(), "tables/oak/table.json": b"{}", **games, **lens}
    told = {name: {"bytes": len(each), "sha256": hashlib.sha256(each).hexdigest()} for name, each in files.items()}
    with zipfile.ZipFile(out, "w") as pack:
        for name, each in files.items():
            pack.writestr(name, each)
        pack.writestr(MANIFEST, json.dumps({"format": FORMAT, "files": told}))
    assert restore(out, disk).left_out == list(games)
    for name in lens:
        assert decode_picture((disk / name).read_bytes()).shape == (48, 64, 3)
    assert (disk / "tables" / "oak" / "table.json").read_bytes() == b"{}"


def frame(jpeg: bytes, disk: Path) -> None:
    place = disk / "table"
    shutil.copytree(CLUB, place, ignore=shutil.ignore_patterns("pictures"))
    stills = disk.parent / "stills"
    stills.mkdir()
    (stills / "1.jpg").write_bytes(telling((CLUB / "pictures" / "001_cam0.jpg").read_bytes()))
    settings = {"REFEREE_SETTINGS": "", "XDG_CONFIG_HOME": str(disk), "REFEREE_CAMERAS_CAM0": f"folder:{stills}"}
    done = CliRunner().invoke(main, ["calibrate", "frame", "--table", str(place), "--live"], env=settings)
    assert list((place / "frame").glob("*.jpg")), done.output


def card(jpeg: bytes, disk: Path) -> None:
    desk = CopyEditor(GAME, CopyFolder(disk / "copies", spare_bytes=0))
    club = str(desk.begin("Club").result["id"])
    assert desk.keep_picture(club, "track", "all", jpeg).accepted
    assert (decode_picture(desk.picture(club, "track", "all") or b"") == decode_picture(jpeg)).all()


def mat(jpeg: bytes, disk: Path) -> None:
    place = disk / "oak"
    shutil.copytree(OAK, place, ignore=shutil.ignore_patterns("*.jpg", "places.json", "mat.png"))
    playing = MatReader(MatReader.open(OAK).table, place, NOWHERE)
    with Camera("cam0", parse_source("phone:left")) as camera:
        shown = telling((OAK / "000.jpg").read_bytes())
        eventually(lambda: camera.offer(shown, 0.0))
        eventually(lambda: camera.newest() is not None)
        assert MatDesk(GAME, playing, {"cam0": camera}).photograph("cam0").accepted
    assert (place / "mat.png").is_file()


def report(jpeg: bytes, disk: Path) -> None:
    journal, out = taken_up(jpeg, disk), disk / "turn.html"
    done = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--out", str(out)])
    assert (done.exit_code, out.is_file()) == (0, True), done.output


DOORS: list[Door] = [
    phone, photographs, packed, foreign_export, backed_up, foreign_backup, foreign_kinds, frame, card, mat, report,
]  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_nothing_on_the_disk_says_where_or_by_whom_a_picture_was_taken(door: Door, tmp_path: Path) -> None:
    jpeg = telling(next(iter(Recording.open(BUNDLED).looks)).pictures["cam0"].read_bytes())
    assert all(any(sign in content for content in inside(jpeg)) for sign in TELLING)
    disk = tmp_path / "disk"
    disk.mkdir()
    door(jpeg, disk)
    written = [path for path in disk.rglob("*") if path.is_file()]
    assert written
    for path in written:
        for content in inside(path.read_bytes()):
            assert [sign for sign in TELLING if sign in content] == [], path


def inside(content: bytes) -> Iterator[bytes]:
    """Yield a file's content, and that of everything packed in it."""
    yield content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(content)) as files:
            for name in files.namelist():
                yield from inside(files.read(name))
