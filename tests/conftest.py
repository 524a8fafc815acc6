"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import Phase, settings

# Machines that run the tests are shared and slow at times: speed is the bench's business, not the tests'.
settings.register_profile("referee", deadline=None)
# Continuous integration must say the same of the same code twice; new examples are looked for everywhere else.
settings.register_profile("ci", deadline=None, derandomize=True)
# Mutation testing runs the tests once for each of thousands of mutants.
settings.register_profile(
    "quick",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # that a test fails is enough: no smaller example is sought
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "referee"))
