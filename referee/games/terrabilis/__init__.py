"""Terrabilis: the ledger a table keeps, what follows from what was declared, and what cameras can vouch for."""
