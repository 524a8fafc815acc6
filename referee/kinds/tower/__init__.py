"""Games on a tower of bars, on a board that players turn."""
