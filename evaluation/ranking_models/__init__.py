"""Rankings of outputs, the comparisons that they hold, and what models of systems' strengths share."""
