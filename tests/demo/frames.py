"""How many frames of each camera a running referee has taken in, as its metrics count them."""

from __future__ import annotations

import re
import time
import urllib.request


def frames(url: str) -> dict[str, int]:
    """Return the frames by camera."""
    with urllib.request.urlopen(f"{url}metrics", timeout=30) as answer:
        said = answer.read().decode()
    counts = re.findall(r'^referee_camera_frames_total{camera="(\w+)"} (\S+)$', said, re.MULTILINE)
    assert counts, "the metrics count no frames"
    return {camera: int(float(count)) for camera, count in counts}


def taken_in(url: str, before: dict[str, int], most_s: float = 60.0) -> None:
    """Wait until every camera has given a frame more: what was put before them is what they see."""
    by = time.monotonic() + most_s
    while any(count <= before.get(camera, 0) for camera, count in frames(url).items()):
        assert time.monotonic() < by, f"no new frames after {before}"
        time.sleep(0.05)
