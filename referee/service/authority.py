"""The table's own certificate authority: browsers that trust it open the page over HTTPS without the internet.

It can vouch for names and addresses of home networks only (name constraints, RFC 5280 4.2.1.10), so that whoever gets
hold of its key can pass for a referee and for nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.storage.aside import file_aside

YEARS = 10
LEAF_DAYS = 397
"""Browsers take certificates of no more than 398 days."""
RENEW_DAYS = 30
_HOME_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
_EARLIER = timedelta(days=1)
"""Certificates begin so long ago: clocks of phones and of a small computer without a battery differ."""


class AuthorityError(Exception):
    """Certificates that can't be made or read; the message names the file and says what to do."""


@dataclass(frozen=True)
class Authority:
    """certificate: what devices are to trust. server: PEM file with the page's certificate, key: with its key."""

    certificate: x509.Certificate
    server: Path
    key: Path

    @property
    def der(self) -> bytes:
        """Return the authority's certificate, DER-encoded, as phones install it."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the certificate, as phones show it: AB:CD:..."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def exists(folder: Path) -> bool:
    """Return whether an authority was made in this data folder."""
    return (folder / "https" / "authority.crt").exists()


def ensure(folder: Path, names: Sequence[str], now: datetime | None = None) -> Authority:
    """Return the authority of a data folder, and make one where there is none, with a certificate for ``names``.

    names: hosts and IPv4 addresses under which the page is opened. The server's certificate is made anew when a name
    is missing in it, it ends within a month, or it or its key is damaged. Raises AuthorityError: it says to delete
    the folder only where the authority itself is lost, for devices trust that.
    """
    now = now or datetime.now(UTC)
    place = folder / "https"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not exists(folder):
            _make_authority(place, names, now)
        certificate = x509.load_pem_x509_certificate((place / "authority.crt").read_bytes())
        made = Authority(certificate, place / "server.crt", place / "server.key")
        if not _serves(made.server, certificate, names, now):
            _make_server(place, certificate, _allowed(certificate, names), now)
    except FileNotFoundError as error:
        raise AuthorityError(_lost(place, f"{error.filename} is missing")) from None
    except OSError as error:
        room = error.errno in (errno.ENOSPC, errno.EDQUOT)
        what = "make room on the disk" if room else "let the referee read and write there"
        raise AuthorityError(
            f"{place}: its certificates can't be read or written ({error.strerror}): {what} and run 'referee https' "
            "again. Delete nothing there: devices trust what it holds"
        ) from None
    except ValueError as error:
        raise AuthorityError(_lost(place, str(error))) from None
    return made


def _lost(place: Path, why: str) -> str:
    return (
        f"{place}: its certificates can't be used ({why}): delete the folder and run 'referee https' again; "
        "every device must then trust the new one"
    )


def _make_authority(place: Path, names: Sequence[str], now: datetime) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Referee at {_own(names)}"[:64])])
    permitted: list[x509.GeneralName] = [x509.DNSName("local"), x509.DNSName("localhost")]
    permitted += [
        x509.DNSName(host) for host in names if not _is_address(host) and host not in ("localhost", "local")
    ]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in _HOME_NETWORKS]
    permitted += [
        x509.IPAddress(ipaddress.ip_network(host)) for host in names if _is_address(host) and not _home(host)
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(place, {"authority.key": _private(key), "authority.crt": _pem(certificate)})


def _make_server(place: Path, authority: x509.Certificate, names: Sequence[str], now: datetime) -> None:
    signer = serialization.load_pem_private_key((place / "authority.key").read_bytes(), None)
    if not isinstance(signer, ec.EllipticCurvePrivateKey):
        raise ValueError("authority.key is no key of the referee's")
    key = ec.generate_private_key(ec.SECP256R1())
    shown: list[x509.GeneralName] = [
        x509.IPAddress(ipaddress.ip_address(host)) if _is_address(host) else x509.DNSName(host) for host in names
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _own(names)[:64])]))
        .issuer_name(authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=LEAF_DAYS - 1))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(shown), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
                authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
            ),
            critical=False,
        )
        .sign(signer, hashes.SHA256())
    )
    _write(place, {"server.key": _private(key), "server.crt": _pem(certificate)})


def _serves(path: Path, authority: x509.Certificate, names: Sequence[str], now: datetime) -> bool:
    """Return whether a server certificate is still good.

    It must be this authority's, have its key, last a month, and hold all the names that the authority may vouch for.
    """
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(path.with_suffix(".key").read_bytes(), None)
        shown = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (FileNotFoundError, ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound):
        return False
    there = {*shown.get_values_for_type(x509.DNSName), *map(str, shown.get_values_for_type(x509.IPAddress))}
    lasting = certificate.not_valid_after_utc - now > timedelta(days=RENEW_DAYS)
    lasting = lasting and key.public_key() == certificate.public_key()
    return lasting and certificate.issuer == authority.subject and there >= set(_allowed(authority, names))


def _allowed(authority: x509.Certificate, names: Sequence[str]) -> list[str]:
    """Return the names the authority may vouch for; a browser refuses a certificate that holds any other."""
    permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    domains = [one.value for one in permitted if isinstance(one, x509.DNSName)]
    networks = [ipaddress.ip_network(one.value) for one in permitted if isinstance(one, x509.IPAddress)]

    def fits(host: str) -> bool:
        if _is_address(host):
            return any(ipaddress.ip_address(host) in network for network in networks)
        return any(host == domain or host.endswith(f".{domain}") for domain in domains)

    return sorted({host for host in names if fits(host)})


def _usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _own(names: Sequence[str]) -> str:
    """Return the name people know the machine by."""
    local = [host for host in names if host.endswith(".local")]
    return (local or [host for host in names if not _is_address(host) and host != "localhost"] or ["this table"])[0]


def _is_address(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).version == 4
    return False


def _home(host: str) -> bool:
    return any(ipaddress.ip_address(host) in ipaddress.ip_network(network) for network in _HOME_NETWORKS)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write(place: Path, contents: Mapping[str, bytes]) -> None:
    """Write files for nobody else to read, all of them or, on a full disk, none."""
    with contextlib.ExitStack() as aside:
        for name, content in contents.items():
            stream = aside.enter_context(file_aside(place / name, mode=0o600))
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())  # each is on the disk before any takes its place
