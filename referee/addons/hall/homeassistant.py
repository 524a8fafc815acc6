"""A table as a device of Home Assistant, by its discovery of devices: one retained message, no line of code.

https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload has the format. What it shows comes from the
topics that every reader has.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import JsonValue

from referee.addons.hall.messages import About
from referee.addons.hall.topics import QOS, HallTopic, Leaf
from referee.match.phases import Phase

PREFIX = "homeassistant"
MOST_CAMERAS = 16

Json = dict[str, JsonValue]

_DIAGNOSTIC: Json = {"entity_category": "diagnostic"}


def discovery_topic(table: str) -> str:
    """Return the topic on which a table is announced."""
    return f"{PREFIX}/device/referee-{table}/config"


def picture_topic(table: str) -> str:
    """Return the topic of a table's newest picture of the board, a JPEG as it is."""
    return f"{PREFIX}/device/referee-{table}/board"


def discovery(about: About, cameras: Sequence[str], pictures: bool = False) -> bytes:
    """Return the announcement of a table with its cameras, by name. pictures: of the board are published."""
    table = f"referee-{about.id}"

    def entity(name: str, title: str, leaf: Leaf, template: str, **more: JsonValue) -> tuple[str, JsonValue]:
        told: Json = {
            "platform": "sensor",
            "name": title,
            "unique_id": f"{table}-{name}",
            "state_topic": str(HallTopic(about.id, leaf)),
            "value_template": f"{{{{ {template} }}}}",
        }
        return name, told | more

    def sign(name: str, title: str, leaf: Leaf, true: str, **more: JsonValue) -> tuple[str, JsonValue]:
        return entity(name, title, leaf, f"'ON' if {true} else 'OFF'", platform="binary_sensor", **more)

    device: Json = {
        "identifiers": [table],
        "name": about.name,
        "manufacturer": "Referee",
        "model": about.title,
        "sw_version": about.version,
    }
    if about.page:
        device["configuration_url"] = about.page
    board: Json = {"platform": "image", "name": "Board", "unique_id": f"{table}-board"}
    board |= {"image_topic": picture_topic(about.id), "content_type": "image/jpeg"}
    phases: list[JsonValue] = [phase.value for phase in Phase]
    problem: Json = {"device_class": "problem"}
    needed = "'{}' in value_json.needs | map(attribute='what')"
    components = dict(
        [
            entity("to-move", "To move", Leaf.STATE, "value_json.players.get(value_json.to_move, {}).get('en', '')"),
            entity("turn", "Turn", Leaf.STATE, "value_json.turn"),
            entity("phase", "Phase", Leaf.STATE, "value_json.phase.id", device_class="enum", options=phases),
            entity(
                "ruling", "Ruling", Leaf.RULING, "value_json.verdict",
                device_class="enum", options=["legal", "illegal", "unsure", "none"],
            ),
            sign("breach", "Breach", Leaf.STATE, needed.format("breach"), **problem),
            sign("dispute", "Dispute", Leaf.STATE, needed.format("dispute"), **problem),
            entity("needs", "Waiting for people", Leaf.STATE, "value_json.needs | count", state_class="measurement"),
            sign("problem", "Problem", Leaf.HEALTH, "value_json.problem", **problem, **_DIAGNOSTIC),
            entity(
                "disk-free", "Free on the disk", Leaf.HEALTH, "value_json.disk_free_bytes", **_DIAGNOSTIC,
                device_class="data_size", unit_of_measurement="B", suggested_unit_of_measurement="GB",
                state_class="measurement",
            ),
            *([("board", board)] if pictures else []),
            *(
                sign(
                    f"camera-{name}", f"Camera {name}", Leaf.HEALTH,
                    f"value_json.cameras | selectattr('name', 'eq', '{name}') | selectattr('ok') | list",
                    device_class="connectivity", **_DIAGNOSTIC,
                )
                for name in cameras[:MOST_CAMERAS]
                if name.replace("-", "").replace("_", "").replace("#", "").isalnum()
            ),
        ]
    )  # fmt: skip
    availability: Json = {"topic": str(HallTopic(about.id, Leaf.AVAILABILITY))}
    availability["value_template"] = "{{ value_json.state }}"
    return json.dumps(
        {
            "device": device,
            "origin": {"name": "Referee", "sw_version": about.version},
            "availability": [availability],
            "qos": QOS,
            "components": components,
        },
        ensure_ascii=False,
    ).encode()
