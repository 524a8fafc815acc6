"""The certificate of a table: what the self-test before play found, and whether the table may be refereed."""
