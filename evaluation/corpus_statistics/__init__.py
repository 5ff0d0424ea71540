"""Corpora in numbers, for the papers' first tables: tokens, vocabulary, readability, edit distances."""
