"""Copies of a game are entered, kept as files, taken to other tables; nothing half written, nothing unchecked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.daemon.copyeditor import CopyEditor
from referee.daemon.copyfolder import MOST_BYTES, MOST_COPIES, MOST_PICTURES, CopyFolder, CopyFolderError, slug
from referee.games import package_named
from referee.games.contract import HasCopies
from referee.values.words import LANGUAGES

JPEG = b"\xff\xd8\xff\xe0 a picture"


@pytest.fixture
def desk(tmp_path: Path) -> CopyEditor:
    game = package_named("terrabilis").game
    assert isinstance(game, HasCopies)
    return CopyEditor(game, CopyFolder(tmp_path / "copies"))


def begun(desk: CopyEditor, name: str = "Club 1") -> str:
    outcome = desk.begin(name)
    assert outcome.accepted, outcome.words
    return str(outcome.result["id"])


def test_a_copy_is_begun_filled_shared_and_taken_in_elsewhere(desk: CopyEditor) -> None:
    club = begun(desk)
    added = desk.put(club, "infrastructures", "", {"name": "Mill", "kind": "economic", "price": 5000})
    assert added.result == {"id": "club-1", "row": "mill"}
    text = desk.text(club)
    assert text is not None
    taken = desk.take_in(json.loads(text))
    assert taken.result == {"id": "club-1-2"}
    assert [one["name"] for one in desk.names()] == ["Club 1", "Club 1 2"]
    view: Any = desk.view(club, "en")
    assert view["gaps"] > 0
    assert desk.chosen({"copy": club, "edition": "fr"})["copy"] == json.loads(text)
    assert desk.chosen({"copy": "invented"}) == {"copy": "invented"}
    assert desk.chosen({}) == {}


def test_what_is_wrong_is_told_and_nothing_is_changed(desk: CopyEditor) -> None:
    club = begun(desk)
    before = desk.text(club)
    for outcome, code in [
        (desk.put(club, "infrastructures", "", {"name": "Mill", "kind": "wooden"}), "data"),
        (desk.put("nobody", "infrastructures", "", {"name": "Mill"}), "no-copy"),
        (desk.take_in({"copy": "x"}), "data"),
        (desk.begin(" "), "arguments"),
        (desk.keep_picture(club, "track", "all", b"GIF89a"), "picture"),
        (desk.keep_picture("nobody", "track", "all", JPEG), "no-copy"),
    ]:
        assert (outcome.accepted, outcome.code) == (False, code)
        assert outcome.words is not None
    assert desk.text(club) == before
    assert desk.view("nobody", "en") is None
    assert desk.text("../../etc/passwd") is None


def test_a_picture_is_kept_beside(desk: CopyEditor) -> None:
    club = begun(desk)
    assert desk.keep_picture(club, "track", "all", JPEG).accepted
    assert desk.picture(club, "track", "all") == JPEG
    assert desk.picture(club, "track", "..") is None
    view: Any = desk.view(club, "en")
    assert view["pictures"] == ["track-all"]


def test_the_picture_of_a_card_goes_with_it(desk: CopyEditor) -> None:
    club = begun(desk)
    mill = {"name": "Mill", "kind": "economic"}
    for once in range(2):
        assert desk.put(club, "infrastructures", "", mill).result["row"] == "mill"
        assert desk.picture(club, "infrastructures", "mill") is None, once
        assert desk.keep_picture(club, "infrastructures", "mill", JPEG).accepted
        assert desk.put(club, "infrastructures", "mill", mill | {"price": 3000}).accepted
        assert desk.picture(club, "infrastructures", "mill") == JPEG
        assert desk.put(club, "infrastructures", "mill", None).accepted


def test_a_file_that_is_broken_says_so(desk: CopyEditor, tmp_path: Path) -> None:
    club = begun(desk)
    path = tmp_path / "copies" / f"{club}.json"
    path.write_text("{", encoding="utf-8")
    view: Any = desk.view(club, "en")
    assert str(path) in view["doubts"][0]
    assert not desk.put(club, "stock", "all", {"green": 1}).accepted
    assert desk.text(club) is None
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(CopyFolderError, match="no copy of a game"):
        CopyFolder(tmp_path / "copies").read(club)


def test_a_full_disk_keeps_what_was_there(desk: CopyEditor, tmp_path: Path) -> None:
    club = begun(desk)
    before = desk.text(club)
    (tmp_path / "copies" / "blocked").write_text("", encoding="utf-8")
    shelf = CopyFolder(tmp_path / "copies" / "blocked")
    with pytest.raises(CopyFolderError, match="can’t be written"):
        shelf.write("club", {})
    assert desk.text(club) == before


@pytest.mark.parametrize(("name", "file"), [("Club 1", "club-1"), ("Été à l’Œuvre", "ete-a-luvre"), ("★", "copy")])
def test_files_are_named_plainly(name: str, file: str) -> None:
    assert slug(name) == file


def test_no_copy_is_written_over_for_want_of_a_place_in_the_list(desk: CopyEditor, tmp_path: Path) -> None:
    last = begun(desk, "zzz")
    text = (tmp_path / "copies" / f"{last}.json").read_text()
    for number in range(MOST_COPIES):
        (tmp_path / "copies" / f"a{number}.json").write_text(text)
    for outcome in (desk.begin("zzz"), desk.begin("another"), desk.take_in(json.loads(text))):
        assert not outcome.accepted
        assert "200 copies" in str(outcome.words)
    assert (tmp_path / "copies" / f"{last}.json").read_text() == text


def test_pictures_of_a_copy_come_to_an_end(desk: CopyEditor, tmp_path: Path) -> None:
    club = begun(desk)
    folder = tmp_path / "copies" / f"{club}.pictures"
    folder.mkdir()
    for number in range(MOST_PICTURES - 1):
        (folder / f"cards-{number}.jpg").write_bytes(JPEG)
    assert desk.keep_picture(club, "track", "all", JPEG).accepted
    assert desk.keep_picture(club, "alliance", "all", JPEG).code == "full"
    assert desk.keep_picture(club, "track", "all", JPEG + b" again").accepted


def test_only_parts_that_a_copy_has_are_pictured(desk: CopyEditor, tmp_path: Path) -> None:
    club = begun(desk)
    desk.put(club, "infrastructures", "", {"name": "Mill", "kind": "economic"})
    for part, row in [
        ("infrastructures", "oven"),
        ("track", "mill"),
        ("stock", "all"),
        ("part1", "all"),
        ("a/b", ".."),
    ]:
        outcome = desk.keep_picture(club, part, row, JPEG)
        assert (outcome.accepted, outcome.code) == (False, "no-part"), (part, row)
    assert not (tmp_path / "copies" / f"{club}.pictures").exists()
    assert desk.keep_picture(club, "infrastructures", "mill", JPEG).accepted


def test_all_copies_together_take_only_so_much(tmp_path: Path) -> None:
    game = package_named("terrabilis").game
    assert isinstance(game, HasCopies)
    desk = CopyEditor(game, CopyFolder(tmp_path / "copies", most_bytes=1_000_000, spare_bytes=0))
    clubs = [begun(desk, f"Club {n}") for n in range(4)]
    large = JPEG + bytes(300_000)
    kept = [desk.keep_picture(club, "track", "all", large) for club in clubs]
    assert [one.accepted for one in kept] == [True, True, True, False]
    assert kept[-1].code == "full"
    assert kept[-1].words is not None
    assert len({kept[-1].words.text(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert desk.keep_picture(clubs[0], "track", "all", large).accepted, "in place of one of that size"
    assert desk.drop_picture(clubs[0], "track", "all").accepted
    assert desk.drop_picture(clubs[0], "track", "all").code == "no-picture"
    assert desk.keep_picture(clubs[3], "track", "all", large).accepted


def test_pictures_and_new_copies_leave_room_on_the_disk(tmp_path: Path) -> None:
    game = package_named("terrabilis").game
    assert isinstance(game, HasCopies)
    club = begun(CopyEditor(game, CopyFolder(tmp_path / "copies", spare_bytes=0)))
    desk = CopyEditor(game, CopyFolder(tmp_path / "copies", spare_bytes=10**18))
    for outcome in (desk.keep_picture(club, "track", "all", JPEG), desk.begin("Club 2")):
        assert (outcome.accepted, outcome.code) == (False, "full")
        assert outcome.words is not None
        assert "remove pictures or copies" in outcome.words.text()
    assert desk.put(club, "stock", "all", {"green": 1}).accepted, "what is typed at the table counts still"
    assert desk.names() == [{"id": club, "name": "Club 1"}]


def test_a_copy_is_deleted_with_its_pictures(desk: CopyEditor, tmp_path: Path) -> None:
    club, other = begun(desk), begun(desk, "Club 2")
    assert desk.keep_picture(club, "track", "all", JPEG).accepted
    assert desk.keep_picture(other, "track", "all", JPEG).accepted
    assert desk.drop(club).accepted
    assert sorted(path.name for path in (tmp_path / "copies").iterdir()) == ["club-2.json", "club-2.pictures"]
    assert desk.picture(other, "track", "all") == JPEG
    for name in (club, "../copies", "nobody"):
        assert desk.drop(name).code == "no-copy"
    assert desk.drop_picture("../copies", "track", "all").code == "no-picture"


def test_a_copy_too_long_to_be_read_again_is_not_written(tmp_path: Path) -> None:
    shelf = CopyFolder(tmp_path / "copies")
    shelf.write("club", {"copy": "Club"})
    with pytest.raises(CopyFolderError, match="too much for a copy"):
        shelf.write("club", {"copy": "C" * MOST_BYTES})
    assert shelf.read("club") == {"copy": "Club"}
