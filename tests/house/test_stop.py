"""A referee that is asked to stop stops at once, with pages listening, and leaves nothing half done."""

from __future__ import annotations

import http.client
import signal
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.storage.journal import Journal
from tests.demo.command import Demo


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_clean_stop_while_a_page_listens(tmp_path: Path, asked: signal.Signals) -> None:
    demo = Demo(tmp_path / "game.journal", "--pace", "2")
    line = http.client.HTTPConnection(urlsplit(demo.url).netloc, timeout=30)
    line.request("GET", "/api/stream")
    stream = line.getresponse()
    assert stream.readline()
    demo.until("look 1:")
    demo.process.send_signal(asked)
    assert demo.wait() == 0, demo.said
    assert demo.said[-1] == "Stopped."
    assert stream.read()[-2:] == b"\n\n"  # the stream ended after a whole message
    line.close()
    with Journal(tmp_path / "game.journal") as journal:
        assert journal.last >= 3
