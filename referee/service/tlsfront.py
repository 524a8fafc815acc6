"""HTTPS in front of the page's server: a front that decrypts."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Container
from pathlib import Path

from referee.service.doors import Doors
from referee.service.front import Front, Onward, Place
from referee.service.requesthead import RequestHead


class TlsFront(Front):
    """Answers HTTPS at a socket until closed; use as a context manager."""

    def __init__(
        self, sock: socket.socket, certificate: Path, key: Path, behind: Place, devices: Container[str] = ()
    ) -> None:
        """Take a listening socket and the way to the server.

        certificate, key: PEM files. behind: host and port of the server that requests are forwarded to. devices:
        addresses of paired devices. Raises OSError, SSLError.
        """
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
        tls.load_cert_chain(certificate, key)

        def way(head: RequestHead, sender: str) -> Onward:
            return Onward(behind, head.handed_on(sender, "https"))

        super().__init__(sock, way, Doors(devices), tls)
