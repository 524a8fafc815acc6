"""Witnesses of the journal: devices that co-sign how far it has come, and an authority's timestamps.

What they signed lies beside the journal (referee/storage/witnesses.py, timestamps.py): the core keeps, packs and
verifies it like every file of a game.
"""
