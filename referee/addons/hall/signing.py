"""Signatures of a hall (Ed25519, RFC 8032): a broker passes messages on and can make none.

What is signed begins with its own use, so that no signature can be shown for another: a table signs each message
together with its topic, a desk signs orders, and either may sign other things with the same key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNATURE = "signature"
"""Name of the MQTT user property in which a message's signature travels, so that its payload is plain JSON."""
CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters of a code: Crockford's Base32, without those that look alike."""
CODE_LENGTH = 10
"""50 bits: whoever hears what a code was used for would have to try them all, with a slow hash, before it ends."""
_ALIKE = str.maketrans("OIL", "011")
_MESSAGE, _ORDER, _TRUST = b"referee hall message 1\n", b"referee hall order 1\n", b"referee hall trust 1\n"
_CODE = b"referee hall code 1\n"


def id_of(key: bytes) -> str:
    """Return the id of whoever has a public key (32 bytes)."""
    return hashlib.sha256(key).hexdigest()[:16]


def public_of(secret: Ed25519PrivateKey) -> bytes:
    """Return the public key, 32 bytes."""
    return secret.public_key().public_bytes_raw()


def sign_message(secret: Ed25519PrivateKey, topic: str, payload: bytes) -> str:
    """Return a table's signature of a message on a topic."""
    return base64_of(secret.sign(_message(topic, payload)))


def message_is_signed(key: bytes, topic: str, payload: bytes, signature: str) -> bool:
    """Return whether the table with this public key has signed the message on this topic."""
    return _verified(key, _message(topic, payload), signature)


def sign_order(secret: Ed25519PrivateKey, body: str) -> str:
    """Return a desk's signature of an order's body."""
    return base64_of(secret.sign(_ORDER + body.encode()))


def order_is_signed(key: bytes, body: str, signature: str) -> bool:
    """Return whether the desk with this public key has signed an order's body."""
    return _verified(key, _ORDER + body.encode("utf-8", "surrogatepass"), signature)


def sign_wish(secret: Ed25519PrivateKey, name: str, table: bytes) -> str:
    """Return the signature of a desk that would have a table's code, under a name. table: the table's public key."""
    return base64_of(secret.sign(_CODE + table + name.encode()))


def wish_is_signed(key: bytes, name: str, table: bytes, signature: str) -> bool:
    """Return whether the desk with this public key would have the code of a table, under a name."""
    return _verified(key, _CODE + table + name.encode("utf-8", "surrogatepass"), signature)


def read_code(typed: str) -> str:
    """Return a code as it was meant, however it was typed; empty for what can be no code."""
    code = "".join(sign for sign in typed.upper().translate(_ALIKE) if sign not in " -")
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


def secret_of_code(code: str, table: bytes) -> bytes:
    """Return what both sides make of the code that a table shows (32 bytes); slow, so that nobody tries them all.

    table: the public key of the table that shows it.
    """
    salt = hashlib.sha256(_TRUST + table).digest()[:16]
    return hash_secret_raw(
        code.encode(), salt, time_cost=3, memory_cost=65536, parallelism=1, hash_len=32, type=Type.ID
    )


def proof_of_code(secret: bytes, who: str, desk: bytes, table: bytes) -> str:
    """Return the proof that somebody knows the code and means these two public keys. who: ``desk`` or ``table``."""
    return hmac.new(secret, _TRUST + who.encode() + b"\n" + desk + table, hashlib.sha256).hexdigest()


def proves(proof: str, secret: bytes, who: str, desk: bytes, table: bytes) -> bool:
    """Return whether a proof is right."""
    return hmac.compare_digest(proof.encode(), proof_of_code(secret, who, desk, table).encode())


def base64_of(data: bytes) -> str:
    """Return bytes as Base64 for addresses, without filling."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    """Return what ``base64_of`` was given. Raises ValueError."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("no Base64") from error
    if base64_of(data) != text:
        raise ValueError("no Base64 of this length")
    return data


def _message(topic: str, payload: bytes) -> bytes:
    return _MESSAGE + topic.encode() + b"\n" + payload


def _verified(key: bytes, signed: bytes, signature: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(bytes_of(signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True
