"""Sets of metrics that are chosen together."""
