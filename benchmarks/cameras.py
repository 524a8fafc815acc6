"""Measures what watching costs: two cameras from files, the stillness gate, and how soon a stall is noticed.

``REFEREE_BENCH_FRAMES`` sets how many frames the memory is watched over (``make bench-memory`` takes 20,000).
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np

from benchmarks.measure import Section, table
from referee.demo.recording import BUNDLED
from vision.gate.gate import begin, watch
from vision.gate.look import SETTLE_S
from vision.sources.address import parse_source
from vision.sources.camera import Camera
from vision.sources.state import SourceHealth

CAMERAS = 2
FPS = 15
IDLE_S = 20.0
LEAST_FRAMES = 3000
MOST_CORE = 0.25
MOST_RATIO = 1.5
STALL_S = 3.0
GROWTH_MB = 8.0
_TICKS = os.sysconf("SC_CLK_TCK")


def film(folder: Path, camera: int) -> Path:
    """Film an idle board, 1280 x 960 at 15 frames a second, as Motion-JPEG: two seconds, to be looped."""
    picture = np.asarray(cv2.imread(str(sorted((BUNDLED / "pictures").glob(f"*_cam{camera}.jpg"))[0])))
    path = folder / f"idle{camera}.avi"
    size = (picture.shape[1], picture.shape[0])
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
    rng = np.random.default_rng(camera)
    for _ in range(2 * FPS):
        grain = rng.normal(0, 3, picture.shape).astype(np.float32)
        writer.write(np.clip(picture + grain, 0, 255).astype(np.uint8))
    writer.release()
    return path


def cpu_s(pid: int) -> float:
    """Return the CPU time that a process has used, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_mb(pid: int) -> float:
    """Return the memory that is a process's own, MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty"))) / 1024


class _Watcher:
    """Watches cameras as the referee does: every frame goes through a gate of its own."""

    def __init__(self, cameras: list[Camera]) -> None:
        self.cameras = cameras
        self.frames = 0
        self.gate_s = 0.0
        self._gates = [begin() for _ in cameras]
        self._seen = [0] * len(cameras)

    def step(self) -> None:
        changed = self.cameras[0].changed
        with changed:
            changed.wait(0.5)
        for index, camera in enumerate(self.cameras):
            for glimpse in camera.since(self._seen[index]):
                began = time.thread_time()
                self._gates[index] = watch(self._gates[index], glimpse.number, glimpse.at_s, glimpse.grey)
                self.gate_s += time.thread_time() - began
                self._seen[index] = glimpse.number
                self.frames += 1


def _decoding_s(paths: list[Path]) -> float:
    """Return the CPU time to decode a second of the same streams in full, by OpenCV, seconds."""
    began = time.process_time()
    frames = 0
    for path in paths:
        video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        while video.read()[0]:
            frames += 1
        video.release()
    return (time.process_time() - began) / frames * FPS * len(paths)


def idle(paths: list[Path], seconds: float) -> tuple[float, float, float]:
    """Watch two cameras. Return the cores used, those used by the gate, and the gate's milliseconds a frame."""
    changed = threading.Condition()
    cameras = [
        Camera(f"cam{n}", parse_source(f"file:{path}?loop=yes"), changed=changed) for n, path in enumerate(paths)
    ]
    try:
        watcher = _Watcher(cameras)
        while watcher.frames < 2 * FPS:
            watcher.step()
        pids = [os.getpid(), *(pid for camera in cameras if (pid := camera.pid))]
        before, frames, gate_s, began = sum(map(cpu_s, pids)), watcher.frames, watcher.gate_s, time.monotonic()
        while time.monotonic() - began < seconds:
            watcher.step()
        took_s = time.monotonic() - began
        counted = max(watcher.frames - frames, 1)
        gate_s = watcher.gate_s - gate_s
        return (sum(map(cpu_s, pids)) - before) / took_s, gate_s / took_s, 1000 * gate_s / counted
    finally:
        for camera in cameras:
            camera.close()


def growth_mb(path: Path, frames: int) -> tuple[int, float, float]:
    """Return frames seen as fast as they come, and how much referee and child grew after the first quarter, MB."""
    with Camera("cam0", parse_source(f"file:{path}?loop=yes&fps=max")) as camera:
        watcher = _Watcher([camera])
        while watcher.frames < frames // 4:
            watcher.step()
        child = camera.pid or 0
        before = resident_mb(os.getpid()), resident_mb(child)
        while watcher.frames < frames:
            watcher.step()
        return watcher.frames, resident_mb(os.getpid()) - before[0], resident_mb(child) - before[1]


class _Stalling(BaseHTTPRequestHandler):
    stalled = threading.Event()
    content = b""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
        self.end_headers()
        count = 0
        try:
            while True:
                while self.stalled.is_set():
                    time.sleep(0.01)
                count += 1
                # A note behind the picture's end makes each one new.
                content = self.content + str(count).encode()
                self.wfile.write(b"--b\r\nContent-Length: %d\r\n\r\n" % len(content) + content + b"\r\n")
                time.sleep(1 / FPS)
        except OSError:
            pass


def stall_s(times: int = 5) -> float:
    """Return the longest of some times from a camera's last picture until it is called silent, seconds."""
    picture = sorted((BUNDLED / "pictures").glob("*_cam0.jpg"))[0]
    _Stalling.content = picture.read_bytes()
    longest = 0.0
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stalling) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for _ in range(times):
            _Stalling.stalled.clear()
            with Camera("cam0", parse_source(f"http://127.0.0.1:{server.server_port}/")) as camera:
                camera.wait(10, 20.0)
                _Stalling.stalled.set()
                began = time.monotonic()
                while camera.state.health is SourceHealth.LIVE:
                    time.sleep(0.005)
                longest = max(longest, time.monotonic() - began)
        _Stalling.stalled.clear()
        server.shutdown()
    return longest


def measure(cases: Path | None) -> Section:
    """Measure two cameras that watch an idle board; it needs no cases."""
    del cases
    frames = int(os.environ.get("REFEREE_BENCH_FRAMES", LEAST_FRAMES))
    with tempfile.TemporaryDirectory() as name:
        paths = [film(Path(name), camera) for camera in range(CAMERAS)]
        decoding = _decoding_s(paths)
        cores, gate, gate_ms = idle(paths, IDLE_S)
        seen, ours_mb, child_mb = growth_mb(paths[0], frames)
    stall = stall_s()
    broken = [
        promise
        for promise, kept in (
            (f"an idle board costs at most {MOST_CORE:.0%} of a core, not {cores:.0%}", cores <= MOST_CORE),
            (
                f"and at most {MOST_RATIO} times the decoding, not {cores / decoding:.2f}",
                cores <= MOST_RATIO * decoding,
            ),
            (f"a stall is noticed within {STALL_S:g} s, not {stall:.2f} s", stall <= STALL_S),
            (f"no growth of memory, but {ours_mb + child_mb:.1f} MB", ours_mb + child_mb < GROWTH_MB),
        )
        if not kept
    ]
    rows = (
        ("decoding the same streams in full (the reference)", f"{decoding:.1%} of a core", "1.00"),
        ("watching the idle board: reading, shrinking, gate", f"{cores:.1%} of a core", f"{cores / decoding:.2f}"),
        ("of which the gate", f"{gate:.1%} of a core, {gate_ms:.2f} ms a frame", f"{gate / decoding:.2f}"),
        ("longest time until a stall is noticed, of 5", f"{stall:.2f} s", ""),
        (f"growth of memory over {seen} frames, referee and child", f"{ours_mb:+.1f} MB, {child_mb:+.1f} MB", ""),
        ("settling time", f"{SETTLE_S:g} s", ""),
    )
    lines = (
        f"{CAMERAS} cameras of 1280 x 960 at {FPS} frames a second from Motion-JPEG files, {IDLE_S:.0f} s.",
        "",
        *table(("what", "how much", "times the reference"), rows),
    )
    return Section("Watching", lines, tuple(broken))
