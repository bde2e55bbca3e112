"""How much each feature adds to a score."""
