"""Template tags of evaluation."""
