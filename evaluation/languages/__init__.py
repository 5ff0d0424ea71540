"""What metrics must know of a study's language: its words, its case, and whether it is English."""
