"""Tests of the track record: what became of rulings, and what their count proves."""
