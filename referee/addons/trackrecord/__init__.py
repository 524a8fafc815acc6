"""How often a table's rulings were put right: counted from its games, with what the count proves."""
