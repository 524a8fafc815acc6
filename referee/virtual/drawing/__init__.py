"""Draws the virtual table as cameras see it, in software: solids, prints, light and a lens."""
