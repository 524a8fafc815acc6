"""Keep the data of one copy of the game: entered once, kept as a file, checked."""
