"""A pytest plugin that tries mutants: the tests are collected once, then each mutant is tried in a fork of its own.

mutmut's own runner starts pytest anew for every mutant and sends each call of every function through a switch; on
the engine, whose functions are short and called often, that takes hours. Here a mutant is a function whose code
object is exchanged, so that nothing else gets slower, and it is tried on those tests alone that run the changed
lines, shortest first, until one fails. Used by ``scripts.mutation``; the environment names a file with what is to do.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import random
import resource
import signal
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from coverage import Coverage
from mutmut.mutation import trampoline

PLAN = "MUTATION_PLAN"
"""The environment variable with the path of the plan, a JSON file."""
SURVIVED, FAILED, ENDLESS, UNREACHED = "survived", "killed", "endless", "no test"
CODES = {0: SURVIVED, 1: FAILED}
MEMORY_BYTES = 4 << 30
CLEAN_FACTOR, CLEAN_MORE_S = 10, 1.0
"""A test that takes so many times its usual time, and so much more, runs in circles."""
_functions: dict[str, tuple[FunctionType, dict[str, Any]]] = {}


def _keep(mutants: dict[str, Any], is_classmethod: bool = False) -> Callable[[FunctionType], FunctionType]:
    """Stand in for mutmut's decorator: leave the function as it is and remember its mutants."""

    def keep(function: FunctionType) -> FunctionType:
        _functions[f"{function.__module__}:{function.__code__.co_firstlineno}"] = (function, mutants)
        return function

    return keep


trampoline.wrap_in_trampoline = _keep


def _plain(function: Any) -> FunctionType:
    """Return the function under a class method."""
    found = getattr(function, "__func__", function)
    assert isinstance(found, FunctionType)
    return found


def _mutants() -> dict[str, tuple[FunctionType, FunctionType]]:
    """Return the function and what takes its place for each mutant, by name."""
    return {
        f"{function.__module__}.{name}": (function, _plain(mutant))
        for function, mutants in _functions.values()
        for name, mutant in mutants.items()
        if name != "_mutmut_orig"
    }


def _forget() -> None:
    """Empty the caches of the code under test: what an earlier test left there would hide a mutant."""
    for module in [module for name, module in sys.modules.items() if name.startswith("referee.")]:
        for value in vars(module).values():
            if callable(value) and hasattr(value, "cache_clear"):
                value.cache_clear()


class Lines:
    """Finds which lines of a function a mutant changed."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[list[str], dict[str, ast.FunctionDef], dict[int, ast.FunctionDef]]] = {}

    def changed(self, function: FunctionType, mutant: FunctionType) -> tuple[str, range]:
        """Return the file and the lines of the statement that was changed, the whole function for its head."""
        path = function.__code__.co_filename
        text, by_name, by_line = self._file(path)
        node, other = by_line[function.__code__.co_firstlineno], by_name[mutant.__name__]
        old, new = (text[it.lineno - 1 : it.end_lineno] for it in (node, other))
        whole = range(node.lineno, (node.end_lineno or 0) + 1)
        first = next((i for i in range(1, len(old)) if i >= len(new) or old[i] != new[i]), 0)
        if node.lineno + first < node.body[0].lineno:
            return path, whole
        line = node.lineno + first
        around = [
            it for it in ast.walk(node) if isinstance(it, ast.stmt) and it.lineno <= line <= (it.end_lineno or 0)
        ]
        inner = min(around, key=lambda it: (it.end_lineno or 0) - it.lineno)
        body = getattr(inner, "body", None)
        last = body[0].lineno - 1 if body and line < body[0].lineno else inner.end_lineno or line
        return path, range(inner.lineno, max(last, inner.lineno) + 1)

    def _file(self, path: str) -> tuple[list[str], dict[str, ast.FunctionDef], dict[int, ast.FunctionDef]]:
        if path not in self._files:
            source = Path(path).read_text(encoding="utf-8")
            nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
            by_line = {min([it.lineno for it in node.decorator_list] + [node.lineno]): node for node in nodes}
            self._files[path] = source.splitlines(), {node.name: node for node in nodes}, by_line
        return self._files[path]


def _run(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, float]]:
    """Run tests one after the other; yield each with the seconds of CPU it took."""
    for item in items:
        began = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        yield item, time.process_time() - began


def _in_fork(work: Callable[[], None]) -> int:
    """Do something in a fork; return its process."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(3)
    os._exit(0)


class Trials:
    """The plugin."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.known = Path(plan["known"])
        self.chosen = self.known.with_suffix(".chosen")
        self.in_trial = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        """End a trial at the first test that fails."""
        if self.in_trial and call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            os._exit(1)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try the mutants instead of running the tests once."""
        if not self.chosen.exists():
            for work in (self._time, self._cover, self._choose):
                _, status = os.waitpid(_in_fork(partial(work, session.items)), 0)
                if status:
                    raise pytest.UsageError("the tests fail without a mutant, too")
        self._try_all(session.items)
        return True

    def _time(self, items: list[pytest.Item]) -> None:
        self.in_trial = True
        self.known.with_suffix(".times").write_text(json.dumps({it.nodeid: spent for it, spent in _run(items)}))

    def _cover(self, items: list[pytest.Item]) -> None:
        self.in_trial = True
        times = json.loads(self.known.with_suffix(".times").read_text())
        cover = Coverage(data_file=None, config_file=False, include=["referee/games/*"])
        cover.start()
        for item in items:
            cover.switch_context(item.nodeid)
            _forget()
            for _ in _run([item]):
                pass
        cover.stop()
        data = cover.get_data()
        covered = {name: data.contexts_by_lineno(name) for name in data.measured_files()}
        self.known.write_text(json.dumps([times, covered]))

    def _choose(self, items: list[pytest.Item]) -> None:
        """Write down the tests that run the lines a mutant changed, as numbers, shortest first."""
        times, covered = json.loads(self.known.read_text(encoding="utf-8"))
        numbers = {item.nodeid: n for n, item in enumerate(items)}
        lines, chosen = Lines(), {}
        for name, (function, mutant) in _mutants().items():
            path, changed = lines.changed(function, mutant)
            by_line = covered.get(path, {})
            ids = {it for line in changed for it in by_line.get(str(line), ()) if it}
            chosen[name] = [numbers[it] for it in sorted(ids, key=lambda it: (times[it], it))]
        spent = [times[item.nodeid] for item in items]
        self.chosen.write_text(json.dumps([spent, chosen]))

    def _try_all(self, items: list[pytest.Item]) -> None:
        mutants = _mutants()
        spent, read = json.loads(self.chosen.read_text(encoding="utf-8"))
        chosen = {name: array("H", numbers) for name, numbers in read.items()}
        del read
        names = random.Random(self.plan["seed"]).sample(sorted(mutants), len(mutants))
        names = names[: round(self.plan["share"] * len(names))]
        if only := self.plan["only"]:
            whole, parts = {it for it in only if it in mutants}, [it for it in only if it not in mutants]
            names = [name for name in names if name in whole or any(part in name for part in parts)]
        done, running = set(self.plan["done"]), {}
        gc.freeze()
        with Path(self.plan["results"]).open("a", encoding="utf-8") as out:

            def note(name: str, outcome: str, spent: float, tests: int, rest: int) -> None:
                out.write(json.dumps([name, outcome, round(spent, 2), tests, rest]) + "\n")
                out.flush()

            def wait() -> None:
                child, status, usage = os.wait3(0)
                name, tests, rest = running.pop(child)
                code = os.waitstatus_to_exitcode(status)
                note(name, CODES.get(code, ENDLESS), usage.ru_utime + usage.ru_stime, tests, rest)

            for name in names:
                if name in done:
                    continue
                if time.time() > self.plan["until"]:
                    break
                function, mutant = mutants[name]
                some = [
                    (items[n], spent[n])
                    for n, total in zip(chosen[name], accumulate(spent[n] for n in chosen[name]), strict=True)
                    if total <= self.plan["most_s"]
                ]
                left = len(chosen[name]) - len(some)
                if not chosen[name]:
                    note(name, UNREACHED, 0, 0, 0)
                    continue
                while len(running) >= self.plan["children"]:
                    wait()
                child = _in_fork(partial(self._try, function, mutant, some))
                running[child] = name, len(some), left
            while running:
                wait()

    def _try(self, function: FunctionType, mutant: FunctionType, chosen: list[tuple[pytest.Item, float]]) -> None:
        """Exchange the function's code and run the tests; ends the process with 1 when one fails."""
        self.in_trial = True
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        if not self.plan["control"]:
            function.__code__ = mutant.__code__
            function.__defaults__, function.__kwdefaults__ = mutant.__defaults__, mutant.__kwdefaults__
        _forget()
        signal.signal(signal.SIGVTALRM, lambda *_: os._exit(2))
        for item, usual in chosen:
            signal.setitimer(signal.ITIMER_VIRTUAL, CLEAN_FACTOR * usual + CLEAN_MORE_S)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def pytest_configure(config: pytest.Config) -> None:
    """Take the plan up."""
    plan = json.loads(Path(os.environ[PLAN]).read_text(encoding="utf-8"))
    config.pluginmanager.register(Trials(plan), "mutants")
