"""Turris: a tower of light and dark bars on a board that players turn. The rules and nothing else."""
