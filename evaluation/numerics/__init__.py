"""Array types, codes of labels, ranks, quantiles, rounding, and the results that statistics answer with."""
