"""Readability of English: sentences, syllables, and the grades that are formed from their counts."""
