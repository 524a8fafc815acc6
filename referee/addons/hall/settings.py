"""What can be set of a hall."""

from __future__ import annotations

from typing import Annotated

from referee.service.settings import Section, Switch, says


class HallSettings(Section):
    """A hall of tables: the broker to which this one publishes (docs/operate/hall.md)."""

    broker: Annotated[
        str,
        says(
            "the broker's address, mqtts://user:password@host:8883 (?ca=FILE for a CA of your own); empty for none",
            pattern=r"^(mqtts?://\S+)?$",
        ),
    ] = ""
    pictures: Annotated[
        Switch, says("true: the newest picture of the board goes to the broker, for Home Assistant; false: none does")
    ] = False


SECTIONS = {"hall": HallSettings}
