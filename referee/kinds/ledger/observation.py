"""What every game that keeps a ledger shares."""

NOTHING = "nothing"
"""The text of an observation of a ledger's table of which nothing was seen."""
