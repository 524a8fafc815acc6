"""The locked versions: they fit what pyproject.toml allows, every file has its hash, no registry is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKS = {"run": PROJECT["dependencies"], "dev": PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]}
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)", re.MULTILINE)
_ASKED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?P<bounds>[^;]*)")


def locked(name: str) -> dict[str, set[str]]:
    """Every package of a lock and its versions: more than one where platforms differ."""
    found: dict[str, set[str]] = {}
    for each in _PINNED.finditer(text_of(name)):
        found.setdefault(each["name"].lower().replace("_", "-"), set()).add(each["version"])
    return found


def text_of(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:4])


@pytest.mark.parametrize("name", LOCKS)
def test_everything_asked_for_is_locked_within_its_bounds(name: str) -> None:
    pinned = locked(name)
    for asked in [*LOCKS[name], "setuptools>=77"]:
        found = _ASKED.match(asked)
        assert found is not None
        versions = pinned[found["name"].lower().replace("_", "-")]
        for bound in filter(None, found["bounds"].split(",")):
            said = re.fullmatch(r"\s*(>=|<)\s*([0-9.]+)\s*", bound)
            assert said is not None
            for version in versions:
                assert (number(version) >= number(said[2])) is (said[1] == ">="), f"{asked}: {version} is locked"


@pytest.mark.parametrize("name", LOCKS)
def test_every_pinned_version_has_hashes(name: str) -> None:
    for block in re.split(r"\n(?=[A-Za-z0-9])", text_of(name).strip()):
        assert "--hash=sha256:" in block, block.splitlines()[0]


@pytest.mark.parametrize("name", LOCKS)
def test_no_registry_is_named(name: str) -> None:
    assert not re.search(r"https?:|--(?:extra-)?index|--find-links|file:", text_of(name))


def test_both_locks_agree() -> None:
    run, dev = locked("run"), locked("dev")
    assert {name: dev.get(name) for name in run} == run


def test_machines_of_both_kinds_are_served() -> None:
    """A lock made for one platform alone would carry a fraction of the files."""
    numpy = text_of("run").split("\nnumpy==")[1]
    assert numpy.count("--hash=") > 20
    assert min(number(version) for version in locked("run")["waitress"]) >= (3, 0, 1)
