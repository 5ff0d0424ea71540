"""Gold rewrites on their way out: which count, with what provenance, and in which formats."""
