"""Recall: lexical, dense, fusion, time words, context. Pure functions on arrays and hits."""
