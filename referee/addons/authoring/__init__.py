"""For authors of games: write the distribution of a new one, and check one that is installed."""
