"""The locked versions: they fit what pyproject.toml allows, every file has its hash, no registry is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {"run": PROJECT["dependencies"], "dev": PROJECT["dependencies"] + EXTRAS["dev"], "docs": EXTRAS["docs"]}
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)", re.MULTILINE)
_ASKED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?P<bounds>[^;]*)")


def locked(name: str) -> dict[str, set[str]]:
    """Return every package of a lock and its versions: more than one where platforms differ."""
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
    builds = [] if name == "docs" else ["setuptools>=77"]
    for asked in [*LOCKS[name], *builds]:
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


def test_the_run_lock_is_part_of_the_dev_lock() -> None:
    run, dev = locked("run"), locked("dev")
    assert {name: dev.get(name) for name in run} == run


def test_machines_of_both_kinds_are_served() -> None:
    """A lock made for one platform alone would carry a fraction of the files."""
    numpy = text_of("run").split("\nnumpy==")[1]
    assert numpy.count("--hash=") > 20
    assert min(number(version) for version in locked("run")["waitress"]) >= (3, 0, 1)


WHEELS = [
    line.split()
    for line in (ROOT / "requirements" / "arm64.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
_MARKER = re.compile(r"python_full_version (?P<how><|>=) '3\.(?P<minor>\d+)'")


def needed(python: str) -> set[str]:
    """Return what a Python on Linux installs of the lock, as NAME-VERSION."""
    found = set()
    for line in re.findall(r"^[A-Za-z0-9._-]+==.*$", text_of("run"), re.MULTILINE):
        marker, minor = _MARKER.search(line), int(python.split(".")[1])
        if marker is None or (minor >= int(marker["minor"])) is (marker["how"] == ">="):
            pin = _PINNED.match(line)
            assert pin is not None
            found.add(f"{pin['name'].lower().replace('-', '_')}-{pin['version']}")
    return found


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_everything_that_is_installed_comes_ready_made_for_arm64(python: str) -> None:
    """Nothing is compiled on a Raspberry Pi. Names tell whom a wheel fits, hashes that it is the locked one."""
    hashes = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", text_of("run")))
    own = [(name, digest) for at, name, digest in WHEELS if at == python]
    for name, digest in own:
        *_, interpreter, abi, platform = name.removesuffix(".whl").split("-")
        assert digest in hashes, f"{name}: not what is locked; run python -m scripts.arm64"
        assert platform == "any" or "aarch64" in platform, name
        assert abi in ("none", "abi3") or interpreter == f"cp{python.replace('.', '')}", name
    assert {"-".join(name.split("-")[:2]).lower() for name, _ in own} == needed(python)
