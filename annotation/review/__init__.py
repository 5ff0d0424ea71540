"""Reviews: which answers wait for one, what a verdict does, and the evidence about an annotator's work."""
