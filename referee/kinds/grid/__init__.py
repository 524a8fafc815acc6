"""Games on a grid of stacks, with pieces on top of them."""
