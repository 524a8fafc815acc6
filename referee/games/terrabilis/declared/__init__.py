"""Hold what players declare and cameras see."""
