"""What is drawn again: bootstrap samples, swaps of two metrics or systems, and the sums that make them fast."""
