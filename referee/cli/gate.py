"""``referee gate``: which boards of a video stand still, with no hand over them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cli.jsonlines import FAULTY
from vision.gate.gate import Quiet, begin, watch
from vision.gate.look import join
from vision.gate.region import Region, chessboard_outline, polygon_region
from vision.sources.address import Source, SourceError, parse_source
from vision.sources.packet import CaptureError, Packet, decode, shrink
from vision.sources.readers import VideoReader

LOOKED_FOR_S = 5.0
UNBOUND = (
    "referee gate: careful: it is not known where the board lies. Whatever stands still in the picture counts as the "
    "board: a hand that rests, a clock beside it, text written into the film. Say where it is with --board."
)
LOOKS = 10
"""A chessboard is looked for in so many frames of the first seconds."""


@click.command()
@click.argument("video", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--board",
    "corners",
    metavar="X,Y X,Y X,Y X,Y",
    help="The board's corners in pixels. Without them a chessboard is looked for, or the whole picture is the board.",
)
@click.option("--save", "folder", type=click.Path(file_okay=False, path_type=Path), help="Write the pictures here.")
@click.pass_context
def command(context: click.Context, video: Path, corners: str | None, folder: Path | None) -> None:
    """Print the number of every frame of VIDEO that shows a new board standing still, counted from 0.

    While a hand moves or rests over the board, no frame is given. Where one hand leaves while another comes, no frame
    shows the board free: then two frames are given, of which one picture is made.
    """
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what is wrong we say ourselves
    try:
        source = parse_source(f"file:{_quoted(video)}?fps=max")
        outline = _outline(corners) if corners else None
        _watch(source, outline, folder)
    except (SourceError, CaptureError, ValueError, OSError) as error:
        why = f"{video} can't be read as a video" if isinstance(error, CaptureError) else str(error)
        click.echo(f"referee gate: {why}", err=True)
        context.exit(FAULTY)


def _quoted(video: Path) -> str:
    return quote(str(video.absolute()))


def _outline(text: str) -> NDArray[np.float64]:
    try:
        corners = np.array([[float(value) for value in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError("--board takes four corners in pixels: --board '10,10 600,12 610,470 5,465'")
    return corners


def _watch(source: Source, corners_px: NDArray[np.float64] | None, folder: Path | None) -> None:
    fps, region, told = _prepare(source, corners_px)
    click.echo(f"{told}; {fps:g} frames a second.")
    if region is None:
        click.echo(UNBOUND, err=True)
    state, count = begin(region), 0
    found: list[Quiet] = []
    for number, packet in _packets(source):
        shrunk = shrink(packet)
        if shrunk is None:
            click.echo(f"frame {number}: can't be read")
            continue
        state = watch(state, number, number / fps, shrunk.grey)
        if state.quiet is not None:
            if state.quiet.first and found:
                click.echo("A hand lay over what was taken for the first board; it begins anew.")
                found.clear()
            found.append(state.quiet)
            click.echo(_line(state.quiet, fps))
        count = number + 1
    if region is None:
        click.echo(UNBOUND, err=True)
    doubt = "" if region is not None else " Not to be relied on: nobody said where the board lies."
    click.echo(f"{count} frames, new boards after the first: {max(len(found) - 1, 0)}.{doubt}")
    if folder is not None:
        _save(source, found, folder)


def _line(quiet: Quiet, fps: float) -> str:
    since = f"still since frame {round(quiet.since_s * fps)}"
    if quiet.joined is not None:
        return f"frames {quiet.joined[0]} and {quiet.number}: a new board, joined: one hand left as another came"
    unseen = "; nobody was seen to change it" if quiet.unseen else ""
    return f"frame {quiet.number}: {'the first board' if quiet.first else 'a new board'}, {since}{unseen}"


def _prepare(source: Source, corners_px: NDArray[np.float64] | None) -> tuple[float, Region | None, str]:
    """Return frames a second, the board's region in small pictures, and in words what was taken for the board."""
    video = cv2.VideoCapture(source.location, cv2.CAP_FFMPEG)
    rate = float(video.get(cv2.CAP_PROP_FPS))
    video.release()
    fps = rate if math.isfinite(rate) and 0.1 <= rate <= 240 else 25.0
    step = max(1, round(LOOKED_FOR_S * fps / LOOKS))
    for number, packet in _packets(source):
        shrunk = shrink(packet)
        if number % step or shrunk is None:
            continue
        shape = (shrunk.grey.shape[0], shrunk.grey.shape[1])
        if corners_px is not None:
            return fps, polygon_region(corners_px / np.array(shrunk.size), shape), "The board as given"
        if number > LOOKED_FOR_S * fps:
            break
        picture = _full(packet, shrunk.size)
        outline = None if picture is None else chessboard_outline(picture)
        if outline is not None:
            return fps, polygon_region(outline, shape, across=9), f"A chessboard, found in frame {number}"
    return fps, None, "No chessboard found: the whole picture counts as the board"


def _full(packet: Packet, size: tuple[int, int]) -> NDArray[np.uint8] | None:
    if packet.bgr is not None or packet.jpeg is None:
        return packet.bgr
    return decode(np.frombuffer(packet.jpeg, np.uint8), size, jpeg=True)


def _packets(source: Source) -> Iterator[tuple[int, Packet]]:
    reader = VideoReader(source)
    number = 0
    try:
        while True:
            packet = reader.read()
            if packet is not None:
                yield number, packet
                number += 1
    except EOFError:
        return
    finally:
        reader.close()


def _save(source: Source, found: list[Quiet], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {quiet.number for quiet in found} | {quiet.joined[0] for quiet in found if quiet.joined is not None}
    pictures: dict[int, NDArray[np.uint8]] = {}
    for number, packet in _packets(source):
        shrunk = shrink(packet) if number in wanted else None
        picture = None if shrunk is None else _full(packet, shrunk.size)
        if picture is not None:
            pictures[number] = picture
    for quiet in found:
        picture = pictures[quiet.number]
        if quiet.joined is not None:
            picture = join(picture, pictures[quiet.joined[0]], quiet.joined[1])
        path = folder / f"{quiet.number:06d}.png"
        if not cv2.imwrite(str(path), picture):
            raise OSError(f"{path} can't be written")
    click.echo(f"Pictures written to {folder}, whole: whoever sits at the table is in them.")
