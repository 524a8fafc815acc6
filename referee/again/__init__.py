"""Judge a recorded game again: today's reader and engine on the pictures of then, beside what was ruled then."""
