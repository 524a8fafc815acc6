"""A hall of tables: what each table publishes to one broker, and what an arbiter may order it to do.

docs/reference/hall-topics.md describes the topics; nothing here knows a broker but ``outbox`` and its neighbours.
"""
