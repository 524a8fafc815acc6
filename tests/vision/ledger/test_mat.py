"""A path-traced mat with known truth: what lies on it is read, in other light than it was taught in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.table import load_table
from referee.cli import main
from vision.ledger.light import agreed, light_of, pictured_mat
from vision.ledger.places import NOWHERE
from vision.ledger.reader import MatReader, MatSeen
from vision.ledger.teaching import colour_at, on_mat, save_places, taught_places
from vision.ledger.topface import MOST_PLACES, TopCutter

FOLDER = Path(__file__).parents[2] / "data" / "mats" / "oak"
TRUTH = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))["pictures"]


def picture(name: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(FOLDER / name)), np.uint8)


@pytest.fixture(scope="module")
def reader() -> MatReader:
    return MatReader.open(FOLDER)


@pytest.fixture(scope="module")
def seen(reader: MatReader) -> dict[str, MatSeen]:
    return {truth["file"]: reader.read({"cam0": picture(truth["file"])}) for truth in TRUTH}


@pytest.mark.long
@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: str(truth["file"]))
def test_pawns_counters_and_cards_are_read(seen: dict[str, MatSeen], truth: dict[str, Any]) -> None:
    found = seen[truth["file"]]
    told = {word: space for word, space in found.pawns.items() if space is not None}
    assert len(told) >= len(truth["pawns"]) - 1
    assert told.items() <= truth["pawns"].items()
    assert found.counters == truth["zone"]
    assert found.cards == truth["installed"]


@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: str(truth["file"]))
def test_dice_are_found_and_told_right_or_left_open(seen: dict[str, MatSeen], truth: dict[str, Any]) -> None:
    found = seen[truth["file"]]
    likeliest = [int(np.argmax(die.faces)) + 1 for die in sorted(found.dice[:2], key=lambda die: die.at_mm)]
    assert likeliest == truth["dice"]
    assert found.pair is None or list(found.pair) == truth["dice"]


def test_some_pairs_are_read(seen: dict[str, MatSeen]) -> None:
    assert any(found.pair is not None for found in seen.values())


def test_a_dimmer_bluer_light_changes_nothing(reader: MatReader, seen: dict[str, MatSeen]) -> None:
    name = TRUTH[0]["file"]
    dim = (picture(name) * np.array([0.75, 0.62, 0.55])).astype(np.uint8)
    found = reader.read({"cam0": dim})
    assert (found.pawns, found.counters, found.cards) == (seen[name].pawns, seen[name].counters, seen[name].cards)


def test_where_the_paper_is_dazzling_the_mat_tells_the_light(reader: MatReader, seen: dict[str, MatSeen]) -> None:
    name = TRUTH[0]["file"]
    bright = np.clip(picture(name) * np.array([1.0, 1.5, 2.1]), 0, 255).astype(np.uint8)
    views, _ = reader.views({"cam0": bright})
    light = light_of(views[0], reader.table)
    assert light.dazzled
    assert reader.places.mat is not None
    paper = np.array([[0.0, 208.0]])
    before = np.abs(np.log(light.white(paper)))
    after = np.log(agreed(views[0], light, reader.places.mat, reader.table).white(paper))
    assert after[0, 2] > before[0, 2] + 0.2, "red paper is brighter than a picture can show"
    told = {word: number for word, number in reader.read({"cam0": bright}).cards.items() if number is not None}
    assert told.items() <= seen[name].cards.items()


@pytest.mark.long
@pytest.mark.parametrize("colour", [(150, 170, 225), (90, 120, 190), (60, 60, 60), (235, 235, 235), (200, 120, 60)])
def test_something_over_the_gauge_leaves_its_count_open(reader: MatReader, colour: tuple[int, int, int]) -> None:
    """A fingertip, a glove, a dice cup: whatever its colour, the wood's own among them."""
    truth = TRUTH[sum(colour) % len(TRUTH)]
    shown = picture(truth["file"])
    views, _ = reader.views({"cam0": shown})
    x, y = views[0].project(np.append(reader.places.spots[4], 0.0)[None])[0].astype(int)
    cv2.circle(shown, (int(x), int(y)), 40, colour, -1)
    assert None in reader.read({"cam0": shown}).counters.values()


@pytest.mark.long
@pytest.mark.parametrize("lamp", [(0.86, 0.94, 1.06), (1.1, 1.0, 0.9), (0.8, 0.8, 0.8)])
def test_the_gauge_is_read_in_light_of_another_colour(reader: MatReader, lamp: tuple[float, float, float]) -> None:
    """A lamp that lights the gauge alone: what all its places have in common is the light's."""
    for truth in TRUTH:
        shown = picture(truth["file"]).astype(np.float32)
        views, _ = reader.views({"cam0": picture(truth["file"])})
        spots = views[0].project(np.column_stack([reader.places.spots, np.zeros(len(reader.places.spots))]))
        left, right = spots.min(axis=0).astype(int) - 40, spots.max(axis=0).astype(int) + 40
        shown[left[1] : right[1], left[0] : right[0]] *= lamp
        lit = np.clip(shown, 0, 255).astype(np.uint8)
        assert reader.read({"cam0": lit}).counters == truth["zone"]


@pytest.mark.long
@pytest.mark.parametrize("truth", TRUTH, ids=lambda truth: str(truth["file"]))
def test_a_space_of_a_pawns_own_colour_is_no_pawn(reader: MatReader, truth: dict[str, Any]) -> None:
    """Print that another light brings near a pawn's colour fills the space; a pawn does not."""
    name = truth["file"]
    view = reader.views({"cam0": picture(name)})[0][0]
    light = light_of(view, reader.table)
    square = 14.0 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
    word, colour = next(iter(reader.places.pawns.items()))
    told = set()
    first = 3 * TRUTH.index(truth)  # each picture has other places painted
    for number, middle in list(enumerate(reader.places.track))[first :: 3 * len(TRUTH)]:
        if number in truth["pawns"].values():
            continue
        there = square + np.append(middle, 0.0)
        shown = 255 * np.clip(colour * light.white(there[:1])[0], 0, 1) ** (1 / 2.2)
        painted = picture(name)
        cv2.fillConvexPoly(painted, np.round(view.project(there)).astype(np.int32), shown.tolist())
        told.add(reader.read({"cam0": painted}).pawns[word])
    assert told <= {truth["pawns"][word], None}


def test_print_that_is_hardly_a_die_is_not_looked_at_from_all_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a mat that was never taught two dozen printed places may be dice; that costs little, and both are told."""
    cut, cuts = TopCutter.cut, []

    def counted(self: TopCutter, *given: Any) -> NDArray[np.uint8]:
        cuts.append(given)
        return cut(self, *given)

    monkeypatch.setattr(TopCutter, "cut", counted)
    found = MatReader(load_table(FOLDER), FOLDER, NOWHERE).read({"cam0": picture(TRUTH[0]["file"])})
    assert found.pair == tuple(TRUTH[0]["dice"])
    assert len(found.dice) == MOST_PLACES
    assert len(cuts) < 450


@pytest.mark.long
def test_without_the_empty_mat_only_dice_are_read() -> None:
    reader = MatReader(load_table(FOLDER), FOLDER, NOWHERE)
    found = reader.read({"cam0": picture(TRUTH[0]["file"])})
    assert (found.pawns, found.counters, found.cards) == ({}, {}, {})
    assert found.dice


def test_a_camera_that_sees_no_frame_is_told(reader: MatReader) -> None:
    found = reader.read({"cam0": np.full((720, 960, 3), 128, np.uint8)})
    assert found.lost
    assert "frame" in str(found.cameras["cam0"].problem)
    assert found.pair is None
    assert set(found.counters.values()) == {None}


def test_taps_come_back_as_places(reader: MatReader) -> None:
    views, _ = reader.views({"cam0": picture(TRUTH[0]["file"])})
    places = np.column_stack([reader.places.track, np.zeros(len(reader.places.track))])
    assert np.allclose(on_mat(views[0], views[0].project(places)), reader.places.track, atol=0.05)


def test_paper_is_white_and_the_mat_is_kept_as_it_is(reader: MatReader) -> None:
    views, _ = reader.views({"cam0": picture(TRUTH[0]["file"])})
    view, light = views[0], light_of(views[0], reader.table)
    paper = view.project(np.array([[0.0, 168.0 + 40.0, 0.0]]))[0]
    assert np.allclose(colour_at(view, light, (float(paper[0]), float(paper[1]))), 1.0, atol=0.25)
    mat = pictured_mat(view, light, reader.table)
    assert reader.places.mat is not None
    assert mat.shape == reader.places.mat.shape
    alike = np.abs(np.log(mat + 0.1) - np.log(reader.places.mat + 0.1)).max(axis=-1) < 0.4
    assert alike.mean() > 0.7


def asked(folder: Path, request: dict[str, object]) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(main, ["read", "--table", str(folder)], input=json.dumps(request) + "\n")
    return result.exit_code, json.loads(result.stdout.splitlines()[0])


def test_the_command_reads_a_mat() -> None:
    code, answer = asked(FOLDER, {"id": 7, "images": {"cam0": str(FOLDER / TRUTH[1]["file"])}})
    assert code == 0
    assert answer["id"] == 7
    assert {key: answer[key] for key in ("pawns", "zone", "installed")} == {
        key: TRUTH[1][key] for key in ("pawns", "zone", "installed")
    }
    assert all(abs(sum(die["faces"]) - 1) < 0.01 for die in answer["seen_dice"])
    assert answer["cameras"]["cam0"]["markers"] >= 12


@pytest.mark.parametrize(
    ("images", "code"),
    [({"cam7": "x.jpg"}, "camera"), ({"cam0": "nowhere.jpg"}, "picture"), ({}, "images")],
)
def test_what_cannot_be_read_is_told(images: dict[str, str], code: str) -> None:
    status, answer = asked(FOLDER, {"id": 1, "images": images})
    assert status == 2
    assert answer["error"]["code"] == code


def test_spoilt_places_are_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text((FOLDER / "table.json").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "places.json").write_text('{"version": 1,\n "counters": {"green": [0, 1, 0]}}', encoding="utf-8")
    result = CliRunner().invoke(main, ["read", "--table", str(tmp_path)], input="{}\n")
    assert result.exit_code == 2
    assert "places.json, line 2: counters: counters are looked for on the places of zone" in result.output


def test_places_without_colours_are_read_as_nothing_yet(tmp_path: Path) -> None:
    """So a mat can be taught part by part, each counting at once."""
    half = replace(MatReader.open(FOLDER).places, pawns={}, counters={}, cards={})
    save_places(tmp_path, half)
    kept = taught_places(tmp_path)
    assert np.allclose(kept.track, half.track, atol=0.001)
    found = MatReader(load_table(FOLDER), FOLDER, kept).read({"cam0": picture(TRUTH[0]["file"])})
    assert (found.pawns, found.counters, found.cards) == ({}, {}, {})


def test_a_mat_that_looks_unlike_itself_says_nothing_of_cards(reader: MatReader) -> None:
    """Every place has changed then: that is no row full of cards."""
    found = reader.read({"cam0": np.ascontiguousarray(picture(TRUTH[0]["file"])[..., [1, 2, 0]])})
    assert set(found.cards.values()) == {None}
