"""Terrabilis: the ledger a table keeps, what follows from what was declared, and what cameras can vouch for."""

from __future__ import annotations

from pathlib import Path

from referee.values.words import add_catalogue

add_catalogue("terrabilis", Path(__file__).with_name("locale"))
