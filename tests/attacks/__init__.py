"""Attacks the referee on purpose, as an enemy, a bad disk or a crowd would; ``make attacks`` runs all of it."""
