"""State the table's own record in its certificate, as it was when the table was checked."""

from __future__ import annotations

from markupsafe import Markup

from referee.addons.trackrecord.table import NAME
from referee.certificate.values import Certificate
from referee.values.words import Words, WordsError, say

TITLE = say("How often it was wrong here")


def section(certificate: Certificate, language: str) -> Markup:
    """Return the part of the certificate's page, empty where nothing was refereed before."""
    try:
        lines = [Words.from_json(line) for line in certificate.stated.get(NAME, {}).get("lines", ())]
    except (WordsError, TypeError):
        return Markup()
    if not lines:
        return Markup()
    told = Markup().join(Markup("<p>{}</p>").format(line.text(language)) for line in lines)
    return Markup("<h2>{}</h2>{}").format(TITLE.text(language), told)
