"""What can be set of witnesses."""

from __future__ import annotations

from typing import Annotated

from referee.service.settings import Section, says


class TimestampSettings(Section):
    """An authority for timestamps by RFC 3161 (docs/operate/witnesses.md)."""

    authority: Annotated[
        str,
        says(
            "the address of an authority that signs when a turn was there, https://HOST/PATH; empty for none",
            pattern=r"^(https?://\S+)?$",
        ),
    ] = ""


SECTIONS = {"timestamps": TimestampSettings}
