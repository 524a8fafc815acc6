"""Fuzzes everything that reads text from outside: ``make fuzz``, and a small part of it in ``make test``."""
