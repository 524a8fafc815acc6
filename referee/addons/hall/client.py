"""Make clients of the hall's broker by MQTT 5, and sign their messages: what tables and desk need of paho."""

from __future__ import annotations

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from referee.addons.hall.address import BrokerAddress
from referee.addons.hall.signing import SIGNATURE

KEEPALIVE_S = 15
"""The broker takes a client for gone after one and a half times this."""
_LONGEST_SIGNATURE = 200


def client_for(address: BrokerAddress, client_id: str, reconnects: bool) -> Client:
    """Return a client that is not connected yet. reconnects: whether it does so by itself when the line breaks."""
    client = Client(
        CallbackAPIVersion.VERSION2,
        client_id,
        protocol=MQTTProtocolVersion.MQTTv5,
        reconnect_on_failure=reconnects,
    )
    if address.user:
        client.username_pw_set(address.user, address.password or None)
    return client


def secure(client: Client, address: BrokerAddress) -> None:
    """Have a client use TLS where its address says so. Raises OSError for certificates that can't be read."""
    if address.secure:
        client.tls_set(str(address.ca) if address.ca is not None else None)


def on_connecting() -> Properties:
    """Return empty properties of a connection."""
    return Properties(PacketTypes.CONNECT)


def signed(signature: str, kind: int = PacketTypes.PUBLISH) -> Properties:
    """Return the properties of a message with the signature of its table. kind: of MQTT's packets."""
    properties = Properties(kind)
    properties.UserProperty = (SIGNATURE, signature)
    return properties


def signature_of(message: MQTTMessage) -> str:
    """Return the signature that a message came with, empty for none."""
    found = getattr(message.properties, "UserProperty", [])
    return next((value for name, value in found if name == SIGNATURE), "")[:_LONGEST_SIGNATURE]
