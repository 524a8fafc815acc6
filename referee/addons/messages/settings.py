"""What can be set of messages."""

from __future__ import annotations

from typing import Annotated

from referee.service.settings import Section, Switch, says

KINDS = ("turn", "breach", "dispute", "end", "camera")
_ADDRESS = r"^(https?://[^\s/?#@]+(/\S*)?)?$"
_TOPIC = r"^(https?://[^\s/?#@]+/(\S+/)?[A-Za-z0-9_-]{1,64})?$"
_WORDS = rf"^({'|'.join(KINDS)})( +({'|'.join(KINDS)}))*$"


class MessageSettings(Section):
    """Messages to somewhere else; nothing leaves the table unless an address is set (docs/operate/messages.md)."""

    webhook: Annotated[
        str, says("an address that gets each message as JSON, https://HOST/PATH; empty for none", pattern=_ADDRESS)
    ] = ""
    ntfy: Annotated[
        str,
        says("a topic of ntfy that phones subscribe to, https://ntfy.sh/TOPIC; empty for none", pattern=_TOPIC),
    ] = ""
    about: Annotated[
        str, says("what is told, words with spaces between: turn, breach, dispute, end, camera", pattern=_WORDS)
    ] = " ".join(KINDS)
    pictures: Annotated[Switch, says("true: the newest picture of the board goes along; false: none does")] = False


SECTIONS = {"messages": MessageSettings}
