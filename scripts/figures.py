"""Draw the pictures of docs/develop/reading.md from the bundled game: python scripts/figures.py [OUT_FOLDER].

What each shows stands in the page. Run it again when the way of reading changes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.demo.recording import BUNDLED
from referee.games.terra_turrium.colours import parse_board
from referee.values.belief import log_probabilities
from vision.heights.change import MOST_NATS, unchanged
from vision.heights.sweep import CELL_PX, MARGIN
from vision.reader import TableReader

Picture = NDArray[np.uint8]
OUT = Path(__file__).parent.parent / "docs" / "figures"
GAME = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
LATE = 5
"""The look drawn: late enough for a few towers."""
LEVELS_SHOWN = 5
FIELD_PX = 34
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def pictures(number: int) -> dict[str, Picture]:
    """Return the pictures of one look, camera to BGR."""
    names = GAME["looks"][number]["pictures"]
    return {camera: np.asarray(cv2.imread(str(BUNDLED / name)), np.uint8) for camera, name in names.items()}


def levels(stack: Picture) -> Picture:
    """Draw a camera's rectified pictures for the lowest levels, side by side."""
    shown = []
    for level in range(LEVELS_SHOWN):
        one = stack[level].copy()
        for k in range(MARGIN, one.shape[0] // CELL_PX - MARGIN + 1):
            low, high = MARGIN * CELL_PX, one.shape[0] - MARGIN * CELL_PX
            cv2.line(one, (k * CELL_PX, low), (k * CELL_PX, high), (255, 255, 255), 1)
            cv2.line(one, (low, k * CELL_PX), (high, k * CELL_PX), (255, 255, 255), 1)
        band = np.full((26, one.shape[1], 3), 250, np.uint8)
        cv2.putText(band, f"level {level}", (8, 19), _FONT, 0.55, (20, 20, 20), 1, cv2.LINE_AA)
        shown.append(np.vstack([band, one]))
    return np.asarray(np.hstack(shown), np.uint8)


def chart(values: NDArray[np.float64], low: float, high: float, words: list[list[str]], title: str) -> Picture:
    """Draw a board of numbers as colours, row 10 above, with words in the fields."""
    scaled = np.clip((values[::-1] - low) / (high - low) * 255, 0, 255).astype(np.uint8)
    big = cv2.resize(scaled, None, fx=FIELD_PX, fy=FIELD_PX, interpolation=cv2.INTER_NEAREST)
    colours = cv2.applyColorMap(big, cv2.COLORMAP_CIVIDIS)
    for row, texts in enumerate(reversed(words)):
        for col, text in enumerate(texts):
            ink = (20, 20, 20) if scaled[row, col] > 140 else (245, 245, 245)
            at = (col * FIELD_PX + 4, row * FIELD_PX + 22)
            cv2.putText(colours, text, at, _FONT, 0.42, ink, 1, cv2.LINE_AA)
    band = np.full((26, colours.shape[1], 3), 250, np.uint8)
    cv2.putText(band, title, (6, 18), _FONT, 0.45, (20, 20, 20), 1, cv2.LINE_AA)
    return np.asarray(np.vstack([band, colours]), np.uint8)


def main() -> None:
    """Draw every figure."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    out.mkdir(parents=True, exist_ok=True)
    reader = TableReader.open(BUNDLED)
    late = pictures(LATE)
    reading = reader.read(late)
    camera = next(iter(reading.look.values()))
    charts = []
    for name, heights in (("both cameras", reading.belief.heights), *((c, _alone(reader, late, c)) for c in late)):
        chances = np.exp(log_probabilities(heights))
        words = [[str(h) for h in row] for row in chances.argmax(axis=2)]
        charts.append(chart(chances.max(axis=2), 0.3, 1.0, words, f"likeliest height, how sure: {name}"))
    start = reader.read(pictures(0))
    board = parse_board(GAME["position"]["board"])
    same = unchanged(start.look, reader.read(pictures(1)).look, board, reader.table)
    words = [[f"{v:+.0f}" for v in row] for row in same.stacks]
    figures = {
        "levels": levels(camera.sweep.stack),
        "belief": np.hstack(
            [cv2.copyMakeBorder(c, 0, 0, 0, 12, cv2.BORDER_CONSTANT, value=(250,) * 3) for c in charts]
        ),
        "unchanged": chart(same.stacks, -MOST_NATS, MOST_NATS, words, "nats for no change, look 1 to 2"),
        "explain": reader.explain(late, reading),
    }
    for name, figure in figures.items():
        cv2.imwrite(str(out / f"reading-{name}.jpg"), figure, [cv2.IMWRITE_JPEG_QUALITY, 82])


def _alone(reader: TableReader, shown: dict[str, Picture], camera: str) -> NDArray[np.float64]:
    return reader.read({camera: shown[camera]}).belief.heights


if __name__ == "__main__":
    main()
