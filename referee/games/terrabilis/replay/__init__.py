"""Replay a turn on the ledger, act by act."""
