"""Candidates and evidence in, rankings out: pure functions on arrays and values."""
