"""Sentences for people, and turns in words."""
