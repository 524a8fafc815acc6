"""Tables that tell a desk of themselves: real messages, signed with real keys."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import JsonValue

from referee.addons.hall.messages import (
    About,
    Availability,
    EarlierGame,
    EventLine,
    HallBanner,
    HallGame,
    HallHealth,
    HallMessage,
    HallPhase,
    HallResult,
    HallRuling,
    HallState,
    Need,
    RoomSwitches,
    Said,
    payload_of,
)
from referee.addons.hall.signing import base64_of, id_of, public_of, sign_message
from referee.addons.hall.topics import HallTopic, Leaf

NOTHING = Said(en="", de="", fr="")
Sent = tuple[HallTopic, bytes, str]


class Voice:
    """A table's voice."""

    def __init__(self, number: int, name: str = "") -> None:
        self.secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        self.key = public_of(self.secret)
        self.id = id_of(self.key)
        self.name = name or f"Table {number}"

    def sent(self, leaf: Leaf, message: HallMessage) -> Sent:
        topic, payload = HallTopic(self.id, leaf), payload_of(message)
        return topic, payload, sign_message(self.secret, str(topic), payload)

    def about(self, sent: int = 1) -> Sent:
        about = About(
            sent=sent, id=self.id, name=self.name, key=base64_of(self.key), version="1", page="", game="g", title="G"
        )
        return self.sent(Leaf.ABOUT, about)

    def is_(self, state: str, sent: int = 1) -> Sent:
        return self.sent(Leaf.AVAILABILITY, Availability.model_validate({"sent": sent, "state": state}))

    def health(self, sent: int = 2, *reliability: Said) -> Sent:
        health = HallHealth(
            sent=sent, every_s=15, version="1", cameras=(), disk_free_bytes=0, keeping="", journal="", problem=False,
            notices=(), reliability=reliability,
        )  # fmt: skip
        return self.sent(Leaf.HEALTH, health)

    def stands(
        self,
        sent: int,
        *needs: Need,
        event: int = 1,
        room: tuple[bool, bool] = (True, True),
        view: dict[str, JsonValue] | None = None,
        result: HallResult | None = None,
        game: int = 1,
        earlier: Mapping[int, int] | None = None,
        players: Mapping[str, str] | None = None,
    ) -> Sent:
        state = HallState(
            sent=sent,
            game=HallGame(id=game_id(game), name="g", title="G", began="", recorded=False),
            event=event,
            head=hash_of(game, event),
            phase=HallPhase(id="playing", words=NOTHING),
            turn=1,
            to_move="red",
            players={
                colour: Said(en=name, de=name, fr=name)
                for colour, name in (players or {"red": "", "yellow": ""}).items()
            },
            waits=None,
            needs=needs,
            banner=HallBanner(tone="busy", headline=NOTHING, detail=NOTHING, advice=NOTHING),
            disputes=(),
            result=result,
            room=RoomSwitches(shown=room[0], names=room[1], pictures=False, breaches=True),
            actions=(),
            earlier=tuple(EarlierGame(id=game_id(one), events=events) for one, events in (earlier or {}).items()),
            view=view or {},
        )
        return self.sent(Leaf.STATE, state)

    def event(self, number: int, sent: int, game: int = 1, replaces: int = 0, other: bool = False) -> Sent:
        line = EventLine(
            sent=sent, game=game_id(game), number=number, kind="ruling", at="",
            previous=hash_of(game, number - 1), hash=hash_of(-game if other else game, number), body="",
            replaces=replaces,
        )  # fmt: skip
        return self.sent(Leaf.EVENT, line)

    def rules(self, event: int, sent: int, game: int = 1, fate: str = "stands", text: str = "") -> Sent:
        ruling = HallRuling(
            sent=sent, game=game_id(game), event=event, entry=event, turn=event, player="red", verdict="legal",
            words=NOTHING, fate=fate, by_hand=False, text="", violations=(),
        ).model_copy(update={"text": text})  # fmt: skip
        return self.sent(Leaf.RULING, ruling)


def need(what: str, since: int, dispute: int = 0) -> Need:
    return Need.model_validate({"what": what, "since": since, "words": NOTHING, "dispute": dispute})


def game_id(number: int) -> str:
    return f"{number:016x}"


def hash_of(game: int, number: int) -> str:
    return hashlib.sha256(f"{game}-{number}".encode()).hexdigest()
