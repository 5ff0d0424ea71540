"""Template tags of corpora."""
