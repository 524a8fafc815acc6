"""Hostile pictures at every way in: a watched folder, a phone's camera, the hands of a virtual table.

Huge, torn, disguised, endless; none may hold up a command for a second, take more than 400 MB or end the referee, and
a good picture that comes after them is seen.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from referee.demo.recording import BUNDLED, Recording
from tests.attacks.crowd import MOST_MB
from tests.attacks.longgame import Tablet, memory_mb
from tests.attacks.outcome import Outcome
from tests.calibration.hugefile import HUGE
from tests.demo.command import Demo

TORN = 60
SENT = 200
FRAMES = "/api/phones/cam1/frames?age_ms=0"


def hostile(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of pictures nobody should send."""
    chance = random.Random(seed)
    good = Recording.open(BUNDLED).looks[0].pictures["cam0"].read_bytes()
    for kind, made in HUGE.items():
        for width, height in ((30_000, 30_000), (65_535, 1), (1, 65_535), (8_000, 8_000)):
            with contextlib.suppress(OverflowError):
                yield f"huge-{kind.split(',')[0].replace(' ', '-')}-{width}.{kind[:3]}", made(width, height)
    for number in range(TORN):
        torn = bytearray(good[: chance.randrange(len(good))] if number % 2 else good)
        for _ in range(chance.randrange(1, 40)):
            torn[chance.randrange(len(torn)) if torn else 0 :][:1] = b""
            if torn:
                torn[chance.randrange(len(torn))] = chance.randrange(256)
        yield f"torn-{number:02d}.jpg", bytes(torn)
    yield "empty.jpg", b""
    yield "noise.jpg", chance.randbytes(1_000_000)
    yield "page.png", b"<!doctype html><script>1</script>" * 999
    yield "begins-well.jpg", good[:4] + bytes(1_400_000)


def into_a_folder(folder: Path, seed: int) -> None:
    """Put what is hostile into a watched folder, and what is no file at all."""
    for name, content in hostile(seed):
        (folder / f"0{name}").write_bytes(content)
    os.mkfifo(folder / "0pipe.jpg")  # opened to be read it would wait for ever
    (folder / "0folder.jpg").mkdir()
    (folder / "0gone.jpg").symlink_to("/nowhere/at/all.jpg")
    (folder / "0loop.jpg").symlink_to(folder / "0loop.jpg")
    (folder / "0endless.jpg").symlink_to("/dev/zero")


class Sender(Tablet):
    """A paired device that sends whatever it likes."""

    def post(self, path: str, body: bytes, media: str) -> int:
        """Return the status a body is answered with; 0 where the line was cut."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self._number += 1
        try:
            line.request("POST", path, body, self.headers(f"sent-{self._number}") | {"Content-Type": media})
            answer = line.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return 0
        else:
            return answer.status
        finally:
            line.close()


def _settled(run: Demo, sender: Sender, name: str, outcome: Outcome, statuses: set[int]) -> None:
    sender.pass_time(5, 0.5)
    held = memory_mb(run.process.pid)
    said = f"{name}: answers {sorted(statuses)}, {sender.waited}; {held:.0f} MB"
    outcome.holds(sender.in_time and held < MOST_MB and not statuses & {0, 500}, said)


def _trouble(sender: Sender, camera: str) -> str:
    """Return what the page says is amiss with a camera; empty where it sees the table."""
    told = sender.ask("GET", "/api/state?lang=en")[1]["cameras"]
    return next("" if each["ok"] else each["words"] for each in told if each["name"] == camera)


def _real(folder: Path, parts: ExitStack, outcome: Outcome) -> None:
    watched, data = folder / "watched", folder / "data"
    watched.mkdir()
    table = folder / "table"
    shutil.copytree(BUNDLED, table)
    os.environ["REFEREE_DATA_FOLDER"] = str(data)
    recording, game = Recording.open(BUNDLED), folder / "game.json"
    game.write_text(json.dumps(recording.position), encoding="utf-8")
    pictures = recording.looks[0].pictures
    shutil.copy(pictures["cam0"], watched / "00first.jpg")
    cameras = ("--camera", f"cam0=folder:{watched}?watch=yes", "--camera", "cam1=phone:left")
    run = parts.enter_context(Demo.run(str(table), "--game", str(game), *cameras))
    sender = Sender.paired(data, urlsplit(run.url).port or 0)
    into_a_folder(watched, 1)
    _settled(run, sender, "a watched folder", outcome, set())
    found = {sender.post(FRAMES, content[:1_499_000], "image/jpeg") for _, content in hostile(2)}
    _settled(run, sender, "a phone's camera", outcome, found)
    seen, until_s = {"cam0": False, "cam1": False}, time.monotonic() + 60
    while not all(seen.values()) and time.monotonic() < until_s:  # what is good is seen after all that
        shutil.copy(pictures["cam0"], watched / f"9{time.monotonic_ns()}.jpg")
        sender.post(FRAMES, pictures["cam1"].read_bytes(), "image/jpeg")
        seen = {camera: was or not _trouble(sender, camera) for camera, was in seen.items()}
        time.sleep(0.5)
    outcome.holds(all(seen.values()), f"good pictures are seen afterwards {[one for one in seen if not seen[one]]}")
    outcome.holds(run.process.poll() is None, "the referee goes on")


def _virtual(folder: Path, parts: ExitStack, outcome: Outcome) -> None:
    del folder
    run = parts.enter_context(Demo(None, "--play"))
    found = run.until(r"http://[^/]*:(\d+)/virtual#pair=(\S+)")
    sender = Sender.let_in(int(found[1]), found[2])
    chance, statuses = random.Random(3), set()
    words = [
        "take",
        "put",
        "move",
        "A1",
        "J10",
        "Z99",
        "",
        "x" * 4000,
        None,
        -1,
        1e308,
        [],
        {},
        "\u0000",
        "../..",
        "red",
    ]
    keys = ["do", "field", "to", "piece", "name", "camera", "light", "version"]
    for number in range(SENT):
        body = json.dumps({key: chance.choice(words) for key in chance.sample(keys, chance.randrange(1, 5))}).encode()
        path = ("/api/virtual/acts", "/api/virtual/faults", "/api/virtual/button")[number % 3]
        statuses.add(sender.post(path, body, "application/json"))
    _settled(run, sender, "a virtual table's hands", outcome, statuses)
    outcome.holds(run.process.poll() is None, "the virtual table goes on")


def attack() -> Outcome:
    """Attack every way in, at running referees."""
    outcome = Outcome(f"hostile pictures (load {os.getloadavg()[0]:.1f} at its beginning)")
    for way in (_real, _virtual):
        with tempfile.TemporaryDirectory(prefix="referee-pictures-") as folder, ExitStack() as parts:
            way(Path(folder), parts, outcome)
    return outcome
