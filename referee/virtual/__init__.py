"""A table that exists in the computer: pieces on it, hands that change them, and cameras that look at it."""
