"""Methods without memory, in NumPy: each learns from rows of a log and scores every item."""
