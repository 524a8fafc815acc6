"""How the virtual table looks to a camera: solids, prints, light and a lens, drawn in software."""
