"""Encoders: texts in, unit vectors out, by a model in a folder or on a server."""
