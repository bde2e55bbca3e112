"""Recommending: whether memory helps, beside simple methods and on the same candidates."""
