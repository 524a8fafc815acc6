"""What the page's scripts work out without a browser: their own unit tests, run by Node.js."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
OLDEST_NODE = 18


@pytest.mark.skipif(NODE is None, reason="no node here: scripts/setup dev installs it")
def test_the_scripts_own_tests_pass() -> None:
    assert NODE is not None
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    assert int(version.removeprefix("v").split(".")[0]) >= OLDEST_NODE
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", "tests/web/js/pure.test.js"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^# pass (\d+)$", run.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 10
