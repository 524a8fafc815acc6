"""A recorded game judged again: today's eyes and engine on the pictures of then, beside what was ruled then."""
