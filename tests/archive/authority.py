"""A timestamp authority (RFC 3161) for tests: OpenSSL's own, behind a small server."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SETTINGS = """
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
[req]
distinguished_name = nobody
[nobody]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[stamper]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


def openssl(folder: Path, *arguments: str) -> str:
    """Run OpenSSL in a folder; return what it says."""
    done = subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, text=True, timeout=60)
    return done.stdout


class Authority:
    """An authority with a certificate of its own. folder: holds ``ca.pem``. asked: how many timestamps it gave."""

    def __init__(self, folder: Path) -> None:
        """Make its keys and certificates."""
        self.folder, self.asked = folder, 0
        folder.mkdir()
        (folder / "tsa.cnf").write_text(SETTINGS.format(folder=folder), encoding="ascii")
        (folder / "serial").write_text("01\n", encoding="ascii")
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "tsa.cnf", "-days", "9")
        openssl(
            folder, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority",
            "-extensions", "authority",
        )  # fmt: skip
        openssl(
            folder, "req", "-x509", *key, "-keyout", "tsa.key", "-out", "tsa.pem", "-subj", "/CN=Stamper",
            "-extensions", "stamper", "-CA", "ca.pem", "-CAkey", "ca.key",
        )  # fmt: skip

    def reply(self, query: bytes) -> bytes:
        """Return the answer to a query."""
        (self.folder / "query.tsq").write_bytes(query)
        openssl(self.folder, "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr")
        self.asked += 1
        return (self.folder / "reply.tsr").read_bytes()

    @contextmanager
    def served(self) -> Iterator[str]:
        """Answer over HTTP; give the address."""
        authority = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.headers["Content-Type"] == "application/timestamp-query"
                content = authority.reply(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Type", "application/timestamp-reply")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/tsr"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
