"""Settings for all tests."""

from __future__ import annotations

import gc
import importlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from hypothesis import Phase, settings
from hypothesis.internal.conjecture import providers
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from playwright.sync_api import Browser

importlib.import_module("tests.shared")  # takes a variable out of the environment, whichever tests are run
# Every core has a worker: threads of NumPy and OpenCV within one would only wait for each other, and wait busily.
# What a test starts inherits it; both libraries look when they are loaded, which is later.
for _library in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(_library, "1")
# Machines that run the tests are shared and slow at times: speed is the bench's business, not the tests'.
# The same is said of the same code twice: nobody's commit fails by chance.
settings.register_profile("referee", deadline=None, derandomize=True, max_examples=50)
# A long run, twenty times as many examples, new ones every time (make fuzz).
settings.register_profile("thorough", deadline=None, max_examples=1000)
# Mutation testing runs the tests once for each of thousands of mutants, make quick after every edit.
settings.register_profile(
    "quick",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # that a test fails is enough: no smaller example is sought
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "referee")
gc.disable()  # what is collected stays: to search it for garbage meanwhile takes a third of the time of collecting

OURS = tuple(f"{Path(__file__).parents[1] / room}{os.sep}" for room in ("referee", "vision", "calibration", "web"))
_IN_A_BROWSER = re.compile(r"needs_browser\b|playwright\b")
_IN_A_PROCESS = re.compile(
    r"\b(subprocess|Demo|Popen|multiprocessing|vision\.sources\.camera|"
    r"tests\.(kills|demo\.webcams|addons\.hall\.broker))\b"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a browser or starts processes, by what its module uses; what waits or takes long comes first.

    One worker runs a module: a long one that came last would keep a single worker busy while the others are done.
    """
    if len({item.nodeid for item in items}) < len(items):
        raise pytest.UsageError("two tests bear one name: pytest-xdist would run a single one of them")
    for item in items:
        browser, process = _uses(item.path)
        if browser:
            item.add_marker(pytest.mark.browser)
        if process:
            item.add_marker(pytest.mark.process)
    waiting = {item.path for item in items if any(map(item.get_closest_marker, ("browser", "process")))}
    taking_long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (item.path not in waiting, item.path not in taking_long))


def pytest_collection_finish() -> None:
    """Search for garbage seldom, and not in what was collected: that is much, and stays until the end."""
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


class LateRule(Rule):
    """Writes the code that makes its address when that is first asked for: it takes half of the making of an app."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        write = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, **values: write()(rule, **values)


Flask.url_rule_class = LateRule  # hundreds of apps are made here, and few of their addresses
# Hypothesis draws constants of our modules too, and resolves the path of every loaded one to find out which are ours.
providers.is_local_module_file = lambda path: path.startswith(OURS)


@pytest.fixture
def browser() -> Iterator[Browser]:
    """Yield the shared browser; whatever a test opened in it is closed."""
    from tests.web.browser import shared_browser

    browser = shared_browser()
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as parts:
        yield parts


@cache
def _uses(module: Path) -> tuple[bool, bool]:
    text = module.read_text(encoding="utf-8")
    return bool(_IN_A_BROWSER.search(text)), bool(_IN_A_PROCESS.search(text))
