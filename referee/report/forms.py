"""Make the files in which a turn is taken away."""

from __future__ import annotations

from referee.report.dispute import DisputedTurn
from referee.report.disputepage import Evidence, dispute_report
from referee.report.html import html_of
from referee.report.sharing import shared_turn
from referee.values.turnform import TurnForm


def turn_file(form: TurnForm, told: DisputedTurn, evidence: Evidence, language: str) -> bytes:
    """Return a turn as a file; empty for a moving picture of a game whose board is not drawn."""
    if form is TurnForm.SHARED:
        return html_of(shared_turn(told, evidence.picture), language).encode()
    if form is TurnForm.FILM:
        from referee.report.film import turn_film  # here as below: what draws is loaded by who asks for it

        return turn_film(told, language)
    report = dispute_report(told, evidence)
    if form is TurnForm.PAPER:
        from referee.report.pdf import pdf_of

        return pdf_of(report, language)
    return html_of(report, language).encode()
