"""Tables of a demo that are lent to strangers, each a referee of its own."""
