"""Words that match by stem (Porter) or by synonym (WordNet)."""
