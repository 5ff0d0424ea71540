"""What a rating scale is, those of a lab's own, written in a line, and where both are found by name."""
