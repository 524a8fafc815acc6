"""Rehearsals: a dozen small tasks say how often a table is read right, which its certificate then states."""
