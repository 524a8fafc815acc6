"""The lamp coach: says of each camera's picture where a lamp would have to stand."""
