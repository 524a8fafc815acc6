"""``places.json``: what it holds comes back, and what is wrong in it is told with file, line and key."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import CalibrationError
from vision.ledger.places import NOWHERE, Places, parse_places, places_text
from vision.ledger.teaching import save_places, taught_places

GOOD = {
    "version": 1,
    "rolled_on": [[0.0, -100.0], [150.0, 50.0]],
    "track": [[0.0, 0.0], [30.0, 0.0]],
    "pawns": {"red": [0.1, 0.1, 0.7]},
    "zone": [[0.0, 80.0], [20.0, 80.0]],
    "counters": {"green": [0.1, 0.6, 0.1], "yellow": [0.1, 0.6, 0.7]},
    "cards": {"red": [[-100.0, 0.0]]},
}


def text(**changes: object) -> str:
    return json.dumps(GOOD | changes, indent=1)


@pytest.mark.parametrize(
    ("changes", "key", "told"),
    [
        ({"version": 2}, "version", "teach the places anew"),
        ({"rolled_on": [[150.0, -100.0], [0.0, 50.0]]}, "rolled_on", "lower left corner"),
        ({"track": []}, "pawns", "teach those first"),
        ({"zone": []}, "counters", "teach those first"),
        ({"track": [[0.0, 0.0], [0.2, 0.0]]}, "track.1", "place 2 lies on place 1"),
        ({"zone": [[0.0, 80.0], [20.0, "x"]]}, "zone.1.1", "number"),
        ({"counters": {"Green": [0.1, 0.6, 0.1]}}, "counters.Green", "match"),
        ({"cards": {"red": []}}, "cards.red", "at least 1"),
        ({"card": [44.0, -3.0]}, "card.1", "greater than"),
        ({"colour": 3}, "colour", "unknown key"),
    ],
)
def test_what_is_wrong_is_told(changes: dict[str, object], key: str, told: str) -> None:
    with pytest.raises(CalibrationError, match=told) as caught:
        parse_places(text(**changes), "places.json")
    assert f" {key}: " in str(caught.value)
    line = int(str(caught.value).split("line ")[1].split(":")[0])
    last = key.split(".")[0]
    assert f'"{last}"' in "\n".join(text(**changes).splitlines()[:line])


@pytest.mark.parametrize("bad", ["", "{", "[]", "null", '{"version": 1'])
def test_no_places_at_all(bad: str) -> None:
    with pytest.raises(CalibrationError, match=r"places\.json"):
        parse_places(bad, "places.json")


def same(one: Places, other: Places) -> bool:
    return places_text(one) == places_text(other)


@given(
    track=st.lists(st.tuples(st.integers(-200, 200), st.integers(-200, 200)), min_size=1, max_size=40, unique=True),
    colour=st.tuples(*[st.integers(0, 1600)] * 3),
)
def test_what_is_taught_comes_back(track: list[tuple[int, int]], colour: tuple[int, int, int]) -> None:
    shown = {"red": np.array(colour) / 1000}
    places = replace(NOWHERE, track=np.array(track, np.float64), pawns=shown)
    again = parse_places(places_text(places), "places.json")
    assert same(again, places)
    assert np.allclose(again.track, places.track)


def test_a_folder_keeps_places_and_mat(tmp_path: Path) -> None:
    assert taught_places(tmp_path) is NOWHERE
    mat = np.full((30, 40, 3), 0.5, np.float32)
    mat[5, 5] = np.nan
    places = replace(parse_places(text(), "x"), mat=mat)
    save_places(tmp_path, places)
    again = taught_places(tmp_path)
    assert same(again, places)
    assert again.mat is not None
    assert np.isnan(again.mat[5, 5]).all()
    assert np.allclose(again.mat[0, 0], 0.5, atol=0.01)


def test_a_spoilt_mat_is_told(tmp_path: Path) -> None:
    save_places(tmp_path, parse_places(text(), "x"))
    (tmp_path / "mat.png").write_bytes(b"no picture")
    with pytest.raises(CalibrationError, match=r"mat\.png"):
        taught_places(tmp_path)
