"""A table that exists in the computer: what lies on it, hands that change it, and cameras that look at it."""
