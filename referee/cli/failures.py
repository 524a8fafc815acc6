"""Tell users that the referee itself failed: in one sentence, with a traceback only where it was asked for."""

from __future__ import annotations

import os
import traceback

DEBUG = "REFEREE_DEBUG"
"""Environment variable: set to anything, it prints the traceback of every failure."""


def failure(error: Exception) -> str:
    """Return one sentence about an unexpected error; print its traceback when ``REFEREE_DEBUG`` is set."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
        return "the referee failed on this: please report it, with the traceback it printed"
    told = " ".join(str(error).split())[:200]
    name = type(error).__name__
    return (
        f"the referee failed on this ({name}{f': {told}' if told else ''}): "
        f"please report it, with what it prints when {DEBUG}=1 is set"
    )
