"""``referee new``: with options, and asked on a real terminal."""

from __future__ import annotations

import json
import os
import pty
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.layout import pieces
from calibration.printing.measure import measure_svg
from calibration.table import load_table
from referee.cli import main

DOCS = Path(__file__).parent.parent.parent / "docs"


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["new", *words])
    return result.exit_code, result.stdout, result.stderr


FITS = {"terra-turrium": "284 x 284", "torres": "320 x 320", "turris": "156 x 156", "terrabilis": "460 x 330"}


@pytest.mark.parametrize("game", FITS)
def test_one_phone_is_a_table_that_asks_nothing(tmp_path: Path, game: str) -> None:
    folder = tmp_path / "mine"
    status, out, err = run(str(folder), "--preset", "one-phone", "--game", game)
    assert (status, err) == (0, "")
    assert "calibrate sheets" in out
    fits = {"terra-turrium": "284 x 284", "torres": "320 x 320", "turris": "156 x 156", "terrabilis": "460 x 330"}[
        game
    ]
    assert f"fits a board of {fits} mm, from edge to edge: lay a ruler on yours" in out
    table = load_table(folder)
    assert (table.cameras, table.held) == (("phone",), ("phone",))
    steps = " ".join((folder / "README.md").read_text().split())
    assert "scan the code with the phone" in steps
    assert "https" not in steps
    seen = game != "terrabilis"  # nothing of its set-up is read, so its walk ends by hand
    assert ("**Walk once around the board**" in steps) is ("certificate come out of" in steps) is seen
    assert ("touch *Stop showing*" in steps) is not seen
    assert "calibrate lenses" not in steps


@pytest.mark.parametrize("at_once", [True, False])
def test_a_phone_in_the_hand_beside_fixed_cameras(tmp_path: Path, at_once: bool) -> None:
    """With the table or later; it needs no step that the fixed cameras need, so it appears in none."""
    folder = tmp_path / "club"
    sizes = ["--preset", "cubes-20", "--camera", "left", "--camera", "right"]
    assert run(str(folder), *sizes, *(["--phone"] if at_once else ()))[0] == 0
    if not at_once:
        before = json.loads((folder / "table.json").read_text())
        status, out, err = run(str(folder), "--phone")
        assert (status, err) == (0, "")
        assert "names a phone in the hand now" in out
        assert json.loads((folder / "table-before-1.json").read_text()) == before
    table = load_table(folder)
    assert (table.cameras, table.held) == (("left", "right", "phone"), ("phone",))
    status, _, err = run(str(folder), "--phone")
    assert (status, "phone is a phone in the hand already" in err) == (2, True)
    steps = (folder / "README.md").read_text()
    assert "--image left=left.jpg --image right=right.jpg`" in steps
    assert "phone=" not in steps
    assert ("The phone needs none of these steps" in steps) is at_once
    for words in ("lenses", "check"):
        told = CliRunner().invoke(main, ["calibrate", words, "--table", str(folder)]).output
        assert "left" in told
        assert "phone: " not in told.replace("phone=", "phone: ")


def test_a_phone_beside_nothing_measured_is_refused(tmp_path: Path) -> None:
    status, _, err = run(str(tmp_path / "mine"), "--game", "terrabilis", "--preset", "no-cameras", "--phone")
    assert (status, "--phone is not needed" in err) == (2, True)


def test_what_can_not_be_is_told_in_words(tmp_path: Path) -> None:
    _, _, err = run(str(tmp_path / "mine"), "--preset", "nonsense")
    assert "'nonsense': use one of " in err
    assert "one-phone" in err
    status, _, err = run("/proc/foo", "--preset", "one-phone")
    assert (status, err) == (2, "referee new: /proc/foo: nothing can be made there; name another place\n")
    run(str(tmp_path / "mine"), "--preset", "one-phone")
    none = tmp_path / "none"
    words = ["calibrate", "sheets", "--table", str(tmp_path / "mine"), "--out", str(none / "x.pdf")]
    told = CliRunner().invoke(main, words).stderr
    assert told == f"referee calibrate sheets: {none}: there is no such folder; make it or name another\n"


@pytest.mark.parametrize("words", [("lenses", "--live"), ("frame", "--live")])
def test_what_a_held_phone_can_not_be_used_for_says_what_it_is(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = tmp_path / "mine"
    run(str(folder), "--preset", "one-phone")
    told = CliRunner().invoke(main, ["calibrate", *words, "--table", str(folder)]).output
    assert "phone is a phone, which sends pictures to 'referee run' only" in told


def test_a_phone_without_a_lens_is_walked_around_the_board(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    run(str(folder), "--preset", "one-phone")
    for words in (["calibrate", "check", "--image", "phone=x.jpg"], ["read"], ["rehearse"]):
        named = [] if words == ["rehearse"] else ["--table"]
        done = CliRunner().invoke(main, [*words, *named, str(folder)], input='{"images":{"phone":"x.jpg"}}')
        assert f"start 'referee run {folder}' and walk around the board with the phone" in done.output, words
        assert "calibration target" not in done.output


@pytest.mark.parametrize("preset", ["plastic", "cubes-20", "cubes-25"])
def test_a_preset_is_a_table_that_can_be_printed(tmp_path: Path, preset: str) -> None:
    folder = tmp_path / "mine"
    status, out, err = run(str(folder), "--preset", preset, "--camera", "left")
    assert (status, err) == (0, "")
    assert "calibrate sheets" in out
    table = load_table(folder)
    assert table.cameras == ("left",)
    assert (folder / "calibration" / "left").is_dir()
    assert "calibrate check --table mine --image left=left.jpg" in (folder / "README.md").read_text()
    assert (folder / "measure.svg").read_text().startswith("<?xml")
    assert [len(places) for places in table.margin_fields.values()] == [5, 5, 5, 5]
    frame = [corner for at in table.markers.values() for corner in at[:, :2]]
    for places in table.margin_fields.values():
        for x, y in places:
            assert all(max(abs(x - a), abs(y - b)) > table.pitch_mm[0] / 2 for a, b in frame)
    result = CliRunner().invoke(main, ["calibrate", "sheets", "--table", str(folder), "--paper", "letter"])
    assert result.exit_code == 0
    assert (folder / "sheets-letter.pdf").read_bytes().startswith(b"%PDF")
    assert len(pieces(table)) == 8


@pytest.mark.parametrize("preset", ["bars-18", "bars-25"])
def test_a_preset_of_a_tower_is_a_table_that_can_be_printed(tmp_path: Path, preset: str) -> None:
    folder = tmp_path / "mine"
    status, _out, err = run(str(folder), "--game", "turris", "--preset", preset, "--camera", "left")
    assert (status, err) == (0, "")
    table = load_table(folder)
    assert table.tower is not None
    frame = [corner for at in table.markers.values() for corner in at]
    half = table.tower.board_mm[0] / 2
    tower = 1.5 * table.pitch_mm[0]
    assert all(max(abs(x), abs(y)) < half and z == 0 for x, y, z in frame), "the markers lie on the board"
    assert all(max(abs(x), abs(y)) > tower for x, y, _ in frame), "and none below the tower"
    result = CliRunner().invoke(main, ["calibrate", "sheets", "--table", str(folder)])
    assert result.exit_code == 0, result.output


def test_a_mat_is_a_table_that_can_be_printed(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    words = "--game terrabilis --preset mat --mat 500x400 --die 14.5 --camera over"
    assert run(str(folder), *words.split())[0] == 0
    table = load_table(folder)
    assert (table.die_mm, table.half_size_mm, table.cameras) == (14.5, (250.0, 200.0), ("over",))
    corners = [corner for at in table.markers.values() for corner in at]
    assert all(abs(x) > 250 or abs(y) > 200 for x, y, _ in corners), "the frame lies around the mat"
    assert "/mat" in (folder / "README.md").read_text(encoding="utf-8")
    result = CliRunner().invoke(main, ["calibrate", "sheets", "--table", str(folder)])
    assert result.exit_code == 0, result.output


def test_sizes_of_a_tower_land_in_its_table(tmp_path: Path) -> None:
    words = "--game turris --preset bars-18 --bar 20x20x40 --base 66x64x2 --board 250x240 --camera a"
    assert run(str(tmp_path), *words.split())[0] == 0
    table = load_table(tmp_path)
    assert table.tower is not None
    assert (table.cube_mm, table.tower.board_mm, table.tower.base_mm) == ((20, 20, 20), (250, 240), 2)


@pytest.mark.parametrize("preset", ["box", "wood-25"])
def test_a_table_of_castles_has_knights_and_a_king(tmp_path: Path, preset: str) -> None:
    """Sizes given or taken from the preset; the printed frame fits the eight by eight fields."""
    folder = tmp_path / "mine"
    given = "--knight-height 27 --knight-radius 6.5 --king-height 41 --king-radius 8"
    assert run(str(folder), "--game", "torres", "--preset", preset, *given.split())[0] == 0
    written = json.loads((folder / "table.json").read_text())
    assert "flag" not in written
    assert (written["knight"], written["king"]) == ({"height": 27, "radius": 6.5}, {"height": 41, "radius": 8})
    table = load_table(folder)
    assert (table.columns, table.rows) == (8, 8)
    assert (table.flag.height_mm, table.flag.radius_mm, table.flag.tallest_mm) == (27, 6.5, 41)
    result = CliRunner().invoke(main, ["calibrate", "sheets", "--table", str(folder)])
    assert result.exit_code == 0, result.output
    assert run(str(tmp_path / "usual"), "--game", "torres", "--preset", preset)[0] == 0
    usual = load_table(tmp_path / "usual").flag
    assert 0 < usual.height_mm < usual.tallest_mm


@pytest.mark.parametrize(("game", "odd"), [("torres", "--flag-height"), ("terra-turrium", "--king-radius")])
def test_sizes_of_figures_that_nobody_has_are_refused(tmp_path: Path, game: str, odd: str) -> None:
    preset = {"torres": "box", "terra-turrium": "plastic"}[game]
    status, _, err = run(str(tmp_path / "mine"), "--game", game, "--preset", preset, odd, "8")
    assert status == 2
    assert f"{odd} does not fit this game" in err
    assert not (tmp_path / "mine").exists()


def test_a_board_too_small_for_markers_is_refused(tmp_path: Path) -> None:
    status, _, err = run(str(tmp_path), "--game", "turris", "--preset", "bars-18", "--board", "100")
    assert status == 2
    assert "the board must be" in err


def test_every_option_lands_in_the_table(tmp_path: Path) -> None:
    words = (
        "--preset plastic --columns 8 --rows 6 --pitch 30x32 --stone 27x28x15,5 --flag pole --flag-height 40 "
        "--flag-radius 2 --board 300x260 --thickness 0 --no-tracks --camera a --camera b"
    )
    assert run(str(tmp_path), *words.split())[0] == 0
    table = load_table(tmp_path)
    assert (table.columns, table.rows, table.pitch_mm) == (8, 6, (30, 32))
    assert table.cube_mm == (27, 28, 15.5)
    assert (table.flag.style, table.flag.height_mm, table.flag.radius_mm) == ("pole", 40, 2)
    assert table.margin_fields == {}
    assert table.cameras == ("a", "b")
    assert min(abs(at[:, 0]).min() for n, at in table.markers.items() if abs(at[:, 1]).max() < 100) > 150


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "give --preset, one of plastic, cubes-20, cubes-25"),
        ("--preset steel", "no preset 'steel'"),
        ("--preset plastic --stone 25x20x13", "line 6: cube.0: a stone of 25 mm does not fit"),
        ("--preset plastic --stone 20x20", "is not 3 lengths in mm, such as 20.5x20.5x13"),
        ("--preset plastic --pitch wide", "is not 2 lengths"),
        ("--preset plastic --pitch 0", "between 0.1 and 2000 mm"),
        ("--preset plastic --camera ../x", "cameras.0"),
        ("--preset plastic --camera a --camera a", "named twice"),
        ("--preset plastic --board 200", "its fields alone measure 220 mm"),
        (
            "--preset plastic --board 240",
            "margin tracks lie 122 mm from the board's middle, but the board ends at 120",
        ),
        ("--preset plastic --board 2000 --pitch 100", "more markers than there are"),
    ],
)
def test_wrong_values_leave_nothing_behind(tmp_path: Path, words: str, says: str) -> None:
    status, _, err = run(str(tmp_path / "mine"), *words.split())
    assert status == 2
    assert says in err
    assert not (tmp_path / "mine" / "table.json").exists()


def test_a_table_is_never_overwritten_unasked(tmp_path: Path) -> None:
    assert run(str(tmp_path), "--preset", "plastic")[0] == 0
    before = (tmp_path / "table.json").read_text()
    status, _, err = run(str(tmp_path), "--preset", "cubes-25")
    assert status == 2
    assert "there is a table already" in err
    assert (tmp_path / "table.json").read_text() == before
    (tmp_path / "README.md").write_text("my own notes")
    assert run(str(tmp_path), "--preset", "cubes-25", "--replace")[0] == 0
    assert (tmp_path / "table-before-1.json").read_text() == before
    assert load_table(tmp_path).pitch_mm == (27, 27)
    assert (tmp_path / "README.md").read_text() == "my own notes"


@pytest.mark.long
def test_asked_on_a_terminal(tmp_path: Path) -> None:
    """Answers typed on a real terminal, a wrong one among them; the others are taken with Enter."""
    answers = ["cubes-20", "", "", "24", "30x20x20", "22x22x18", "pawn", "", "", "", "", "n", "1", "y"]
    folder = tmp_path / "mine"
    out = on_terminal([sys.executable, "-c", "from referee.cli import main; main()", "new", str(folder)], answers)
    assert "measure.svg" in out
    assert "does not fit on fields 24 x 24 mm apart" in out
    table = load_table(folder)
    assert (table.pitch_mm, table.cube_mm, table.flag.style) == ((24, 24), (22, 22, 18), "pawn")
    assert table.margin_fields == {}
    assert (table.cameras, table.held) == (("cam0", "phone"), ("phone",))


def on_terminal(command: list[str], answers: list[str]) -> str:
    """Run a command on a pseudo-terminal and type an answer whenever it waits for one."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    told = b""
    typed = 0
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        told += part
        if told.endswith(b": ") and typed < len(answers):
            os.write(terminal, answers[typed].encode() + b"\n")
            told += b"\0"
            typed += 1
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, told
    return told.replace(b"\r\n", b"\n").decode()


def test_the_drawing_in_the_documentation_is_the_one_the_code_draws() -> None:
    assert (DOCS / "set-up" / "measure.svg").read_text() == measure_svg()


def test_the_table_is_written_for_people(tmp_path: Path) -> None:
    assert run(str(tmp_path), "--preset", "plastic")[0] == 0
    lines = (tmp_path / "table.json").read_text().splitlines()
    assert ' "cube": [20.5, 20.5, 13.0],' in lines
    assert len(lines) < 50
    assert max(map(len, lines)) < 120
    assert json.loads("\n".join(lines))["game"] == load_table(tmp_path).game
