"""Archives of exported games, judged again by this version on many cores or machines (Dask)."""
