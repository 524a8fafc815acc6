"""What a computer needs to referee a table, looked at one thing after the other."""
