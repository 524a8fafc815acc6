"""Statistics of players who want them, over the games that are kept at a table."""
