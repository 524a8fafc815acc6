"""Cuts the power: it kills the real command at random moments while a client listens; nothing it said may be lost."""
