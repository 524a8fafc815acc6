"""Every game, and the example of docs/develop/adding-a-game.md, fulfils the contract (referee/games/contract.py)."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

import pytest

from referee.addons.authoring import conformance
from referee.addons.authoring.conformance import METHODS
from referee.addons.authoring.sentences import sentences_have_texts
from referee.addons.authoring.subject import Check, Subject
from referee.games import GROUP, check_kit

SUBJECTS = {point.name: Subject.of(point.load()(), point.name) for point in entry_points(group=GROUP)}
SUBJECTS["three-stones"] = Subject.of(importlib.import_module("three_stones").package(), "three-stones")
CHECKS = (*conformance.CHECKS, pytest.param(sentences_have_texts, marks=pytest.mark.long))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
@pytest.mark.parametrize("name", SUBJECTS)
def test_nothing_is_found(name: str, check: Check) -> None:
    """What ``referee check-game`` does first; tests/addons/authoring plants what each finds."""
    check_kit(SUBJECTS[name].package.game.kit)
    assert list(check(SUBJECTS[name])) == []


def test_no_two_abilities_share_a_method() -> None:
    assert len(set().union(*METHODS.values())) == sum(map(len, METHODS.values()))
