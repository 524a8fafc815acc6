"""Measures rulings with and without knowing where hands have been, in films made of a table's stills.

Needs photographed tables with known truth: ``python -m benchmarks --tables FOLDER hands``. Between two stills of a
game hands reach for every field that changes, and for one that does not, drawn over the pictures of each camera where
an arm from the rim would be seen; finger tips behind a tower are not drawn. The gate's small pictures of these films
tell which fields no hand came near; each turn is then judged with and without it, from its true position.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.ceiling import KINDS, grade
from benchmarks.measure import Section, table
from benchmarks.truth import Pictures, tables_in
from calibration.table import TableSetup
from referee.games import game_named
from referee.games.contract import AnyGame, Position, RequestError
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import judge
from referee.match.standing import board_of
from referee.values.belief import ReferenceLook
from referee.values.board import Board
from vision.gate.gate import GateState, begin, watch
from vision.gate.hands import Standpoint, begun, followed, spaces_of
from vision.gate.region import frame_region
from vision.geometry.view import View
from vision.geometry.visibility import tops_seen
from vision.reader import TableReader
from vision.sources.ring import GREY_WIDTH

FPS = 15
REST, STEPS = 4, 8
"""Frames for which a board rests, and of a hand on its way in or out."""
MOST_SHARE = 0.1
"""Share of a core that following hands may take."""
SKIN_BGR, SLEEVE_BGR = (120, 150, 205), (70, 45, 40)
NOISE = 2.0


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn between two stills. hidden: fields whose stack no camera sees at its end."""

    position: Position
    before: Pictures
    after: Pictures
    board: Board
    hidden: frozenset[str]
    truth: Mapping[str, Any]


def measure(tables: Path | None) -> Section:
    """Film and judge every turn of the tables' games that has a still before it."""
    if tables is None:
        raise ValueError("hands are measured on tables: use --tables FOLDER")
    rows, broken = [], []
    for folder in tables_in(tables):
        setup = json.loads((folder / "table.json").read_text(encoding="utf-8"))
        game = game_named(setup["game"])
        if game.kit.kind != "grid":
            continue
        reader = TableReader.open(folder, kit=game.kit)
        counted = {"without": Counter[str](), "with": Counter[str]()}
        fields = Counter[str]()
        for number, turn in enumerate(_turns(folder, game, reader.table)):
            alone, frames, took_s = filmed(reader, turn, number)
            fields["us"] += round(1e6 * took_s)
            fields["frames"] += frames
            _count(fields, turn, alone)
            prior = game.prior_after(turn.position)
            earlier, now = reader.read(turn.before, prior), reader.read(turn.after, prior)
            known = ReferenceLook(earlier.belief, board_of(turn.position)) if frames else None
            for name, told in (("without", None), ("with", alone)):
                seen = TurnEvidence(now.belief, declared=turn.truth.get("declared") or {}, untouched=told)
                context = Context(Context.at(turn.position).hypotheses, reference=known)
                counted[name][grade(judge(game, context, seen)[0], turn.truth)] += 1
        if not fields["turns"]:
            continue
        rows += [(folder.name, name, *(one[kind] for kind in KINDS)) for name, one in counted.items()]
        broken += [f"{folder.name}: no field is held for left alone that changed"] if fields["wrong"] else []
        rows.append(
            (
                f"{fields['alone']} of {fields['all']} fields left alone, {fields['shut']} of {fields['hidden']} of"
                f" those nobody sees, {fields['wrong']} of {fields['changed']} that changed",
            )
        )
        share = fields["us"] * 1e-6 / max(fields["frames"], 1) * FPS * len(reader.table.cameras)
        rows.append((f"following hands takes {share:.3f} of a core at {FPS} frames a second from every camera",))
        broken += [f"{folder.name}: following hands takes {share:.3f} of a core"] if share > MOST_SHARE else []
    width = 2 + len(KINDS)
    text = "Rulings with and without what is known of hands, each turn from its true position."
    padded = [(*row, *("",) * (width - len(row))) for row in rows]
    return Section("Where hands have been", (text, "", *table(("table", "hands", *KINDS), padded)), tuple(broken))


def _count(fields: Counter[str], turn: Turn, alone: NDArray[np.bool_] | None) -> None:
    before, after = board_of(turn.position), turn.board
    changed = (before.heights != after.heights) | (before.flags != after.flags)
    hidden = np.zeros(changed.shape, np.bool_)
    for (row, col), _ in np.ndenumerate(changed):
        hidden[row, col] = f"{chr(ord('A') + col)}{row + 1}" in turn.hidden
    said = np.zeros_like(changed) if alone is None else alone
    fields["turns"] += 1
    for name, mask in (
        ("all", ~np.zeros_like(changed)),
        ("alone", said),
        ("changed", changed),
        ("wrong", said & changed),
        ("hidden", hidden & ~changed),
        ("shut", said & hidden & ~changed),
    ):
        fields[name] += int(mask.sum())


def _turns(folder: Path, game: AnyGame, setup: TableSetup) -> Iterator[Turn]:
    """Yield turns whose position is shown by an earlier still of the same game."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for one in truth["games"]:
        shown: dict[str, Mapping[str, Any]] = {}
        for frame in one["frames"]:
            if frame["kind"] != "still":
                continue
            turn = frame.get("turn")
            try:
                position = game.position(turn["position"]) if turn else None
            except RequestError:
                position = None
            if position is not None and position.observed.text in shown and "bump" not in frame:
                yield Turn(
                    position,
                    _pictures(folder / one["name"], shown[position.observed.text], setup),
                    _pictures(folder / one["name"], frame, setup),
                    game.observation(frame["board"]),
                    frozenset(frame["hidden"]["all"]["stacks"]),
                    turn,
                )
            shown[frame["board"]] = frame


def _pictures(folder: Path, frame: Mapping[str, Any], setup: TableSetup) -> Pictures:
    named = zip(setup.cameras, frame["files"], strict=True)
    return {camera: np.asarray(cv2.imread(str(folder / name)), np.uint8) for camera, name in named}


def filmed(reader: TableReader, turn: Turn, seed: int) -> tuple[NDArray[np.bool_] | None, int, float]:
    """Return the fields that no hand came near in a film of a turn, and the number of small frames of all cameras.

    Also the seconds of a core that following hands took beyond what the gate does anyway.
    """
    table, before = reader.table, board_of(turn.position)
    rng = np.random.default_rng(seed)
    changed = np.argwhere((before.heights != turn.board.heights) | (before.flags != turn.board.flags))
    idle = rng.integers(0, before.heights.shape, size=(1, 2))
    places = [(int(row), int(col)) for row, col in rng.permutation(np.concatenate([changed, idle]))]
    side = rng.choice([-1, 1]), rng.random() < 0.5
    vantages: dict[str, Standpoint] = {}
    films: dict[str, list[NDArray[np.uint8]]] = {}
    gates: dict[str, GateState] = {}
    for view in reader.views(turn.before)[0]:
        scale = GREY_WIDTH / view.picture_bgr.shape[1]
        shape = round(view.picture_bgr.shape[0] * scale), GREY_WIDTH
        region = frame_region(view, table, shape)
        arms = [_arm(view, table, before, place, side) for place in places]
        films[view.camera] = list(_film(turn.before[view.camera], turn.after[view.camera], arms, shape, rng))
        vantages[view.camera], gates[view.camera] = Standpoint(view.lens, view.pose, region), begin(region)
    began_s = time.thread_time()
    spaces = spaces_of(vantages, table, before.heights)
    took_s = time.thread_time() - began_s
    hands = None
    for number, greys in enumerate(zip(*films.values(), strict=True)):
        for camera, grey in zip(films, greys, strict=True):
            gates[camera] = watch(gates[camera], number, number / FPS, grey)
            if hands is not None:
                began_s = time.thread_time()
                hands = followed(hands, camera, gates[camera], number / FPS)
                took_s += time.thread_time() - began_s
        if hands is None and all(gate.known and gate.known.board for gate in gates.values()):
            hands = begun(spaces, number / FPS)
    return None if hands is None else hands.alone, sum(map(len, films.values())), took_s


def _arm(
    view: View, table: TableSetup, board: Board, place: tuple[int, int], side: tuple[int, bool]
) -> list[tuple[NDArray[np.float64], float, tuple[int, int, int]]]:
    """Return the parts of an arm over a field, tip first: two ends in the picture, width in pixels, colour."""
    x, y = table.centre_mm(*place)
    top = float(board.heights[place]) * table.cube_mm[2]
    sign, across = side
    out = np.array([sign, 0.0]) if across else np.array([0.0, sign])
    rim = max(table.half_size_mm) + 260.0
    elbow = np.array([x, y]) * (1 - np.abs(out)) + out * rim
    joints = np.array([(x, y, top), (*(np.array([x, y]) + 25 * out), top + 65), (0, 0, 0), (*elbow, top + 200)])
    joints[2, :2] = joints[1, :2] + 90 * out
    joints[2, 2] = top + 110
    seen = tops_seen(view.pose.centre_mm, board.heights, table)[place] > 0.3
    focal = float(view.lens.matrix[0, 0])
    parts = []
    for k, (width_mm, colour) in enumerate(((35.0, SKIN_BGR), (80.0, SKIN_BGR), (85.0, SLEEVE_BGR))):
        if k or seen:
            depth = (joints[k : k + 2] @ view.pose.rotation.T + view.pose.translation_mm)[:, 2].mean()
            parts.append((view.project(joints[k : k + 2]), width_mm * focal / max(float(depth), 50.0), colour))
    return parts


def _film(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    arms: Sequence[Sequence[tuple[NDArray[np.float64], float, tuple[int, int, int]]]],
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> Iterator[NDArray[np.uint8]]:
    """Yield small grey frames: the board before, each arm in and out, the board after.

    All pieces change half-way.
    """
    shown = before
    rest = [(shown, None, 0.0)] * REST
    frames: list[tuple[NDArray[np.uint8], Any, float]] = list(rest)
    for number, arm in enumerate(arms):
        shown = before if number < len(arms) / 2 else after
        frames += [(shown, arm, 1 - k / STEPS) for k in range(STEPS)]
        frames += [(after if number + 1 >= len(arms) / 2 else shown, arm, k / STEPS) for k in range(STEPS)]
    frames += [(after, None, 0.0)] * REST
    for picture, arm, away in frames:
        drawn = picture.copy()
        for ends, width, colour in reversed(arm or []):
            back = (arm[-1][0][1] - arm[-1][0][0]) * away
            a, b = (tuple(int(v) for v in np.clip(end + back, -5000, 5000)) for end in ends)
            cv2.line(drawn, a, b, colour, max(1, round(width)), cv2.LINE_AA)
        small = cv2.resize(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY), shape[::-1], interpolation=cv2.INTER_AREA)
        yield np.clip(small + rng.normal(0, NOISE, shape), 0, 255).astype(np.uint8)
