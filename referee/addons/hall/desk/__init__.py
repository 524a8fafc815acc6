"""The arbiter's desk of a hall: what it takes from the tables' messages, what it orders, and what it shows.

``seen``, ``hall`` and ``shown`` are pure; ``deskline`` talks to the broker, ``desk`` holds all of it together.
"""
