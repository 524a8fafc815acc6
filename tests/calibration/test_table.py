from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from calibration.lines import line_of
from calibration.table import load_table, parse_table
from tests.scene import table, table_json
from tests.vision.tower.scene import table as tower_table
from tests.vision.tower.scene import table_json as tower_table_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def changed(path: str, value: Any) -> str:
    """Return the table's text with one value changed, or taken out (``...``)."""
    data: Any = table_json()
    *way, last = path.split(".")
    at = data
    for key in way:
        at = at[int(key)] if isinstance(at, list) else at[key]
    last_key: Any = int(last) if isinstance(at, list) else last
    if value is ...:
        del at[last_key]
    else:
        at[last_key] = value
    return json.dumps(data, indent=1)


def test_a_table_says_where_its_fields_are() -> None:
    known = table()
    assert known.centre_mm(0, 0) == (-75.0, -75.0)
    assert known.centre_mm(5, 0) == (-75.0, 75.0)
    assert known.centres_mm().shape == (6, 6, 2)
    assert known.centres_mm()[2, 3].tolist() == list(known.centre_mm(2, 3))
    assert known.markers[0].tolist()[0] == [-186.0, 186.0, -2.0]
    assert not known.markers[0].flags.writeable


def test_a_table_may_say_that_nothing_stands_on_its_stones() -> None:
    bare = {key: value for key, value in table_json().items() if key != "flag"} | {"figures": False}
    assert parse_table(json.dumps(bare)).flag.height_mm == 0
    with pytest.raises(CalibrationError, match="figures is false, but the size of a flag is given"):
        parse_table(json.dumps(table_json() | {"figures": False}))


def test_a_table_of_knights_gives_their_sizes_and_the_king_is_the_highest() -> None:
    data: Any = table_json()
    data["game"] = "torres"
    del data["flag"], data["margin_fields"]
    data |= {
        "knight": {"height": 26.0, "radius": 6.0},
        "king": {"height": 38.0, "radius": 7.2, "material": "wood"},
        "colours": ["orange", "black"],
        "start_fields": ["D3", "C6"],
        "score_track": [[-103.0, -103.0], [-103, -92.7]],
    }
    known = parse_table(json.dumps(data))
    assert (known.flag.height_mm, known.flag.radius_mm, known.flag.tallest_mm) == (26.0, 6.0, 38.0)
    assert known.colours == ("orange", "black")
    assert known.start_fields == ("D3", "C6")
    assert known.score_track[1] == (-103.0, -92.7)
    assert table().flag.tallest_mm == table().flag.height_mm


def test_a_table_has_flags_or_knights_not_both_and_not_neither() -> None:
    data: Any = table_json()
    both = json.dumps(data | {"knight": {"height": 26.0, "radius": 6.0}})
    with pytest.raises(CalibrationError, match="flags, knights, bars or dice"):
        parse_table(both)
    del data["flag"]
    with pytest.raises(CalibrationError, match="of a flag, a knight, a bar or a die"):
        parse_table(json.dumps(data))


def test_a_table_of_bars_has_half_bars_for_stones_and_a_place_for_the_tower() -> None:
    known = tower_table()
    assert known.cube_mm == (20.0, 20.0, 20.0)
    assert known.pitch_mm == (20.2, 20.2)
    assert known.tower is not None
    assert (known.tower.base_mm, known.tower.board_mm) == (1.0, (230.0, 230.0))
    assert table().tower is None


def test_bars_stand_close_and_the_board_reaches_to_its_markers_where_nothing_else_is_said() -> None:
    data = {key: value for key, value in tower_table_json().items() if key not in ("pitch", "board", "base")}
    known = parse_table(json.dumps(data))
    assert known.tower is not None
    assert known.pitch_mm == (20.0, 20.0)
    assert (known.tower.base_mm, known.tower.board_mm) == (0.0, (218.0, 218.0))


def mat_table_json() -> dict[str, Any]:
    """Return a mat on which dice are rolled, in the frame of the other tables."""
    data: Any = table_json()
    kept = {key: data[key] for key in ("markers", "charuco", "cameras")}
    return {"game": "terrabilis", "die": 16.0, "mat": [100.0, 80.0]} | kept


def test_a_mat_is_one_field_and_its_die_is_known() -> None:
    known = parse_table(json.dumps(mat_table_json()))
    assert known.die_mm == 16.0
    assert known.half_size_mm == (50.0, 40.0)
    assert table().die_mm is None


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("mat", None, "give die and mat"),
        ("die", None, "give die and mat"),
        ("die", 3.0, "die"),
        ("mat", [100.0], "mat.1"),
        ("flag", {"style": "rod", "height": 9.0, "radius": 2.0}, "keep one of them"),
        ("mat", [2000.0, 2000.0], "lies on the playing fields"),
    ],
)
def test_a_wrong_mat_is_refused(key: str, value: object, says: str) -> None:
    data = {name: held for name, held in (mat_table_json() | {key: value}).items() if held is not None}
    if key == "die" and value is None:
        data |= {"columns": 1, "rows": 1, "pitch": [100.0, 80.0], "cube": [16.0, 16.0, 16.0]}
        data |= {"flag": {"style": "rod", "height": 9.0, "radius": 2.0}}
    if key == "mat" and value is None:
        data |= {"columns": 1, "rows": 1, "pitch": [100.0, 80.0], "cube": [16.0, 16.0, 16.0]}
    with pytest.raises(CalibrationError, match=says):
        parse_table(json.dumps(data))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("bar", [20.0, 24.0, 40.0], "as deep as it is wide"),
        ("bar", [20.0, 20.0, 60.0], "twice as long"),
        ("bar", [20.0, 20.0], "bar.2"),
        ("columns", 4, "3 columns and 3 rows"),
        ("rows", 2, "3 columns and 3 rows"),
        ("base", [64, 64, -1], "base.2"),
        ("mark", "up", "mark"),
        ("flag", {"style": "rod", "height": 9.0, "radius": 2.0}, "keep one of them"),
    ],
)
def test_a_wrong_table_of_bars_is_refused(key: str, value: object, says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        parse_table(json.dumps(tower_table_json() | {key: value}))


def test_a_table_says_which_of_its_cameras_are_held_in_a_hand() -> None:
    assert parse_table(json.dumps(table_json())).held == ()
    assert parse_table(changed("held", ["right"])).held == ("right",)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("columns", 0, "columns"),
        ("columns", 6.5, "columns"),
        ("rows", ..., "rows: this key is missing"),
        ("pitch", [30], "pitch.1"),
        ("pitch", [30, "wide"], "pitch.1"),
        ("cube", [31, 26, 20], "does not fit"),
        ("cube", [26, 26, -1], "cube.2"),
        ("flag.style", "balloon", "flag.style"),
        ("markers.dictionary", "DICT_9X9_50", "DICT_4X4_50 is one"),
        ("markers.size", 20, "sides are"),
        ("markers.corners", {"0": [[0, 0, 0]] * 4}, "at least 3 markers"),
        ("markers.corners.3", [[0, 0, 0]] * 3, "markers.corners.3"),
        ("markers.corners.3.1.2", 1e9, "markers.corners.3.1.2"),
        ("charuco.marker", 30, "smaller than its square"),
        ("charuco.squares", [2, 6], "charuco.squares.0"),
        ("margin_fields.nw", [[1, 2, 3]], "margin_fields.nw.0"),
        ("cameras", [], "cameras"),
        ("cameras", ["left", "left"], "named twice"),
        ("cameras", ["../left"], "cameras.0"),
        ("held", ["phone"], "held.0: cameras names no 'phone'"),
        ("colums", 6, "colums: unknown key"),
        ("rows", True, "rows"),
        ("rows", "6", "rows"),
        ("rows", 60, "lies on the playing fields"),
        ("charuco.squares", [60, 60], "the target needs 1800 markers"),
    ],
)
def test_a_wrong_value_is_named(path: str, value: Any, says: str) -> None:
    with pytest.raises(CalibrationError, match=r"table\.json") as caught:
        parse_table(changed(path, value))
    assert says in str(caught.value)


def test_a_marker_that_its_dictionary_lacks() -> None:
    data = table_json()
    data["markers"]["corners"]["999"] = data["markers"]["corners"].pop("0")
    with pytest.raises(
        CalibrationError, match=r"corners\.999: there is no marker 999 in DICT_4X4_50: it has 0 to 49"
    ):
        parse_table(json.dumps(data))


def test_an_error_names_the_line() -> None:
    text = changed("markers.dictionary", "DICT_X")
    line = 1 + text[: text.index('"dictionary"')].count("\n")
    with pytest.raises(CalibrationError, match=f"line {line}:"):
        parse_table(text)


@pytest.mark.parametrize(
    ("path", "value", "stands"),
    [
        ("pitch.1", "wide", '"wide"'),
        ("columns", 6.5, '"columns"'),
        ("cube.0", 31, "31"),
        ("markers.corners.3.1.2", 1e9, "1000000000.0"),
        ("markers.corners.3", [[0, 0, 0]] * 4, '"3": ['),
        ("markers.size", 20, '"0": ['),
        ("charuco.marker", 30.5, "30.5"),
        ("charuco.squares", [60, 60], '"squares"'),
        ("margin_fields.nw.1", [1, 2, 3], "[\n    1"),
        ("flag.colour", "blue", '"colour"'),
        ("flag.style", ..., '"flag"'),
        ("cameras.1", "../up", '"../up"'),
    ],
)
def test_a_wrong_value_is_named_with_its_own_line(path: str, value: Any, stands: str) -> None:
    text = changed(path, value)
    key = path.rsplit(".", 1)[0] if value is ... else path
    line = 1 + text[: text.index(stands, text.index(f'"{key.split(".")[0]}"'))].count("\n")
    with pytest.raises(CalibrationError, match=rf"line {line}: {path.split('.')[0]}"):
        parse_table(text)


@settings(max_examples=50)
@given(data=json_values, indent=st.sampled_from([None, 0, 2]), pick=st.data())
def test_every_value_of_any_json_is_found_on_its_line(data: Any, indent: int | None, pick: st.DataObject) -> None:
    path: list[str | int] = []
    at = data
    while isinstance(at, (dict, list)) and at and pick.draw(st.booleans()):
        part = pick.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        path.append(part)
        at = at[part]
    marked = json.dumps(_with_mark(data, path), indent=indent)
    hit = marked.index('"here it is"')
    expected = marked.count("\n", 0, hit) + 1
    assert line_of(json.dumps(data, indent=indent), path) == (expected if path else None)


def _with_mark(data: Any, path: list[Any]) -> Any:
    if not path:
        return "here it is"
    copy = data.copy()
    copy[path[0]] = _with_mark(data[path[0]], path[1:])
    return copy


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ('{"game": \n oops}', "line 2"),
        ("[]", "JSON object"),
        ('{"game": 1,\n "game": 2}', 'lines 1 and 2: the key "game" stands twice'),
        ("[" * 100000, "table.json"),
        ('{"pitch": NaN}', "table.json"),
    ],
)
def test_text_that_is_no_table(text: str, says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        parse_table(text)


def test_a_missing_folder_or_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="no such table folder"):
        load_table(tmp_path / "nowhere")
    with pytest.raises(CalibrationError, match=r"table\.json: missing"):
        load_table(tmp_path)
    (tmp_path / "table.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CalibrationError, match="cannot be read"):
        load_table(tmp_path)
