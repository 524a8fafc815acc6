"""The ledger between two turns."""
