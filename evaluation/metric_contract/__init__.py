"""What goes into a metric and comes out of it: inputs, settings, scores, sums over sentences; and their checks."""
