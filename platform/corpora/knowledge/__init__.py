"""Sentences, words, lemmas, abbreviations, common words, identifiers, formality, concepts. No Django."""
