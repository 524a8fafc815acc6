"""The JSON API: what the page is built on, and what others may use."""
