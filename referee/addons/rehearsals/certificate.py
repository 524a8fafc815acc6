"""State a rehearsal in the table's certificate."""

from __future__ import annotations

from dataclasses import replace

import jinja2
from markupsafe import Markup

from referee.addons.rehearsals.rehearsal import Rehearsal, advice, stated, told
from referee.addons.rehearsals.validity import MOVED_MM
from referee.certificate.values import Certificate
from referee.values.words import Words

NAME = "rehearsal"
"""Under which it stands in the certificate, and in what the set-up page is told."""


def rehearsal_of(certificate: Certificate | None) -> Rehearsal | None:
    """Return the rehearsal that a certificate states, ``None`` for none that can be read."""
    data = None if certificate is None else certificate.stated.get(NAME)
    try:
        return None if data is None else Rehearsal.from_json(data)
    except (KeyError, TypeError, ValueError):
        return None


def stating(certificate: Certificate, rehearsal: Rehearsal) -> Certificate:
    """Return the certificate as it states a rehearsal."""
    return replace(certificate, stated={**certificate.stated, NAME: rehearsal.to_json()})


def section(certificate: Certificate, language: str) -> Markup:
    """Return the part of the certificate's page, empty without a rehearsal."""
    rehearsal = rehearsal_of(certificate)
    if rehearsal is None:
        return Markup()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    made = environment.get_template("rehearsal.html").render(
        language=language,
        told=told(rehearsal),
        stated=stated(rehearsal),
        advice=advice(rehearsal),
        made=(rehearsal.renewed_at or rehearsal.made_at)[:10],
        ends=rehearsal.ends_on.isoformat(),
        most_mm=round(MOVED_MM),
        say=lambda text, **values: Words(text, tuple(sorted(values.items()))).text(language),
    )
    return Markup(made)
