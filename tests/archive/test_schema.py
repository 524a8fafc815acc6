"""The published schema of an export is what exports are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.archive.game import exported, lines, unpacked
from tests.archive.witnessing import Phone

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "reference" / "export.schema.json").read_text(encoding="utf-8")
)
CHECK = jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    files = unpacked(exported(tmp_path_factory.mktemp("schema"), phone=Phone(b"p" * 32)))
    witnessed = files["witnesses.jsonl"].splitlines()
    return [json.loads(files["manifest.json"]), *map(json.loads, (*lines(files), *witnessed))]


def test_manifest_and_events_are_as_the_schema_says(said: list[Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for one in said:
        CHECK.validate(one)


@pytest.mark.parametrize(("place", "value"), [("head", "0"), ("events", -1), ("format", "referee export 2")])
def test_another_manifest_is_told(said: list[Any], place: str, value: object) -> None:
    assert not CHECK.is_valid({**said[0], place: value})


def test_the_schema_refuses_an_event_without_a_key(said: list[Any]) -> None:
    event = said[1]["event"]
    for key in event.keys() - {"clock"}:
        assert not CHECK.is_valid({**said[1], "event": {k: v for k, v in event.items() if k != key}})
