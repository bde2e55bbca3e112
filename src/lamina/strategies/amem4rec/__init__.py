"""AMEM4Rec: what users do alike, in a pool of patterns that all of them shape.

After arXiv 2602.08837.
"""
