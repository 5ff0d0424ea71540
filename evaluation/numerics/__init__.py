"""Array types, codes of labels, ranks, rounding, and the results that statistics answer with."""
