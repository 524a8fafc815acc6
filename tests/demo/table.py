"""Tables whose cameras look into folders, into which pictures are put while the referee runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.demo.recording import BUNDLED, Recording

Image = NDArray[np.uint8]
RECORDING = Recording.open(BUNDLED)


def cut(folder: Path, looks: int) -> Path:
    """Copy the recording that comes along into a folder, cut off after so many looks; return the folder."""
    shutil.copytree(BUNDLED, folder)
    path = folder / "game.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | {"looks": data["looks"][:looks]}), encoding="utf-8")
    return folder


class FolderTable:
    """A table's folder and the position of its game; ``count``: how many pictures were put before each camera."""

    def __init__(self, folder: Path, table: Path, cameras: Iterable[str], position: Mapping[str, object]) -> None:
        self.folder = table
        self.cameras = {name: folder / name for name in cameras}
        for path in self.cameras.values():
            path.mkdir()
        self.game = folder / "game.json"
        self.game.write_text(json.dumps(position), encoding="utf-8")
        self.count = 0

    def put(self, pictures: Mapping[str, Path | Image]) -> None:
        """Put a picture before each camera; none is seen half written."""
        self.count += 1
        for name, picture in pictures.items():
            if isinstance(picture, Path):
                made = self.cameras[name] / f".{self.count:04d}{picture.suffix}"
                shutil.copy(picture, made)
            else:
                made = self.cameras[name] / f".{self.count:04d}.png"
                cv2.imwrite(str(made), picture)
            made.rename(made.with_name(made.name[1:]))

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options with which the command is called."""
        urls = [f"{name}=folder:{path}?watch=yes" for name, path in self.cameras.items()]
        return (str(self.folder), "--game", str(self.game), *(part for url in urls for part in ("--camera", url)))


class Table(FolderTable):
    """The table of a recording, the one that comes along where none is given."""

    def __init__(
        self, folder: Path, recording: Recording = RECORDING, position: Mapping[str, object] | None = None
    ) -> None:
        table = folder / "table"
        shutil.copytree(recording.folder, table, ignore=shutil.ignore_patterns("pictures", "game.json"))
        super().__init__(folder, table, recording.looks[0].pictures, position or recording.position)
        self.recording = recording

    def show(self, look: int) -> None:
        """Put the pictures of a look of the recording before the cameras."""
        self.put(self.recording.looks[look].pictures)

    def spoil(self, look: int, how: str) -> None:
        """Put pictures of a look before the cameras, ``dark``: as if the lights were off, ``blurred``: the board."""
        pictures = self.recording.looks[look].load()
        self.put({name: np.zeros_like(each) if how == "dark" else _blurred(each) for name, each in pictures.items()})


def _blurred(picture: Image) -> Image:
    h, w = picture.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    cv2.ellipse(mask, (w // 2, h // 2), (w // 6, h // 6), 0, 0, 360, 255, -1)
    return np.where(mask[..., None] > 0, cv2.GaussianBlur(picture, (0, 0), w / 60), picture)
