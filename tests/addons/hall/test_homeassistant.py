"""A table is announced as Home Assistant's documentation of device discovery wants it, and its templates work."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from referee.addons.hall.homeassistant import discovery, discovery_topic, picture_topic
from referee.addons.hall.messages import About, HallCamera, HallHealth, HallModel, Said
from referee.match.phases import Phase

ABOUT = About(
    sent=1, id="0123456789abcdef", name="Table “7”", key="A" * 43, version="1.0", page="http://table:8080/",
    game="torres", title="Torres",
)  # fmt: skip

STRING = {"type": "string", "minLength": 1}
TOPIC = {"type": "string", "pattern": "^[^+#\\x00]+$"}
ENTITY: dict[str, Any] = {
    "platform": {"enum": ["sensor", "binary_sensor", "image"]},
    "name": STRING,
    "unique_id": {"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"},
    "state_topic": TOPIC,
    "image_topic": TOPIC,
    "content_type": {"const": "image/jpeg"},
    "value_template": STRING,
    "entity_category": {"const": "diagnostic"},
    "device_class": {"enum": ["problem", "connectivity", "enum", "data_size"]},
    "options": {"type": "array", "items": STRING, "minItems": 1, "uniqueItems": True},
    "state_class": {"enum": ["measurement", "total", "total_increasing"]},
    "unit_of_measurement": {"enum": ["B", "kB", "MB", "GB"]},
    "suggested_unit_of_measurement": {"enum": ["B", "kB", "MB", "GB"]},
}
"""Of what the documentation lists for sensor.mqtt and binary_sensor.mqtt, the keys used here, and their values."""
SCHEMA = {
    "type": "object",
    "required": ["device", "origin", "components"],
    "additionalProperties": False,
    "properties": {
        "device": {
            "type": "object",
            "required": ["identifiers"],
            "additionalProperties": False,
            "properties": {
                "identifiers": {"type": "array", "items": STRING, "minItems": 1},
                **dict.fromkeys(("name", "manufacturer", "model", "sw_version"), STRING),
                "configuration_url": {"type": "string", "pattern": "^(https?|homeassistant)://"},
            },
        },
        "origin": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {"name": STRING, "sw_version": STRING, "support_url": STRING},
        },
        "availability": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["topic"],
                "additionalProperties": False,
                "properties": {"topic": TOPIC, "value_template": STRING},
            },
        },
        "qos": {"enum": [0, 1, 2]},
        "components": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": "object",
                "required": ["platform", "unique_id"],
                "additionalProperties": False,
                "properties": ENTITY,
                "allOf": [
                    {  # an enum has options and no unit; options are for an enum alone
                        "if": {"required": ["options"]},
                        "then": {"required": ["device_class"], "properties": {"device_class": {"const": "enum"}}},
                    },
                    {  # a picture comes as it is
                        "if": {"properties": {"platform": {"const": "image"}}},
                        "then": {"required": ["image_topic"], "not": {"required": ["value_template"]}},
                        "else": {"required": ["state_topic"], "not": {"required": ["image_topic"]}},
                    },
                    {
                        "if": {"properties": {"device_class": {"const": "enum"}}, "required": ["device_class"]},
                        "then": {"required": ["options"], "not": {"required": ["state_class"]}},
                    },
                    {
                        "if": {"properties": {"platform": {"const": "binary_sensor"}}},
                        "then": {"properties": {"device_class": {"enum": ["problem", "connectivity"]}}},
                    },
                ],
            },
        },
    },
}


@pytest.fixture
def announced() -> Any:
    return json.loads(discovery(ABOUT, ("cam0", "cam1", "o'); {{ x")))


def test_the_announcement_is_as_documented(announced: Any) -> None:
    jsonschema.validate(announced, SCHEMA)
    assert discovery_topic(ABOUT.id) == "homeassistant/device/referee-0123456789abcdef/config"
    assert {"to-move", "ruling", "problem", "breach", "camera-cam0", "camera-cam1"} <= announced["components"].keys()
    assert not any("{{ x" in name for name in announced["components"]), "a strange name makes no template"
    unique = [one["unique_id"] for one in announced["components"].values()]
    assert len(set(unique)) == len(unique)


def test_the_board_is_an_image_where_pictures_are_published(announced: Any) -> None:
    assert "board" not in announced["components"]
    pictured = json.loads(discovery(ABOUT, ("cam0",), pictures=True))
    jsonschema.validate(pictured, SCHEMA)
    assert pictured["components"]["board"]["image_topic"] == picture_topic(ABOUT.id)


def value(announced: Any, name: str, message: Any) -> str:
    template = announced["components"][name]["value_template"]
    told = message.model_dump(mode="json") if isinstance(message, HallModel) else message
    return ImmutableSandboxedEnvironment().from_string(template).render(value_json=told)


def test_its_templates_find_what_they_tell(announced: Any) -> None:
    red, well = Said(en="Red", de="Rot", fr="Rouge"), Said(en="ok", de="gut", fr="bien")
    cameras = tuple(HallCamera(name=f"cam{at}", ok=not at, words=well, age_s=1) for at in (0, 1))
    health = HallHealth(
        sent=1, every_s=15, version="1", cameras=cameras, disk_free_bytes=5, keeping="on", journal="", problem=True,
        notices=(),
    )  # fmt: skip
    state = {
        "players": {"red": red.model_dump()},
        "to_move": "red",
        "turn": 3,
        "phase": {"id": Phase.VIOLATION.value},
        "needs": [{"what": "breach"}],
    }
    assert value(announced, "to-move", state) == "Red"
    assert value(announced, "breach", state) == "ON"
    assert value(announced, "dispute", state) == "OFF"
    assert value(announced, "needs", state) == "1"
    assert value(announced, "phase", state) in announced["components"]["phase"]["options"]
    assert value(announced, "problem", health) == "ON"
    assert value(announced, "camera-cam0", health) == "ON"
    assert value(announced, "camera-cam1", health) == "OFF"
    assert value(announced, "disk-free", health) == "5"
    assert value(announced, "ruling", {"verdict": "illegal"}) in announced["components"]["ruling"]["options"]
