"""Power cuts: the real command is killed at random moments while a client listens: nothing it said may be lost."""
