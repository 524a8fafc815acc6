"""Print what tests cost in processor time, by folder and the dearest ones: `pytest -p tests.times`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

DEAREST = 60
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_spent_s = 0.0
_costs_s: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report of a test's end what this process and its descendants used since the one before."""
    global _spent_s
    report = yield
    if call.when == "teardown":
        now_s = used_s(os.getpid())
        report.user_properties.append(("processor_s", max(now_s - _spent_s, 0.0)))
        _spent_s = now_s
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        _costs_s[report.nodeid] += sum(
            float(str(cost_s)) for name, cost_s in report.user_properties if name == "processor_s"
        )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    folders: Counter[str] = Counter()
    for test, cost_s in _costs_s.items():
        folders[str(Path(test.split("::")[0]).parent)] += cost_s
    terminalreporter.section(f"processor time: {folders.total():.0f} s")
    for name, cost_s in [*folders.most_common(), *_costs_s.most_common(DEAREST)]:
        terminalreporter.write_line(f"{cost_s:8.1f} s  {name}")


def used_s(process: int) -> float:
    """Sum what a process, what it waited for and what of its descendants still runs have used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = "".join(path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")).split()
    except OSError:
        return 0.0  # it has just ended: whoever waited for it has its time
    return sum(map(int, fields[11:15])) / TICKS_A_SECOND + sum(used_s(int(child)) for child in children)
