"""Terra Turrium: stacks of cubes, six flags a player, five movement points."""
