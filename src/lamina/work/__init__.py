"""Pending work: what waits, and how one step of it is done."""
