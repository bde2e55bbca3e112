"""AtomRec: atomic notes of users and items that link, evolve, and serve as evidence for ranking.

After arXiv 2609.04882, on the ideas of A-Mem (arXiv 2502.12110) and MemRec (arXiv 2601.08816).
"""
