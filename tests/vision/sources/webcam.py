"""A network camera on this computer that has every fault a test asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import cv2
import numpy as np

FPS = 30


def picture(number: int, size: tuple[int, int] = (320, 240)) -> bytes:
    """Return a JPEG that differs from picture to picture by its noise, as a camera's do."""
    rng = np.random.default_rng(number)
    ground = np.linspace(40, 200, size[0], dtype=np.float32)[None, :, None]
    noisy = ground + rng.normal(0, 3, (size[1], size[0], 3))
    return bytes(cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8))[1])


@cache
def _pictures(width_px: int, height_px: int) -> Sequence[bytes]:
    return [picture(n, (width_px, height_px)) for n in range(20)]


class Webcam(ThreadingHTTPServer):
    """``fault`` may be changed at any time: "", "stall", "same", "garbage", "cut", "resize", "text", "refuse"."""

    daemon_threads = True
    allow_reuse_address = True
    fault = ""
    password = ""
    length = True
    fps = FPS
    own: Sequence[bytes] = ()
    """JPEGs to send instead of a grey ground."""
    sent = 0
    asked: ClassVar[list[str]] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "video", user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.port}/{path}"

    def content(self) -> bytes:
        self.sent += 1
        pictures = self.own or _pictures(320, 240)
        match self.fault:
            case "same":
                return pictures[0]
            case "garbage":
                return b"\xff\xd8\xff" + bytes(range(256)) * 20
            case "cut":
                whole = pictures[self.sent % len(pictures)]
                return whole[: len(whole) // 2]
            case "resize":
                return _pictures(160, 120)[self.sent % 20]
        return pictures[self.sent % len(pictures)]


class _Handler(BaseHTTPRequestHandler):
    server: Webcam

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.server.password and self.headers.get("Authorization") != self.server.password:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path.startswith("/redirect"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("?")[2])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.server.fault == "text":
            self._answer("text/html", b"<html>Please log in</html>")
        elif self.path.startswith("/still"):
            self._answer("image/jpeg", self.server.content())
        else:
            self._stream()

    def _answer(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while True:
                while self.server.fault == "stall":
                    time.sleep(0.02)
                if self.server.fault == "noise":
                    self.wfile.write(bytes(range(256)) * 4096)
                    continue
                content = self.server.content()
                length = f"Content-Length: {len(content)}\r\n" if self.server.length else ""
                self.wfile.write(f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode())
                self.wfile.write(content + b"\r\n")
                time.sleep(1 / self.server.fps)
        except OSError:
            pass


@contextmanager
def webcam(port: int = 0) -> Iterator[Webcam]:
    """Run a camera; leaving it cuts its connections as a pulled plug does."""
    with Webcam(("127.0.0.1", port), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
