"""A week of the cameras: how each did, minute by minute, and what befell it when."""
