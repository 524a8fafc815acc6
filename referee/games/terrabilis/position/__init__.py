"""Hold the ledger between two turns."""
