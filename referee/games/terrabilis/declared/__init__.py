"""What players declare and cameras see."""
