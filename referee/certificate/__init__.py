"""Certify a table: say what the self-test before play found, and whether the table may be refereed."""
