"""The base of all games that keep a ledger."""

NOTHING = "nothing"
"""The text of an observation of a ledger's table of which nothing was seen."""
