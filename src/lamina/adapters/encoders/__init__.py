"""Encoders: texts in, unit vectors out, by a model in a folder or on a server."""

from lamina.adapters.encoders.opening import open_encoder

__all__ = ["open_encoder"]
