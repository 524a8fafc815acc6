"""The files of a hall's broker, Mosquitto: who may write what, passwords, and how it listens."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote

from referee.addons.hall.homeassistant import discovery_topic, picture_topic
from referee.addons.hall.messages import MOST_BYTES, HallError
from referee.addons.hall.topics import ID, ROOT, HallTopic, Leaf

ROUNDS = 101
"""Rounds of PBKDF2, as mosquitto_passwd makes them; the passwords here are random and long."""
DESKS, VIEWERS = (("desk", "desk-2", "desk-3"), ("viewer", "viewer-2", "viewer-3"))
"""Users beside the tables: arbiters' desks, and programs that only look on, such as Home Assistant.

The broker lets each user in once at a time, so every desk and every program needs one of its own.
"""
MOST_WAITING_BYTES = 64 * 1024 * 1024
"""What waits at the broker for a client that reads slowly; of 400 tables all that is kept goes into it."""
MOST_MEMORY_BYTES = 400 * 1024 * 1024
"""What the broker takes at most, beside what a desk can leave as orders; 200 tables need a tenth of it."""


@dataclass(frozen=True, slots=True)
class BrokerUser:
    """Somebody who may come in. password: as it is written into the settings."""

    name: str
    password: str

    def line(self, salt: bytes) -> str:
        """Return the user's line of the password file."""
        digest = hashlib.pbkdf2_hmac("sha512", self.password.encode(), salt, ROUNDS)
        told = (base64.b64encode(part).decode() for part in (salt, digest))
        return f"{self.name}:$7${ROUNDS}${'$'.join(told)}\n"

    def address(self, host: str, port: int, secure: bool) -> str:
        """Return the address for the settings."""
        return f"{'mqtts' if secure else 'mqtt'}://{self.name}:{quote(self.password, safe='')}@{host}:{port}"


def new_users(tables: Sequence[str]) -> list[BrokerUser]:
    """Return every user with a new password. tables: ids. Raises HallError for an invalid id."""
    for table in tables:
        if not re.fullmatch(ID, table):
            raise HallError(f"{table[:40]!r} is no table's id: 'referee hall id' at the table shows it")
    return [BrokerUser(name, secrets.token_urlsafe(24)) for name in (*dict.fromkeys(tables), *DESKS, *VIEWERS)]


def acl(tables: Sequence[str]) -> str:
    """Return the access list: whoever may write may do so on topics that are named, so nobody adds any."""
    own = [leaf for leaf in Leaf if leaf is not Leaf.COMMAND]
    seen = [*(f"{ROOT}/+/{leaf.value}" for leaf in own if leaf is not Leaf.ANSWER), "homeassistant/#"]
    orders = [str(HallTopic(table, Leaf.COMMAND)) for table in tables]
    return "\n".join(
        [
            "# Each table writes what is its own, and reads what it is ordered; its user name is its id.",
            *(
                line
                for table in tables
                for line in _may(
                    table,
                    reads=[str(HallTopic(table, leaf)) for leaf in (Leaf.COMMAND, Leaf.ABOUT)],
                    writes=[
                        *(str(HallTopic(table, leaf)) for leaf in own),
                        discovery_topic(table),
                        picture_topic(table),
                    ],
                )
            ),
            "# Desks see everything and order; the tables check that an order is signed by a desk they trust.",
            *(line for desk in DESKS for line in _may(desk, reads=[f"{ROOT}/#"], writes=orders)),
            "# Programs that look on.",
            *(line for viewer in VIEWERS for line in _may(viewer, reads=seen)),
        ]
    )


def _may(user: str, reads: Sequence[str], writes: Sequence[str] = ()) -> list[str]:
    may = (("read", reads), ("write", writes))
    return [f"user {user}", *(f"topic {what} {topic}" for what, topics in may for topic in topics), ""]


def listens_at(host: str, bind: str) -> str:
    """Return the address at which the broker listens, empty for every one of its computer. Raises HallError.

    host: under which the tables reach it. bind: where it is to listen, empty for at the host, if that is an address.
    """
    try:
        found = ip_address(bind or host)
    except ValueError:
        if bind:
            raise HallError(f"--bind {bind[:40]}: give an address such as 192.168.1.10, or 0.0.0.0 for all") from None
        return ""
    return "" if found.is_unspecified else str(found)


def settings(folder: Path, port: int, secure: bool, bind: str, tables: int) -> str:
    """Return mosquitto.conf.

    folder: where all files are, as the broker's machine names it. bind: address to listen at, empty for all of the
    machine. tables: how many there are.
    """
    tls = [f"certfile {folder}/https/server.crt", f"keyfile {folder}/https/server.key"] if secure else []
    listens = f"at {bind} alone" if bind else "at every address of its computer, in every network"
    return "\n".join(
        [
            "# The broker of a hall of tables. Written by 'referee hall broker-files'.",
            f"# It listens {listens}; '--bind ADDRESS' names another.",
            f"listener {port} {bind}".rstrip(),
            *tls,
            "allow_anonymous false",
            f"password_file {folder}/passwords",
            f"acl_file {folder}/acl",
            "# One connection a user, and nobody can push another out of theirs by taking its client id.",
            "use_username_as_clientid true",
            "",
            "# It always starts anew with nothing: the tables tell again all that there is, and what somebody",
            "# has filled it with is gone.",
            "persistence false",
            "persistent_client_expiration 1h",
            "",
            "# Nobody can fill the broker or those who listen.",
            f"message_size_limit {MOST_BYTES}",
            f"max_packet_size {MOST_BYTES + 4096}",
            "max_connections 1000",
            "max_queued_messages 5000",
            f"max_queued_bytes {MOST_WAITING_BYTES}",
            "# QoS 0 is bounded by nothing else: who floods, and who can't follow, must connect anew.",
            f"memory_limit {MOST_MEMORY_BYTES + tables * MOST_BYTES}",
            "",
        ]
    )


def password_file(users: Sequence[BrokerUser]) -> str:
    """Return the password file."""
    return "".join(user.line(secrets.token_bytes(12)) for user in users)


def addresses(users: Sequence[BrokerUser], host: str, port: int, secure: bool) -> str:
    """Return the address of each user, for the settings of tables and desks: a file to keep to yourself."""
    told = [f"{user.name:<18}{user.address(host, port, secure)}" for user in users]
    return "\n".join(["# Who   broker = (under [hall] in the settings). Give each their own line only.", *told, ""])
