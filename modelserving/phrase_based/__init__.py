"""Phrase-based translation: the phrase table, its decoder, and the tuning of its weights. Plain Python and Numba."""
