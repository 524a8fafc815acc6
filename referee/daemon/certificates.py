"""Keep the certificates of a table in its folder, and find the newest one again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.files import write_atomic
from referee.certificate.values import Certificate, CertificateError
from web.certificate import page

FOLDER = "certificates"


@dataclass(frozen=True, slots=True)
class Kept:
    """A certificate on the disk. name: without ending. sha256: of the JSON file. paper: the page to print."""

    certificate: Certificate
    name: str
    sha256: str
    paper: Path


def keep(folder: Path, certificate: Certificate, stamp: str, language: str) -> Kept:
    """Write a certificate into a table folder, as HTML and as JSON. Raises OSError.

    It goes on stating what add-ons stated in the certificate before: a new check of the table undoes nothing.
    """
    if (before := newest_value(folder)) is not None:
        certificate = replace(certificate, stated={**before.stated, **certificate.stated})
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    number, name = 1, stamp
    while (place / f"{name}.json").exists():
        number += 1
        name = f"{stamp}-{number}"
    content = (json.dumps(certificate.to_json(), ensure_ascii=False, indent=1) + "\n").encode()
    write_atomic(place / f"{name}.json", content)
    write_atomic(place / f"{name}.html", page(certificate, language).encode())
    return Kept(certificate, name, hashlib.sha256(content).hexdigest(), place / f"{name}.html")


def newest(folder: Path) -> tuple[str, Mapping[str, object]] | None:
    """Return the newest certificate of a table that can be read, with its name; ``None`` where there is none."""
    for path in sorted((folder / FOLDER).glob("*.json"), key=_moment, reverse=True):
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return path.stem, found
    return None


def newest_value(folder: Path) -> Certificate | None:
    """Return the newest certificate of a table as a value; ``None`` where there is none of today's version."""
    found = newest(folder)
    try:
        return None if found is None else Certificate.from_json(found[1])
    except CertificateError:
        return None


def _moment(path: Path) -> tuple[str, int]:
    """Return a key that sorts by date and time, then by number: the tenth of a second follows the ninth."""
    day, _, rest = path.stem.partition("-")
    second, _, number = rest.partition("-")
    return f"{day}-{second}", int(number) if number.isdecimal() else 1
