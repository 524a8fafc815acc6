"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# Machines that run the tests are shared and slow at times: speed is the bench's business, not the tests'.
settings.register_profile("referee", deadline=None)
settings.load_profile("referee")
