"""What the referee writes for whoever looks after it."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest

from referee.service.logs import JsonLines, TextLines

SOURCE = "rtsp://me:hunter2@camera/1"


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    logger = logging.getLogger("referee.tests.house")
    logger.propagate = False
    logger.setLevel("DEBUG")
    yield logger
    logger.handlers.clear()


def lines(logger: logging.Logger, formatter: logging.Formatter) -> io.StringIO:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    logger.addHandler(handler)
    return written


def boom() -> None:
    raise ValueError(f"can't open {SOURCE}")


def test_log_lines_as_text(log: logging.Logger) -> None:
    written = lines(log, TextLines())
    log.info("ruled on\nturn %d", 3, extra={"verdict": "legal", "player": "light blue", "source": SOURCE})
    (line,) = written.getvalue().splitlines()
    assert line.endswith(
        'INFO referee.tests.house: ruled on\\nturn 3 verdict=legal player="light blue" source=rtsp://***@camera/1'
    )
    assert line[:4].isdigit()


def test_json(log: logging.Logger) -> None:
    written = lines(log, JsonLines())
    log.warning("lost %s", SOURCE, extra={"cameras": {"cam0": [SOURCE, 1.5]}, "path": object})
    said = json.loads(written.getvalue())
    assert said["message"] == "lost rtsp://***@camera/1"
    assert said["cameras"] == {"cam0": ["rtsp://***@camera/1", 1.5]}
    assert (said["level"], said["logger"]) == ("warning", "referee.tests.house")


@pytest.mark.parametrize("formatter", [TextLines(), JsonLines()])
def test_tracebacks_are_masked_too(log: logging.Logger, formatter: logging.Formatter) -> None:
    written = lines(log, formatter)
    try:
        boom()
    except ValueError:
        log.exception("failed")
    assert "ValueError" in written.getvalue()
    assert "hunter2" not in written.getvalue()


def test_configured_for_the_whole_process() -> None:
    program = (
        "import logging, warnings\nfrom referee.service.logs import configure\nconfigure('warning', 'json')\n"
        "logging.getLogger('x').info('no')\nlogging.getLogger('x').error('yes', extra={'n': 1})\n"
        "warnings.warn('careful')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    said = [json.loads(line) for line in done.stderr.splitlines()]
    assert [item["level"] for item in said] == ["error", "warning"]
    assert said[0]["n"] == 1
    assert "careful" in said[1]["message"]
