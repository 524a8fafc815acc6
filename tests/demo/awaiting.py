"""Wait for the state of a running demo."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.demo.command import Demo


def until(run: Demo, url: str, true: Callable[[dict[str, Any]], bool], most_s: float = 120.0) -> dict[str, Any]:
    """Ask for the state until it is as wanted."""
    by = time.monotonic() + most_s
    while True:
        with urllib.request.urlopen(f"{url}api/state", timeout=30) as answer:
            state: dict[str, Any] = json.loads(answer.read())
        if true(state):
            return state
        assert time.monotonic() < by, (state["phase"], state["banner"], state["cameras"], run.said)
        time.sleep(0.2)
