"""Define what is declared of a turn: every act."""

from __future__ import annotations

from referee.values.declaring import Form, FormField
from referee.values.words import say

LONGEST_ACTS = 4000
"""Characters of a turn in notation."""

LONGEST_SEEN = 400

FORM = Form(
    (
        FormField("acts", "text", say("What was done in this turn"), most=LONGEST_ACTS),
        FormField("seen", "text", say("What lies on the table"), most=LONGEST_SEEN),
    )
)
