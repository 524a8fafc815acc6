"""A turn replayed on the ledger, act by act."""
