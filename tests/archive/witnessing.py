"""A phone as a test has it: it co-signs notes with a key of its own, as the page's script does."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.storage.signednote import cosignature_line, cosigned_message


class Phone:
    """A device with a key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    def cosign(self, note: str, at_s: int) -> str:
        """Return a note with this device's signature below. at_s: seconds since 1970."""
        text = note.split("\n\n")[0] + "\n"
        return note + cosignature_line(self.public, at_s, self._key.sign(cosigned_message(text, at_s)))
